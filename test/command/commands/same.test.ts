import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseArguments } from '../../../src/command/arguments/flag.ts';
import { URL_FLAGS, urlOptions } from '../../../src/command/arguments/url-flags.ts';
import { compare } from '../../../src/entries/explain.ts';
import { textOf } from '../command.ts';

const tests = suite('urlsum same');
const same = (...args: readonly string[]) => textOf(['same', ...args]);
const PAGES = ['http://www.a.example/b?x y=1&utm_id=2#c', 'https://a.example/b'] as const;

tests('one key: the form and its hash; two: the parts, and what makes them one, by flags that do', () => {
  assert.equal(same('HTTPS://EXAMPLE.COM:443', 'https://example.com/'), {
    stdout:
      'one key    url/1+unicode18\n' +
      'canonical  https://example.com/\n' +
      'hash       0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7\n',
    stderr: '',
    status: 0,
  });
  const { stdout, status } = same(...PAGES);
  assert.is(status, 1);
  assert.match(stdout, /^two keys {6}url\/1\+unicode18\nfirst .+\nsecond .+\nscheme {8}http\n {14}https\n/);
  const [, line] = /^one key with {2}(.+)$/m.exec(stdout)!;
  assert.is(line, "--exclude-fragment=but-routes --drop-param 'x y' --drop-param utm_id --fold https --fold www");
  const flags = Array.from(line!.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word!);
  assert.match(same(...flags, ...PAGES).stdout, /^one key {4}url\/1\+unicode18;/);
  assert.match(stdout, /^ {14}http folded to https, as asked for: docs\/parameters\.md, https$/m);
});

tests('--json is the comparison of the library', () => {
  const flags = ['--fold', 'https', '--sort-params'];
  const { values } = parseArguments(URL_FLAGS, flags);
  const expected = JSON.parse(JSON.stringify(compare(...PAGES, urlOptions(values))));
  assert.equal(JSON.parse(same('--json', ...flags, ...PAGES).stdout), expected);
});

tests('what is not a URL has no key; anything but two URLs is wrong usage', () => {
  const { stdout, status } = same('http://a b/', 'http://a b/');
  assert.is(status, 1);
  assert.match(stdout, /^first {9}http:\/\/a b\/ \(rejected: the host holds a forbidden code point/m);
  assert.match(stdout, /^one key with {2}no preset, fold or rule$/m);
  for (const operands of [[], ['http://a/'], ['http://a/', 'http://b/', 'http://c/']])
    assert.equal(same(...operands), {
      stdout: '',
      stderr: `urlsum: same needs two URLs, not ${operands.length}\nTry 'urlsum same --help'.\n`,
      status: 2,
    });
});

tests.run();
