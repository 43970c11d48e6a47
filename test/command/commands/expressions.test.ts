import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WRITTEN_BYTES } from '../../../assembly/expression-lines/layout.ts';
import { canonicalize, expressions } from '../../../src/entries/safe-browsing.ts';
import { corpusLines } from '../../support/data.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('urlsum expressions');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

tests('a line for each expression: row, tab, expression', () => {
  const { status, stdout, stderr } = urlsum(
    ['expressions'],
    'http://a.b.com/1/2.html?param=1\r\nhttp://example.co.uk/1',
  );
  assert.equal([status, stderr], [0, '']);
  const first = expressions('http://a.b.com/1/2.html?param=1').map((each) => `1\t${each}\n`);
  assert.is(stdout.toString(), `${first.join('')}2\texample.co.uk/1\n2\texample.co.uk/\n`);
});

tests('--hash and --prefix add hex', () => {
  assert.is(urlsum(['expressions', '--hash'], 'http://a.com/').stdout.toString(), `1\ta.com/\t${sha256('a.com/')}\n`);
  assert.is(
    urlsum(['expressions', '--hash', '--prefix', '5'], 'http://a.com/').stdout.toString(),
    `1\ta.com/\t${sha256('a.com/').slice(0, 10)}\n`,
  );
});

tests('--profile, --mode and --icann-suffixes', () => {
  const rows = (...args: string[]) =>
    urlsum(['expressions', ...args.slice(1)], args[0])
      .stdout.toString()
      .trimEnd()
      .split('\n')
      .map((row) => row.slice(2));
  assert.equal(rows('http://a.co.uk/', '--profile', 'web-risk'), ['a.co.uk/', 'co.uk/']);
  assert.equal(rows('http://a.co.uk/', '--profile', 'safe-browsing'), ['a.co.uk/']);
  assert.equal(rows('http://evil.com\\@good.com/', '--mode', 'browser'), ['evil.com/@good.com/', 'evil.com/']);
  assert.equal(rows('http://evil.com\\@good.com/', '--mode', 'union'), [
    'good.com/',
    'evil.com/@good.com/',
    'evil.com/',
  ]);
  assert.equal(rows('http://user.github.io/', '--icann-suffixes'), ['user.github.io/', 'github.io/']);
});

tests('--suffix-list takes another list, which statistics and explanations name', () => {
  const list = join(folder, 'list.dat');
  writeFileSync(list, '// VERSION: 2026-11-01\n*.example\n');
  const { stdout, stderr, status } = urlsum(
    ['expressions', '--suffix-list', list, '--stats=json'],
    'http://a.b.c.example/',
  );
  assert.equal([status, stdout.toString()], [0, '1\ta.b.c.example/\n1\tb.c.example/\n']);
  assert.is((JSON.parse(stderr) as { suffixList: string }).suffixList, 'psl/2026-11-01');
  const explained = urlsum([
    'expressions',
    '--suffix-list',
    list,
    '--explain',
    'http://a.b.c.example/',
  ]).stdout.toString();
  assert.ok(explained.includes('(suffix list psl/2026-11-01)') && explained.includes('b.c.example/'), explained);
  const missing = urlsum(['expressions', '--suffix-list', join(folder, 'none')], '');
  assert.is(missing.status, 2);
  assert.match(missing.stderr, /--suffix-list .*none: no such file/);
  writeFileSync(list, 'a..b\n');
  assert.match(
    urlsum(['expressions', '--suffix-list', list], '').stderr,
    /line 1 of the suffix list is not a rule: a\.\.b/,
  );
  assert.match(urlsum(['expressions', '--stats'], 'http://a.com/').stderr, /suffix list +tldts\//);
  const risk = urlsum(['expressions', '--profile', 'web-risk', '--suffix-list', list], '');
  assert.is(risk.status, 2);
  assert.match(risk.stderr, /--suffix-list needs the profile safe-browsing, not web-risk/);
});

tests('lines are bytes', () => {
  const { status, stdout } = urlsum(['expressions'], Buffer.from('http://\x01\x80.com/\xff\n', 'latin1'));
  assert.equal([status, stdout.toString()], [0, '1\t%01%80.com/%FF\n1\t%01%80.com/\n']);
});

tests('a bad line costs its own rows: reason and line on standard error, status 1', () => {
  const { status, stdout, stderr } = urlsum(['expressions'], 'http://a.com/\nmailto:x\n\nhttp://b.com/\n');
  assert.is(status, 1);
  assert.is(stdout.toString(), '1\ta.com/\n4\tb.com/\n');
  assert.is(
    stderr,
    [
      'urlsum: -:2: nothing to look up: "mailto:x": its scheme is not followed by // and a host (scheme-without-authority)',
      'urlsum: -:3: nothing to look up: "": the host is empty (host-missing)\n',
    ].join('\n'),
  );
});

tests('rows are counted through all files, lines of complaints in each', () => {
  const [first, second] = ['first', 'second'].map((name) => join(folder, name));
  writeFileSync(first!, 'http://a.com/\nhttp:///\n');
  writeFileSync(second!, '\ufeffhttp://b.com/\nhttp:///\n');
  const { status, stdout, stderr } = urlsum(['expressions', first!, second!]);
  assert.equal([status, stdout.toString()], [1, '1\ta.com/\n3\tb.com/\n']);
  assert.ok(stderr.includes('first:2: ') && stderr.includes('second:2: '), stderr);
});

tests('a line longer than the memory of the kernel', () => {
  const path = `/${'x'.repeat(3_000_000)}`;
  const { stdout } = urlsum(['expressions', '--hash'], `http://a.com${path}\nhttp://b.com/\n`);
  const rows = [
    [1, `a.com${path}`],
    [1, 'a.com/'],
    [2, 'b.com/'],
  ] as const;
  assert.ok(stdout.toString() === rows.map(([row, each]) => `${row}\t${each}\t${sha256(each)}\n`).join(''));
});

tests('--explain shows each step and where the readings differ', () => {
  const { status, stdout } = urlsum(['expressions', '--explain', ' http://GOOD.com%252F@1.evil.com/a/..%2f\t#f']);
  const text = stdout.toString();
  assert.is(status, 0);
  for (const step of [
    / path +http:\/\/good\.com\/@1\.evil\.com\/\n +dot segments resolved: .* to canonicalize the path \(1\)\n/,
    /safe-browsing spec +http:\/\/good\.com\/@1\.evil\.com\/\n/,
    /web-risk browser +http:\/\/1\.evil\.com\/\n/,
    new RegExp(`evil\\.com/ +${sha256('evil.com/')}  web-risk browser, safe-browsing browser\n`),
  ])
    assert.match(text, step);
  assert.match(
    urlsum(['expressions', '--explain', 'http://a.com/']).stdout.toString(),
    new RegExp(`a\\.com/ +${sha256('a.com/')}  all\n`),
  );
  mustGive(urlsum(['expressions', '--explain', 'mailto:x']), {
    status: 1,
    stdout:
      /rejected +its scheme is not followed by \/\/ and a host: "mailto", at character 1 \(scheme-without-authority\)/,
  });
});

const lines = corpusLines('main').filter((_, index) => index % 50 === 0);
if (lines.length > 0) {
  tests(`${lines.length} real lines, as the library gives them`, () => {
    const text = lines.map((line) => `${line}\n`).join('');
    const rows = urlsum(['expressions', '--mode', 'union'], text).stdout.toString().trimEnd().split('\n');
    const expected = lines.flatMap((line, index) => {
      try {
        return expressions(line, { mode: 'union' }).map((each) => `${index + 1}\t${each}`);
      } catch {
        return []; // a line that is not a URL gives no rows
      }
    });
    assert.ok(rows.length > 4 * lines.length);
    assert.equal(rows, expected);
    const canonical = urlsum(['canon', '--profile', 'safe-browsing'], text).stdout.toString().split('\n');
    for (const [index, line] of lines.entries()) {
      if (canonical[index] !== '') assert.is(canonical[index], canonicalize(line));
    }
  });
}

tests('a batch whose lines take more than the module has room for, and a row that does alone', () => {
  const url = 'http://a.b.c.d.e.f.example.com/1/2/3/4/5.html?param=1';
  const lines = Array.from({ length: 1000 }, (_, row) => `${url}${row % 300 === 7 ? 'x'.repeat(80_000) : row}`);
  const text = `http://alone/${'y'.repeat(200_000)}\n${lines.map((line) => `${line}\n`).join('')}`;
  const { stdout } = urlsum(['expressions', '--hash'], text);
  assert.ok(stdout.length > WRITTEN_BYTES);
  assert.ok(stdout.equals(urlsum(['expressions', '--hash', '--kernel', 'js'], text).stdout));
});

tests.run();
