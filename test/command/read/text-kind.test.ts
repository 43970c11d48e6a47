import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { isJsonLines } from '../../../src/command/read/text-kind.ts';
import { file } from '../../support/scratch.ts';
import { textOf, urlsum } from '../command.ts';

const tests = suite('kinds of text');

const OBJECTS = '{"url":"http://a/"}\n { "a\\"b" : 1}\n{}\n';
const COMPLAINT = 'it is JSON lines; --json FIELD reads a field of them (docs/bulk.md#crawls-json-lines-cdx-cdxj)';

tests('JSON lines are refused, exit status 2, and the next input is read', () => {
  const path = file('objects.jsonl', OBJECTS);
  for (const args of [['--format', 'hex'], ['-j', '2', '--format', 'hex'], ['canon'], ['-c']]) {
    const { status, stdout, stderr } = urlsum([...args, path, '-'], '\ufeff{"a":1}\n{"b":2}\n');
    assert.is(status, 2, args.join(' '));
    assert.is(stdout.length, 0);
    assert.equal(stderr.split('\n').slice(0, 2), [`urlsum: ${path}: ${COMPLAINT}`, `urlsum: -: ${COMPLAINT}`]);
  }
  assert.is(urlsum([], gzipSync(OBJECTS)).stderr, `urlsum: -: ${COMPLAINT}\n`);
});

/** A call of each command that reads lines of URLs. */
const LINE_CALLS: Readonly<Record<string, readonly string[]>> = {
  '': ['-j', '2'],
  '--check': ['--check'],
  canon: ['canon'],
  expressions: ['expressions'],
  'hashed-uri': ['hashed-uri'],
  'hash-uri parse': ['hash-uri', 'parse'],
  index: ['index', '--out', '/dev/null'],
};
/** The commands that read any text, or say of each line what a tab in it means (test/look-ups, commands/list-build). */
const OF_TABS = ['hash-uri find', 'list build', 'lookup', 'safe-browsing check'];

tests('a command that reads lines is in one of these lists', async () => {
  const commands = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, command: await load() })));
  const names = commands.flatMap(({ name, command }) => ('plan' in command ? [name] : []));
  assert.equal(names.sort(), [...Object.keys(LINE_CALLS), ...OF_TABS].sort());
});

tests('rows of a table without a header, or with one that names no URL, are refused, not keyed as one URL each', () => {
  const complaint =
    'urlsum: -: it is a table; --csv, --tsv or --delimiter CHAR with -f COLUMN reads a column (docs/bulk.md#tables)\n';
  const rows = 'https://a.example/x\t200\nhttps://b.example/\t404\n';
  for (const input of [rows, `u\ts\n${rows}`, `"${rows}`, rows.replaceAll('\n', '\r\n'), `${rows}https://c.example/\n`])
    for (const args of [[], ...Object.values(LINE_CALLS)]) {
      const { status, stdout, stderr } = urlsum(args, input);
      assert.equal([status, stdout.length, stderr], [2, 0, complaint], `${args}: ${input}`);
    }
});

tests('a tab inside of a URL is removed where no table is likely', () => {
  const [one, other] = ['https://a.example/x\t200\n', 'https://b.example/\n'];
  for (const input of [one, one + other, other + one + one, `https://a.example/\t\n${one}${other}`]) {
    const { status, stdout } = urlsum(['canon'], input);
    assert.equal([status, stdout.toString()], [0, input.replaceAll('\t', '')]);
  }
  assert.is(urlsum(['canon', '-z'], 'http://a/x\t1\0http://b/\t2\0').stdout.toString(), 'http://a/x1\0http://b/2\0');
});

tests('JSON lines are read where lines may be any text, in columns, and between NULs', () => {
  assert.is(urlsum(['hash-uri', 'find'], OBJECTS).status, 1);
  assert.is(urlsum(['--tsv', '-f', '1', '--format', 'hex'], OBJECTS).stdout.toString().split('\n').length, 4);
  assert.is(urlsum(['-z', '--format', 'hex'], OBJECTS).stdout.toString(), '\0');
});

tests('lines that end in another way than is said are refused, not read as one URL', () => {
  const urls = ['http://a/', 'http://b/', ''];
  const inCr = 'it is lines that end in CR, not in LF; tr makes lines of them (docs/bulk.md#files-of-other-kinds)';
  const inLf = 'it is lines that end in LF, not in NUL; urlsum without -z reads them (docs/command.md#lines)';
  for (const [args, end, complaint] of [
    [[], '\r', inCr],
    [[], '\0', 'it is lines that end in NUL, not in LF; -z reads them (docs/command.md#lines)'],
    [['-z'], '\n', inLf],
    [['-z'], '\r\n', inLf],
    [['--csv', '-f', 'url'], '\r', inCr],
    [['--delimiter', ' ', '-f', '1'], '\r', inCr],
  ] as const) {
    const header = args.includes('url' as never) ? ['url', ...urls] : urls;
    const path = file('other-ends', header.join(end));
    for (const command of [[], ['canon'], ['index', '-o', '/dev/null'], ['-j', '2']]) {
      const { status, stdout, stderr } = urlsum([...command, ...args, path]);
      assert.equal([status, stdout.length, stderr], [2, 0, `urlsum: ${path}: ${complaint}\n`]);
    }
    assert.is(urlsum(['canon', ...args], gzipSync(header.join(end))).stderr, `urlsum: -: ${complaint}\n`);
  }
});

tests('one URL may be broken in two, and one line may have any bytes after the first', () => {
  for (const [args, input] of [
    [[], 'http://a/?\rb\nhttp://b/\rhttp://c/\n'],
    [['-z'], 'http://a/\nb\0http://b/\nhttp://c/\0'],
    [['--csv', '-f', '1'], 'http://a/,"http://b/\rhttp://c/"\n'],
    [['--csv', '-f', '1'], 'http://a/\rb\n'],
  ] as const)
    assert.is(urlsum(['--format', 'hex', ...args], input).status, 0, input);
});

tests('one object may stand above a list of URLs, and a list may begin with anything else', () => {
  for (const first of ['{"note":"x"}', '{', '{}', '{"', '', '  ', '[1]', '"http://a/"', '{http://a/}'])
    for (const threads of ['1', '2']) {
      const { stdout } = urlsum(['-j', threads, '--format', 'hex', file('list', `${first}\nhttp://a/\nhttp://b/\n`)]);
      assert.is(stdout.toString().trim().split('\n').length, stdout[0] === 0x0a ? 2 : 3, first);
    }
  const { stdout, status } = urlsum(['--format', 'hex'], '{"only":"line"}');
  assert.is(stdout.toString(), '\n');
  assert.is(status, 1);
});

tests('the answer does not depend on how much is there, once it is given', () => {
  const long = `{"a":"${'x'.repeat(70_000)}`;
  for (const [start, expected] of [
    [OBJECTS, true],
    ['{"a":1}\nhttp://a/\n{"a":1}\n', false],
    ['\n{"a":1}\n{"a":1}\n', false],
    ['http://a/\n', false],
    [long, true],
    ['{"a"', undefined],
    ['{"a":1}\n{"b":1}', undefined],
  ] as const) {
    const bytes = Buffer.from(start);
    const step = bytes.length > 1000 ? 997 : 1;
    let told: boolean | undefined;
    for (let length = 0; length <= bytes.length; length += step) {
      const found = isJsonLines(bytes.subarray(0, length));
      if (told === undefined) told = found;
      assert.is(found, told, `${start.slice(0, 20)}: ${length}`);
    }
    assert.is(isJsonLines(bytes), expected, start.slice(0, 20));
  }
});

tests('a first line that is not an object is answered before the second comes', async () => {
  const child = spawn(process.execPath, ['dist/esm/cli.js', '--format', 'hex'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write('{ http://a/\n');
  await once(child.stdout, 'readable');
  child.stdin.end('http://a/\n');
  assert.match(await text(child.stdout), /^\n[0-9a-f]{64}\n$/);
});

tests('an array or JSON over several lines is refused in one sentence', () => {
  const object = { url: 'http://a/', more: [{ a: 1 }] };
  const [ARRAY, INDENTED] = [
    'a JSON array; jq makes JSON lines of it',
    'JSON over several lines; jq makes JSON lines of it',
  ];
  for (const [text, kind] of [
    [JSON.stringify([object, object]), ARRAY],
    [`${JSON.stringify([object])}\n`, ARRAY],
    [JSON.stringify([object, object], null, 2), ARRAY],
    [`[\n${JSON.stringify(object)},\n${JSON.stringify(object)}\n]\n`, ARRAY],
    [JSON.stringify([{ url: `http://${'x'.repeat(60_000)}` }]), ARRAY],
    [JSON.stringify(object, null, 2), INDENTED],
    [`\n\r\n ${JSON.stringify(object, null, 2)}`, INDENTED],
    [`\n${JSON.stringify([object], null, 2)}`, ARRAY],
    [`{ "more": [\n"a" ],\n"url": "http://a/" }\n`, INDENTED],
    [`["http://a/",\n"http://b/"]\n`, 'a JSON array of strings; jq makes lines of it'],
    [`[["http://a/"],\n["http://b/"]]\n`, 'a JSON array of arrays; jq makes CSV of it'],
    [JSON.stringify({ log: { entries: [] } }), 'a HAR file; jq makes JSON lines of it'],
  ] as const)
    for (const threads of ['1', '2'])
      for (const args of [['--json', 'url'], []]) {
        const path = file('whole.json', text);
        const { status, stdout, stderr } = textOf([...args, '-j', threads, path]);
        const expected = `urlsum: ${path}: it is ${kind} (docs/bulk.md#files-of-other-kinds)\n`;
        assert.equal([status, stdout, stderr], [2, '', expected], text.slice(0, 100));
      }
  for (const first of ['[]', '{', '{"a":[', '[1]', ''])
    assert.is(textOf(['--json', 'url'], `${first}\n{"url":"http://a/"}\n`).stdout.split('\n').length, 3, first);
});

tests.run();
