import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../../src/index.ts';
import { textOf } from '../command.ts';

const tests = suite('--base and --exclude-fragment');
const BASE = 'https://base.example/folder/page?query#fragment';
tests('--skip-blank with a base, to which a blank line is a URL', () => {
  assert.is(textOf(['canon', '--base', BASE], '\n').stdout, `${BASE.replace('#fragment', '')}\n`);
  assert.is(textOf(['canon', '--base', BASE, '--skip-blank'], '\n \nx\n').stdout, 'https://base.example/folder/x\n');
});

tests('a malformed record has no hash, even with a base', () => {
  const { stdout, status } = textOf(['--base', BASE, '--csv', '-f', 'u', '--width', '8'], 'u,v\nx,1\nx\n,2\n');
  const [, ...records] = stdout.split('\n');
  assert.is(records[1], 'x,');
  assert.match(records[2]!, /^,2,[0-9a-f]{16}$/);
  assert.is(status, 1);
});

tests('wrong usage: a base that is not a URL, and flags of other profiles', () => {
  assert.match(
    textOf(['--base', 'no'], '').stderr,
    /^urlsum: --base: the base is not a URL: "no": .*\nTry 'urlsum --help'/,
  );
  for (const args of [
    ['canon', '--profile', 'web-risk', '--base', 'http://a/'],
    ['canon', '--profile', 'hashed-uri-n', '--exclude-fragment'],
    ['expressions', '--base', 'http://a/'],
  ])
    assert.is(textOf(args, '').status, 2, args.join(' '));
  assert.is(textOf(['canon', '--profile', 'hashed-uri-n', '--base', 'http://h/x'], 'y\n').stdout, 'http://h/y\n');
});

tests('--explain under the same flags', () => {
  const { stdout, status } = textOf(['--explain', 'HTTP://Example.com:80/a/../b#f', '--exclude-fragment']);
  assert.is(status, 0);
  assert.match(stdout, /^profile +url\/1\+unicode18;exclude-fragment/);
  assert.match(
    stdout,
    new RegExp(`\ncanonical +http://example\\.com/b\nhash +${UrlHash.of('http://example.com/b').hex}\n$`),
  );
  assert.match(textOf(['--explain', 'x', '--base', BASE]).stdout, /canonical +https:\/\/base\.example\/folder\/x\n/);
  assert.match(textOf(['canon', '--profile', 'v5', '--explain', 'http://a.b%2Fc']).stdout, /^profile +v5\/spec\n/);
  for (const args of [[], ['canon'], ['hashed-uri'], ['hash-uri', 'parse'], ['expressions']])
    assert.is(textOf([...args, '--explain', 'http://a/', 'file']).status, 2);
});

tests('a flag that takes one value is not given two', () => {
  for (const [flag, one, other] of [
    ['--preset', 'page-2026', 'page-2027'],
    ['--site-rules', 'one.txt', 'other.txt'],
    ['--no-vary-search', 'key-order', 'except=()'],
    ['--base', 'http://a/', 'http://b/'],
    ['--format', 'hex', 'u64'],
    ['--exclude-fragment', 'all', 'but-routes'],
    ['--unicode', '17', '18'],
    ['--jobs', '1', '2'],
  ]) {
    const { stderr, status } = textOf(['sum', `${flag}=${one}`, `${flag}=${other}`], 'http://h/\n');
    assert.is(status, 2, stderr);
    assert.match(stderr, `${flag} takes one value, but is given '${one}' and '${other}'`);
  }
  const twice = textOf(['canon', '--preset', 'page-2026', '--preset=page-2026'], 'http://h/?b&a\n');
  assert.equal([twice.stdout, twice.status], ['http://h/?a&b\n', 0]);
});

tests('--exclude-fragment takes a value after =, and no other', () => {
  const given = 'http://h/#!/a\nhttp://h/#top\n';
  for (const [flag, stdout] of [
    ['--exclude-fragment', 'http://h/\nhttp://h/\n'],
    ['--exclude-fragment=all', 'http://h/\nhttp://h/\n'],
    ['--exclude-fragment=but-routes', 'http://h/#!/a\nhttp://h/\n'],
    ['--preset=page-2026', 'http://h/#!/a\nhttp://h/\n'],
  ] as const)
    assert.is(textOf(['canon', flag], given).stdout, stdout, flag);
  assert.is(textOf(['canon', '--preset=page-2026', '--exclude-fragment'], given).stdout, 'http://h/\nhttp://h/\n');
  assert.match(textOf(['--exclude-fragment=routes'], given).stderr, 'must be one of all, but-routes');
  assert.match(textOf(['--explain', 'http://h/#!/a', '--preset=page-2026']).stdout, /;exclude-fragment=but-routes;/);
  assert.match(textOf(['--explain', 'http://h/#top', '--preset=page-2026']).stdout, /left out, as asked for/);
  assert.not.match(textOf(['--explain', 'http://h/#!/a', '--preset=page-2026']).stdout, /left out, as asked for/);
});

tests.run();
