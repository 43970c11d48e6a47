import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const tests = suite('the fields that records have, and those that they gain');

const RECORD = '{"id":1,"url":"HTTPS://example.com"}\n';
const CSV = 'id,url\n1,HTTPS://example.com\n';
const KEY = '0f115db062b7c0dd';
const THREADS = ['1', '2'];

/** Runs with hashes of 8 bytes. */
const urlsum = (args: readonly string[], input: string) => textOf(['--width', '8', ...args], input);

tests('a name that the first record has is an error before anything is written', () => {
  const twice = file('twice.jsonl', urlsum(['--json', 'url'], RECORD).stdout.repeat(3));
  const table = file('twice.csv', urlsum(['--csv', '-f', 'url'], CSV).stdout);
  for (const threads of THREADS) {
    for (const [args, name] of [
      [['--json', 'url', twice], 'member "urlsum"'],
      [['-f', 'url', table], 'column "urlsum"'],
    ] as const) {
      const { status, stderr } = urlsum([...args, '-j', threads, '--out', `${FOLDER}/none`], '');
      assert.is(status, 2);
      assert.is(stderr, `urlsum: ${args.at(-1)}: it already has a ${name}: choose another name with --hash-name\n`);
      assert.throws(() => readFileSync(`${FOLDER}/none`), /ENOENT/);
    }
    assert.is(urlsum(['--json', 'url', '-j', threads, twice], '').stdout, '');
    for (const [records, name] of [
      [`k 2026 ${RECORD}`, 'member'],
      [' CDX N b a m s k r V g\nk 2026 http://a/ text/html 200 X - 1 f\n', 'column'],
    ] as const) {
      const again = urlsum(['--cdx', '-j', threads], urlsum(['--cdx'], records).stdout);
      assert.equal([again.status, again.stdout], [2, '']);
      assert.is(again.stderr, `urlsum: -: it already has a ${name} "urlsum": choose another name with --hash-name\n`);
    }
  }
});

tests('a later record that has the name stays as it is, and is a bad line; so is one that spells it otherwise', () => {
  const taken = ['{"urlsum":0,"url":"http://a/"}', '{"url":"http://a/", "\\u0075rlsum" : null}'];
  const nested = '{"url":"HTTPS://example.com","more":{"urlsum":1},"urlsums":2}';
  for (const threads of THREADS) {
    const input = `${RECORD}${taken.join('\n')}\n${nested}\n`;
    const { status, stdout, stderr } = urlsum(['--json', 'url', '-j', threads], input);
    const [first, ...others] = stdout.split('\n');
    assert.is(first, `{"id":1,"url":"HTTPS://example.com","urlsum":"${KEY}"}`);
    assert.equal(others, [...taken, `${nested.slice(0, -1)},"urlsum":"${KEY}"}`, '']);
    assert.is(status, 1);
    assert.equal(
      stderr.match(/-:\d: it already has a member "urlsum": choose another name with --hash-name \(malformed-record\)/g)
        ?.length,
      2,
    );
  }
});

tests('--hash-name names the fields in every format', () => {
  const json = urlsum(['--json', 'url', '--hash-name', 'key'], `{"urlsum":1,${RECORD.slice(1)}`).stdout;
  assert.is(json, `{"urlsum":1,"id":1,"url":"HTTPS://example.com","key":"${KEY}"}\n`);
  const both = ['--canonical', '--hash-name', 'key'];
  assert.equal(JSON.parse(urlsum(['--json', 'url', ...both], RECORD).stdout), {
    id: 1,
    url: 'HTTPS://example.com',
    key: KEY,
    key_canonical: 'https://example.com/',
  });
  assert.is(
    urlsum(['--csv', '-f', 'url', ...both], CSV).stdout,
    `id,url,key,key_canonical\n1,HTTPS://example.com,${KEY},https://example.com/\n`,
  );
  assert.match(urlsum(['--csv', '-f', 'url', '--canonical'], CSV).stdout, /^id,url,urlsum,urlsum_canonical\n/);
  const cdxj = `k 2026 ${RECORD}`;
  assert.match(urlsum(['--cdx', '--hash-name', 'key'], cdxj).stdout, /,"key":"0f115db062b7c0dd"\}\n$/);
  const long = 'x'.repeat(500);
  for (const kernel of ['simd', 'js'])
    assert.is(
      urlsum(['--json', 'url', '--hash-name', long, '--kernel', kernel], RECORD.repeat(3)).stdout,
      `{"id":1,"url":"HTTPS://example.com","${long}":"${KEY}"}\n`.repeat(3),
    );
  assert.match(urlsum(['--hash-name', 'key'], 'http://a/\n').stderr, /--hash-name needs records/);
  mustGive(urlsum(['--csv', '-f', 'url', '--hash-name', 'id'], CSV), { status: 2, stdout: '' });
});

tests('other commands write no name twice either', () => {
  for (const args of [['canon'], ['hashed-uri'], ['hash-uri', 'find'], ['canon', '--profile', 'safe-browsing']]) {
    const once = textOf([...args, '--json', 'url'], RECORD).stdout;
    const twice = textOf([...args, '--json', 'url'], once);
    assert.equal([twice.status, twice.stdout], [2, ''], args.join(' '));
    assert.match(
      twice.stderr,
      /it already has a member "urlsum_[a-z-]+": (?:rename that one|choose another name with --hash-name)\n$/,
    );
    const table = textOf([...args, '--csv', '-f', 'url'], CSV).stdout;
    assert.is(textOf([...args, '--csv', '-f', 'url'], table).status, 2, args.join(' '));
  }
});

tests('an input with bad rows and none with a value ends with 2, and says what its first bad row has', () => {
  const many = `\n${RECORD.repeat(3000)}not JSON\n`;
  const lacking = 'the object has no string in the field "uri" but';
  for (const threads of THREADS)
    for (const args of [['--exit-zero'], [], ['--quiet']]) {
      const { status, stderr } = urlsum(['--json', 'uri', '--skip-blank', '-j', threads, ...args], many);
      assert.is(status, 2);
      const reason = `row 2: ${lacking} "id", "url" (malformed-record)`;
      assert.match(stderr, `urlsum: -: none of its 3002 rows has a value; ${reason}\n`);
    }
  for (const [args, input, complaint] of [
    [['--json', 'uri'], '{}\n', `1 row has a value; row 1: ${lacking} no members`],
    [['--json', 'id'], RECORD, '1 row has a value; row 1: the object has no string in the field "id" but 1'],
    [['--json', 'x'], '{"x":["http://a/"]}\n', 'the object has no string in the field "x" but an array'],
    [
      ['--json', 'uri'],
      'http://a/\n[1]\n',
      '2 rows has a value; row 1: not a JSON object (malformed-record); it seems to be lines of URLs: ',
    ],
    [['--json', 'uri'], CSV, 'it seems to be a table: --csv, --tsv'],
    [['--json', 'uri'], '192.0.2.1 - - [01/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 2\n', 'an access log: --log'],
    [['--json', 'uri'], ' CDX N b a\n', 'it seems to be the index of a web archive: --cdx reads it (docs/'],
    [['--cdx'], 'http://a/\n[1]\n', 'row 1: not a CDX record: it has 1 field, not 7, 9 or 11'],
    [['--cdx'], RECORD.repeat(2), 'it seems to be JSON lines: --json FIELD reads'],
    [['--delimiter', ' ', '-f', '9'], 'a b\nc\n', 'row 1: not a record with a column 9: it has 2 columns'],
    [['--csv', '-f', 'a'], 'a,b\n1\n1\n', 'row 2: not a record of this table: it has 1 column, not 2'],
    [['--log'], 'x\n- - - [x] "-" 408 -\n', 'row 1: not of a format that --log knows'],
  ] as const) {
    mustGive(urlsum([...args, '--exit-zero'], input), { status: 2, says: complaint }, input);
  }
  for (const [args, input] of [
    [['--json', 'uri'], `${RECORD}{"uri":"http://a/"}\n`],
    [['--json', 'uri'], ''],
    [['--csv', '-f', 'url'], 'id,url\n'],
    [['--log'], '#Version: 1.0\n'],
    [['--json', 'uri', '--skip-blank'], '\n \n'],
  ] as const)
    assert.is(urlsum([...args, '--exit-zero'], input).status, 0, input);
  const [one, other] = [file('one.jsonl', RECORD), file('other.jsonl', '{"uri":"http://a/"}\n')];
  const two = urlsum(['--json', 'uri', '--exit-zero', one, other], '');
  assert.is(two.status, 2);
  assert.match(two.stderr, `${one}: none of its 1 row has`);
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
    for (const threads of THREADS)
      for (const args of [['--json', 'url'], []]) {
        const path = file('whole.json', text);
        const { status, stdout, stderr } = urlsum([...args, '-j', threads, path], '');
        const expected = `urlsum: ${path}: it is ${kind} (docs/bulk.md#files-of-other-kinds)\n`;
        assert.equal([status, stdout, stderr], [2, '', expected], text.slice(0, 100));
      }
  for (const first of ['[]', '{', '{"a":[', '[1]', ''])
    assert.is(urlsum(['--json', 'url'], `${first}\n${RECORD}`).stdout.split('\n').length, 3, first);
});

tests('a.b is field b of a, or else the field of that name', () => {
  const [nested, literal] = ['{"page":{"url":"http://a/"}}', '{"page.url":"http://b/","page":null}'];
  const both = '{"page.url":"http://b/","page":{"url":"http://a/"}}';
  const args = ['--json', 'page.url'];
  const hexes = [...urlsum(args, `${nested}\n${literal}\n${both}\n`).stdout.matchAll(/"urlsum":"(\w+)"/g)];
  const [a, b] = ['http://a/', 'http://b/'].map((url) => urlsum(['--format', 'hex', url], '').stdout.trim());
  assert.equal(
    hexes.map(([, hex]) => hex),
    [a, b, a],
  );
});

tests('two columns of the name that is asked for: the numbers of both', () => {
  const table = 'url,n,url\nhttp://a/,1,http://b/\n';
  const { status, stdout, stderr } = urlsum(['--csv', '-f', 'url'], table);
  assert.equal([status, stdout], [2, '']);
  assert.is(stderr, 'urlsum: -: it has two columns "url": name one by its number, -f 1 or -f 3\n');
  assert.is(urlsum(['--csv', '-f', 'n', '--exit-zero'], table).status, 0);
});

tests('a table without its column is refused with what is missing', () => {
  assert.match(urlsum(['--csv', 'url'], CSV).stderr, /^urlsum: --csv needs --column, such as -f url\n/);
});

tests('the canonical form has one name, in tables and in objects, whichever command adds it', () => {
  for (const [option, form] of [
    [[], 'urlsum_canonical'],
    [['--hash-name', 'key'], 'key_canonical'],
  ] as const) {
    const inputs = [
      [['--csv', '-f', 'url'], CSV, `id,url,${form}\n1,HTTPS://example.com,https://example.com/\n`],
      [['--json', 'url'], RECORD, `{"id":1,"url":"HTTPS://example.com","${form}":"https://example.com/"}\n`],
    ] as const;
    for (const [reader, input, expected] of inputs) {
      assert.is(textOf(['canon', ...reader, ...option], input).stdout, expected);
      const added = urlsum(['--canonical', ...reader, ...option], input).stdout;
      assert.ok(added.includes(reader[0] === '--csv' ? `,${form}\n` : `"${form}":`), added);
    }
  }
  for (const command of [[], ['canon']])
    assert.match(textOf([...command, '--hash-name', 'key'], 'http://a/\n').stderr, /--hash-name needs records/);
});

tests('--format line gives rows as they are, and takes no option that adds to them', () => {
  const cdx =
    ' CDX N b a m s k r V g\nk 2026 http://a/ text/html 200 X - 1 f\nk 2027 HTTP://A:80/ text/html 200 X - 1 f\n';
  const kept = cdx.split('\n').slice(0, 2).join('\n');
  const taken = '{"url":"http://a/","urlsum":0}\n';
  for (const [args, input, expected] of [
    [['--cdx', '--dedup'], cdx, `${kept}\n`],
    [['--json', 'url'], taken, taken],
    [['--csv', '-f', 'url', '--on-error', 'skip'], 'url,urlsum\nno,1\nHTTP://a,2', 'url,urlsum\nHTTP://a,2\n'],
    [['--dedup'], 'http://a\nHTTP://a/\nno\n', 'http://a\nno\n'],
    [['--unseen', `${FOLDER}/line.idx`], 'http://a\nHTTP://a/\n', 'http://a\n'],
    [['--against', `${FOLDER}/line.idx`, '--not'], 'http://a\nhttp://b\n', 'http://b\n'],
  ] as const)
    for (const threads of THREADS)
      if (args[0] !== '--unseen' || threads === '1')
        assert.is(urlsum(['--format', 'line', '-j', threads, ...args], input).stdout, expected, args.join(' '));
  for (const option of [['--canonical'], ['--add', 'host'], ['--hash-name', 'key']])
    assert.match(
      urlsum(['--format', 'line', '--json', 'url', ...option], taken).stderr,
      /--format line adds nothing to rows: it goes without --add, --canonical and --hash-name\n/,
    );
});

tests.run();
