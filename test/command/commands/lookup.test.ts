import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';
import { parquet } from '../parquet.ts';

const test = suite('urlsum lookup');
const next = random();
const at = (name: string) => join(FOLDER, name);

function build(name: string, entries: readonly string[], ...args: string[]): string {
  assert.is(urlsum(['list', 'build', '--out', at(name), ...args], entries.join('\n')).status, 0);
  return at(name);
}

const BAD = ['evil.example/login/', 'worse.example/', '1.2.3.4/x'];
const bad = build('bad.list', BAD);
const other = build('other.list', ['a.worse.example/', 'good.com/'], '--prefix', '32');

function lookup(args: readonly string[], input: string | Uint8Array = '') {
  const { status, stdout, stderr } = urlsum(['lookup', ...args], input);
  return { status, stdout, stderr, lines: stdout.toString().split('\n').slice(0, -1) };
}

test('prints the list, the expression and the line as given, and exits with 1', () => {
  const { status, lines, stderr } = lookup(
    ['--list', bad],
    'http://A.worse.example:80/x#y\nhttp://good.com/\nhttps://evil.example/login/now?q\r\nhttp://0x01020304/x\n',
  );
  assert.equal(lines, [
    `${bad}\tworse.example/\thttp://A.worse.example:80/x#y`,
    `${bad}\tevil.example/login/\thttps://evil.example/login/now?q`,
    `${bad}\t1.2.3.4/x\thttp://0x01020304/x`,
  ]);
  assert.equal([status, stderr], [1, '']);
});

test('every list that has a line is printed with it, in the order given', () => {
  const input = 'http://a.worse.example/\nhttp://good.com/\nhttp://worse.example/\n';
  const both = [`${bad}\tworse.example/`, `${other}\ta.worse.example/`];
  const alone = [`${other}\tgood.com/\thttp://good.com/`, `${bad}\tworse.example/\thttp://worse.example/`];
  for (const threads of ['1', '2']) {
    const found = lookup(['--list', bad, '--list', other, '-j', threads], input).lines;
    assert.equal(found, [...both.map((fields) => `${fields}\thttp://a.worse.example/`), ...alone]);
    const reversed = lookup(['--list', other, '--list', bad, '-j', threads], input).lines;
    assert.equal(reversed.slice(0, 2), [found[1], found[0]]);
  }
  const { stderr } = lookup(['--list', bad, '--list', other, '--stats=json'], input);
  assert.is((JSON.parse(stderr) as Record<string, unknown>)['matched'], 3);
});

test('a record comes out once for each list that has it', () => {
  const lists = ['--list', bad, '--list', other];
  const csv = 'n,url\n1,http://good.com/\n2,http://a.worse.example/\n';
  assert.equal(lookup([...lists, '--csv', '-f', 'url'], csv).lines, [
    'n,url,list,expression',
    `1,http://good.com/,${other},good.com/`,
    `2,http://a.worse.example/,${bad},worse.example/`,
    `2,http://a.worse.example/,${other},a.worse.example/`,
  ]);
  const found = lookup([...lists, '--json', 'url'], '{"url":"http://a.worse.example/"}\n').lines;
  assert.equal(
    found.map((line) => (JSON.parse(line) as Record<string, unknown>)['urlsum_list']),
    [bad, other],
  );
});

test('exit status: 0 only where every line was looked up and none is listed', () => {
  const good = 'http://good.com/\n';
  const listed = 'http://worse.example/\n';
  const unread = 'mailto:x@y\n';
  for (const [args, input, expected] of [
    [[], good, 0],
    [[], '', 0],
    [[], listed, 1],
    [[], unread, 2],
    [[], good + unread, 2],
    [[], unread + listed, 2],
    [[], '\n', 2],
    [['--skip-blank'], '\n', 0],
    [['--on-error', 'skip'], good + unread, 0],
    [['--on-error', 'skip'], unread + listed, 1],
    [['--on-error', 'fail'], good + unread, 2],
    [['--on-error', 'fail'], good, 0],
    [['--json', 'url'], '{"url":"http://good.com/"}\n{"uri":"http://worse.example/"}\n', 2],
    [['--json', 'url'], '{"url":"http://good.com/"}\n', 0],
    [[at('absent.txt')], '', 2],
  ] as const) {
    for (const threads of SCALE >= 10 || args.length === 0 ? ['1', '2'] : ['1']) {
      const { status, stderr } = lookup(['--list', bad, '-j', threads, ...args], input);
      assert.is(status, expected, `${args.join(' ')} ${JSON.stringify(input)} -j ${threads}`);
      if (expected === 2 && !args.some((arg) => arg === at('absent.txt')))
        assert.match(stderr, /^urlsum: -:\d+: [^\n]*\n(?:.*\n)*urlsum: 1 line was not looked up\n$/);
    }
  }
});

/** Lines in which a listed URL is hidden, the reason, and the option that reads it, if there is one. */
const HIDDEN: readonly (readonly [line: string, reason: string, ...option: string[]])[] = [
  ['GET http://worse.example/x HTTP/1.1', 'space-in-line', '--delimiter', ' ', '-f', '2'],
  [
    '10.0.0.7 - ann [24/Nov/2026:02:01:00 +0000] "GET http://worse.example/x HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11)"',
    'space-in-line',
    '--log',
  ],
  [
    '1286536308.779    180 10.0.0.7 TCP_MISS/200 411 GET http://worse.example/x - DIRECT/1.2.3.4 text/html',
    'space-in-line',
    '--log',
  ],
  [
    '2026-12-04\t21:02:31\tL\t3\t1.2.3.4\tGET\td.cloudfront.net\t/x\t200\t-\tM\t-\t-\tHit\tS\tworse.example\thttp',
    'tab-in-line',
    '--log',
  ],
  ['"http://worse.example/x"', 'text-before-scheme', '--csv', '-f', '1'],
  ['"1","http://worse.example/x"', 'text-before-scheme', '--csv', '-f', '2'],
  ['http://worse.example/x 200', 'space-in-line', '--delimiter', ' ', '-f', '1'],
  ['http://worse.example/x\t200', 'tab-in-line', '--tsv', '-f', '1'],
  ['2026-11-24T02:01:00Z http://worse.example/x', 'space-in-line', '--delimiter', ' ', '-f', '2'],
  ['{"url":"http://worse.example/x"}', 'text-before-scheme', '--json', 'url'],
  ['("worse.example")', 'neither-url-nor-host'],
  ['2026-11-24,http://worse.example/x', 'text-before-scheme', '--csv', '-f', '2'],
  ['2026/11/24,http://worse.example/x', 'text-before-scheme', '--csv', '-f', '2'],
  ['2026/11/24;http://worse.example/x', 'text-before-scheme', '--delimiter', ';', '-f', '2'],
  ['10.0.0.7|http://worse.example/x', 'text-before-scheme', '--delimiter', '|', '-f', '2'],
  ['2026-11-24,worse.example', 'neither-url-nor-host', '--csv', '-f', '2'],
  ['url=http%3A%2F%2Fworse.example%2Fx', 'text-before-scheme'],
  ['http://worse[.]example/x', 'bracket-in-host'],
  ['hxxp[:]//worse[dot]example/x', 'bracket-in-host'],
  ['http://worse[DOT]example/x', 'bracket-in-host'],
  ['hxxp:\\\\worse[.]example', 'scheme-without-authority'],
  ['http://a@worse[.]example/', 'bracket-in-host'],
  ['http[:]//a@worse.example/', 'bracket-in-host'],
  ['worse.example\rgood.com\r', 'line-end-in-line'],
  ['http://good.com http://worse.example/', 'space-in-line'],
  ['http://good.com/x"', 'quotation-mark'],
];

test('a line that may hide a URL is not looked up, says so, and an option reads it', () => {
  for (const [line, reason, ...option] of HIDDEN) {
    for (const threads of SCALE >= 10 || line === HIDDEN[0]![0] ? ['1', '2'] : ['1']) {
      const { status, lines, stderr } = lookup(['--list', bad, '-j', threads], `http://good.com/\n${line}\n`);
      assert.equal([status, lines], [2, []], line);
      const [first, ...rest] = stderr.split('\n');
      assert.match(first!, /^urlsum: -:2: (?:not looked|nothing to look) up: ".*": /, `${line} ${stderr}`);
      assert.ok(first!.includes(` (${reason})`), first);
      assert.equal(rest, ['urlsum: 1 line was not looked up', '']);
    }
    assert.is(lookup(['--list', bad, '--exit-zero'], `${line}\n`).status, 0, line);
    assert.is(lookup(['--list', bad, '--on-error', 'skip'], `${line}\n`).status, 0, line);
    if (option.length > 0) assert.is(lookup(['--list', bad, ...option], `${line}\n`).status, 1, line);
  }
  assert.is(lookup(['--list', bad], '\u00e2.example\n\u2603.example\n').status, 0);
});

test('--spaces allow looks up lines with spaces or tabs as one URL, and refuses what is not a URL all the same', () => {
  const allow = (line: string) => lookup(['--list', bad, '--spaces', 'allow'], `${line}\n`).status;
  for (const line of ['http://worse.example/a b', 'worse.example/a "b" c', 'http://worse.example/a\tb'])
    assert.equal([allow(line), lookup(['--list', bad], `${line}\n`).status], [1, 2], line);
  for (const [line, reason] of HIDDEN.filter(([line]) => !/^(?:http:\/\/(?:worse|good)\.\w+|2026)\//.test(line)))
    assert.is(allow(line), 2, `${line} ${reason}`);
});

test('white space around a URL, and a comma or a quotation mark within it, are no reason', () => {
  const input = ' http://good.com/ \n\thttp://good.com/a,b\r\nhttp://good.com/"x"y\n[::1]\n';
  mustGive(lookup(['--list', bad], input), { status: 0, stdout: '', stderr: '' });
});

test('what has a scheme in the path, a port or brackets elsewhere is a URL', () => {
  const input =
    'good.com/?u=http://b.example/\ngood.com:80//http://b.example/\ngood.com?http://b.example/\n' +
    'http://good.com/?to=a,http://b.example/\ngood.com#http://b.example/\nsvn+ssh://good.com/\n' +
    'http://[::1]/a[.]b\n[::1]:80\nhttp://a:b@good.com/\n_a.good.com\n';
  mustGive(lookup(['--list', bad], input), { status: 0, stdout: '', stderr: '' });
});

test('a spelling of a URL is looked up, whatever is escaped or left out by those who read it', () => {
  for (const line of [
    '\ufeffhttp://worse.example/',
    '%68ttp://worse.example/',
    'h%252574tp://worse.example/',
    'http%3A%2F%2Fworse.example%2Fx',
    'http:worse.example',
    'http:\\\\worse.example/',
    'http://a[.]b@worse.example/',
    'http://worse.example\\[.]/',
    'worse.example\\[dot]',
    `http://${'[.]'.repeat(1 << 20)}@worse.example/`,
  ])
    assert.is(lookup(['--list', bad], `http://good.com/\n${line}\n`).status, 1, line.slice(0, 100));
});

test('what browsers visit, or the page reads, is listed even where it is in doubt: doubt takes no match away', () => {
  for (const line of ['*.worse.example', 'http://{a.worse.example/', 'http://a,b.worse.example/', '%20.worse.example'])
    assert.is(lookup(['--list', bad], `${line}\n`).status, 1, line);
  for (const line of ['*.good.com', 'http://{a.good.com/', '%20.good.com'])
    assert.match(lookup(['--list', bad], `${line}\n`).stderr, /\(neither-url-nor-host\)/, line);
});

test('a line in which others end in NUL, CR or LF was not looked up, but a URL that is broken in two is', () => {
  for (const [args, end] of [
    [[], '\0'],
    [[], '\r'],
    [['-z'], '\n'],
    [['-z'], '\r\n'],
  ] as const) {
    const lineEnd = args.length === 0 ? '\n' : '\0';
    const input = ['http://good.com/', `good.com${end}http://worse.example/`, `good.com${end}worse.example`, ''].join(
      lineEnd,
    );
    const { status, stderr } = lookup(['--list', bad, ...args], input);
    assert.equal([status, stderr.split('(line-end-in-line)').length], [2, 3], stderr);
    assert.is(lookup(['--list', bad, ...args], `http://worse${end}.example/${lineEnd}`).status, end === '\0' ? 2 : 1);
  }
  const crLf = ['http://good.com/', 'http://good.com/\rhttp://worse.example/', 'http://good.com/', ''].join('\r\n');
  assert.match(
    lookup(['--list', bad], crLf).stderr,
    /^urlsum: -:2: not looked up: .*\(line-end-in-line\).*\n.*1 line was/,
  );
  const cell = 'url\n"http://good.com/\nhttp://worse.example/"\n';
  assert.match(
    lookup(['--list', bad, '--csv', '-f', 'url'], cell).stderr,
    /-:2: not looked up: .*\(line-end-in-line\)/,
  );
  assert.is(lookup(['--list', bad, '--json', 'url'], '{"url":"http://worse.\\nexample/"}\n').status, 1);
});

test('a field is one text: spaces and quotation marks belong to its URL, and what has no host first is not looked up', () => {
  const fields = [
    'http://worse.example/a b?c="d" e',
    'worse.example/"a"',
    'http://good.com/a b',
    'GET http://worse.example/x',
  ];
  const json = fields.map((url) => `${JSON.stringify({ url })}\n`).join('');
  const cells = file('cells.parquet', parquet([{ name: 'url', data: fields }]));
  for (const found of [lookup(['--list', bad, '--json', 'url'], json), lookup(['--list', bad, '-f', 'url', cells])]) {
    assert.equal([found.status, found.lines.length], [2, 2]);
    assert.match(
      found.stderr,
      /^urlsum: (?:-|.*\.parquet):4: not looked up: ".*": there is text before its scheme \(text-before-scheme\)/,
      found.stderr,
    );
  }
});

test('many lines, some of a log: each counts once, whatever is around it', () => {
  const urls = Array.from(
    { length: cases(4000) },
    () => ['http://worse.example/', 'http://good.com/', 'GET x y', ''][next(4)]!,
  );
  const count = (of: string) => urls.filter((each) => each === of).length;
  for (const threads of ['1', '2']) {
    const { lines, stderr } = lookup(['--list', bad, '-j', threads, '--quiet', '--stats=json'], urls.join('\n'));
    assert.is(lines.length, count('http://worse.example/'));
    const { invalidByReason } = JSON.parse(stderr.split('\n').find((line) => line.startsWith('{'))!);
    assert.is(invalidByReason['space-in-line'], count('GET x y'));
  }
});

test('a pipe that is closed early leaves lines that were not looked up: status 2', () => {
  const script = 'node dist/esm/cli.js lookup --list "$0" "$1" | head -n 1 > /dev/null; exit "$PIPESTATUS"';
  const path = file('listed.txt', 'http://worse.example/\n'.repeat(200_000));
  assert.is(spawnSync('bash', ['-c', script, bad, path]).status, 2);
});

test('--out appears even if some lines were not looked up: the status says so', () => {
  mustGive(lookup(['--list', bad, '--out', at('found.txt')], 'mailto:x\nhttp://worse.example/\n'), { status: 2 });
  assert.is(readFileSync(at('found.txt'), 'utf8'), `${bad}\tworse.example/\thttp://worse.example/\n`);
  lookup(['--list', bad, '--out', at('failed.txt'), '--on-error', 'fail'], 'mailto:x\n');
  assert.not(existsSync(at('failed.txt')));
});

test('neither reading can hide a host, unless one is asked for', () => {
  const hidden = 'http://good.com%2F@worse.example/\nhttp://worse.example\\@good.com/\n';
  assert.equal(lookup(['--list', bad], hidden).lines.length, 2);
  assert.equal(lookup(['--list', bad, '--mode', 'spec'], hidden).lines.length, 0);
  assert.equal(lookup(['--list', bad, '--mode', 'browser'], hidden).lines.length, 2);
});

test('the profile is that of the lists, and lists of two do not go together', () => {
  const risk = build('risk.list', ['co.uk/'], '--profile', 'web-risk');
  assert.is(lookup(['--list', risk], 'http://a.co.uk/\n').status, 1);
  assert.is(lookup(['--list', build('v5.list', ['co.uk/'])], 'http://a.co.uk/\n').status, 0);
  const { status, stderr } = lookup(['--list', bad, '--list', risk], '');
  assert.is(status, 2);
  assert.match(stderr, /risk\.list: its profile is web-risk; the first list has v5/);
  const io = build('io.list', ['github.io/']);
  assert.equal(
    [[], ['--icann-suffixes']].map((args) => lookup(['--list', io, ...args], 'http://a.github.io/\n').status),
    [0, 1],
  );
});

test('another Public Suffix List makes other expressions, and is named', () => {
  const suffixes = file('suffixes.dat', '// VERSION: 2026-01-02\n// ===BEGIN ICANN DOMAINS===\nevil.example\n');
  const list = build('suffix.list', ['evil.example/', 'example/']);
  assert.is(lookup(['--list', list], 'http://a.evil.example/\n').status, 1);
  assert.is(lookup(['--list', list, '--suffix-list', suffixes], 'http://a.evil.example/\n').status, 0);
  const { stderr } = lookup(['--list', list, '--suffix-list', suffixes, '--stats=json'], '');
  assert.match(String((JSON.parse(stderr) as Record<string, unknown>)['suffixList']), /2026-01-02/);
});

test('a list for one Public Suffix List is not looked up with another', () => {
  const suffixes = file('for.dat', '// VERSION: 2026-01-02\nexample\n');
  const list = build('for.list', ['evil.example/'], '--suffix-list', suffixes);
  const input = 'http://a.evil.example/\n';
  assert.is(lookup(['--list', list, '--suffix-list', suffixes], input).status, 1);
  assert.is(lookup(['--list', bad, '--list', list, '--suffix-list', suffixes], input).status, 1);
  const other = file('other.dat', '// VERSION: 2026-03-04\nevil.example\n');
  for (const [args, edition] of [
    [[], 'tldts/'],
    [['--list', bad], 'tldts/'],
    [['--suffix-list', other], 'psl/2026-03-04'],
    [['--explain', 'http://a.evil.example/'], 'tldts/'],
  ] as const) {
    const { status, lines, stderr } = lookup(['--list', list, ...args], input);
    assert.equal([status, lines], [2, []]);
    assert.match(stderr, `for.list: it was built with the Public Suffix List psl/2026-01-02, not ${edition}`);
  }
  const risk = build('for-risk.list', ['evil.example/'], '--profile', 'web-risk');
  const { status, stderr } = lookup(['--list', risk, '--suffix-list', suffixes], input);
  assert.is(status, 2);
  assert.match(stderr, /--suffix-list needs the profile safe-browsing, not web-risk/);
});

test('records that are listed pass through, with the list and the expression', () => {
  const csv = 'n,url\r\n1,http://good.com/\r\n2,"http://worse.example/a,b"\r\n3,mailto:x\r\n';
  const found = lookup(['--list', bad, '--csv', '-f', 'url'], csv);
  assert.equal(found.lines, ['n,url,list,expression\r', `2,"http://worse.example/a,b",${bad},worse.example/\r`]);
  assert.is(found.status, 2);
  const json = '{"url":"http://good.com/"}\n{"url":"http://worse.example/","n":1}\n';
  assert.equal(JSON.parse(lookup(['--list', bad, '--json', 'url'], json).lines.join()), {
    url: 'http://worse.example/',
    n: 1,
    urlsum_list: bad,
    urlsum_expression: 'worse.example/',
  });
  assert.is(lookup(['--list', bad, '-z'], 'http://worse.example/\0').lines.length, 0);
  assert.is(
    urlsum(['lookup', '--list', bad, '-z'], 'http://worse.example/\0').stdout.toString(),
    `${bad}\tworse.example/\thttp://worse.example/\0`,
  );
});

test('many lines: what the expressions say, on one thread or two, packed or not', () => {
  const entries = Array.from({ length: 100 }, () => `h${next(800)}.example/${['', 'a', 'a/', 'b?c'][next(4)]}`);
  const list = build('many.list', entries, '--prefix', '16');
  const urls = Array.from(
    { length: cases(8000) },
    () => `http://w.h${next(800)}.example/${['', 'a', 'a/b', 'b?c'][next(4)]}`,
  );
  const known = new Set(entries);
  const expected = urls.flatMap((url) => {
    const found = expressions(url).find((expression) => known.has(expression));
    return found === undefined ? [] : [`${list}\t${found}\t${url}`];
  });
  assert.ok(expected.length > 200 && expected.length < urls.length);
  const text = `${urls.join('\n')}\n`;
  for (const path of [file('many.txt', text), file('many.txt.gz', gzipSync(text))])
    for (const threads of ['1', '2']) assert.equal(lookup(['--list', list, '-j', threads, path]).lines, expected);
  const { stderr } = lookup(['--list', list, '--stats=json', at('many.txt')]);
  const { lines, matched, invalid, profile } = JSON.parse(stderr) as Record<string, unknown>;
  assert.equal([lines, matched, invalid, profile], [urls.length, expected.length, 0, 'safe-browsing']);
});

test('--explain: each expression of a URL, and the lists that have it', () => {
  const { lines, status } = lookup(['--list', bad, '--list', other, '--explain', 'http://a.worse.example/x']);
  assert.is(status, 1);
  assert.equal(
    lines.map((line) => line.replace(/ +[0-9a-f]{32}/, '')),
    ['a.worse.example/x', `a.worse.example/  ${other}`, 'worse.example/x', `worse.example/  ${bad}`],
  );
  assert.is(lookup(['--list', bad, '--explain', 'http://good.com/']).status, 0);
  mustGive(lookup(['--list', bad, '--explain', 'mailto:x']), { status: 2, says: /nothing to look up: "mailto:x"/ });
});

test('a second list without its own --list is not looked up as lines', () => {
  const { status, lines, stderr } = lookup(['--list', bad, other]);
  assert.equal([status, lines], [2, []]);
  assert.match(stderr, /other\.list: it is a list of prefixes; urlsum lookup --list reads it/);
});

test('a list that is missing, damaged or not a list gives no answer', () => {
  const damaged = file('damaged.list', readFileSync(bad).subarray(0, -1));
  for (const [args, message] of [
    [[], /lookup needs --list LIST/],
    [['--list', at('absent.list')], /absent\.list: no such file/],
    [['--list', damaged], /damaged\.list: file: not a list/],
    [
      ['--list', bad, '--list', at('many.txt')],
      /many\.txt: it is not a list; 'urlsum list build --out LIST \S*many\.txt' makes one of its lines/,
    ],
  ] as const) {
    const { status, stderr, lines } = lookup(args, 'http://worse.example/\n');
    assert.equal([status, lines], [2, []]);
    assert.match(stderr, message);
  }
});

test('--not prints the rows on no list as given, in every form of rows; what was not looked up is not among them', () => {
  for (const [args, input, expected, exit] of [
    [[], 'http://worse.example/\nHTTP://good.com\n', 'HTTP://good.com\n', 0],
    [[], 'http://good.com/\na b\n', 'http://good.com/\n', 2],
    [['--on-error', 'skip'], 'http://good.com/\na b\n', 'http://good.com/\n', 0],
    [
      ['--json', 'url'],
      '{"url":"http://worse.example/"}\n{"url":"http://b/"}\n{"url":null}\n',
      '{"url":"http://b/"}\n',
      2,
    ],
    [['--csv', '-f', 'url'], 'url,list\nhttp://worse.example/,1\nhttp://b/,2\n', 'url,list\nhttp://b/,2\n', 0],
  ] as const)
    for (const threads of ['1', '2']) {
      const { stdout, status } = urlsum(['lookup', '--list', bad, '--not', '-j', threads, ...args], input);
      assert.equal([stdout.toString(), status], [expected, exit], args.join(' '));
    }
});

test.run();
