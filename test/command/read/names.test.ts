import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER, file } from '../../scratch.ts';
import { textOf } from '../command.ts';

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
  assert.match(urlsum(['--csv', '-f', 'url', '--canonical'], CSV).stdout, /^id,url,urlsum,canonical\n/);
  const cdxj = `k 2026 ${RECORD}`;
  assert.match(urlsum(['--cdx', '--hash-name', 'key'], cdxj).stdout, /,"key":"0f115db062b7c0dd"\}\n$/);
  const long = 'x'.repeat(500);
  for (const kernel of ['simd', 'js'])
    assert.is(
      urlsum(['--json', 'url', '--hash-name', long, '--kernel', kernel], RECORD.repeat(3)).stdout,
      `{"id":1,"url":"HTTPS://example.com","${long}":"${KEY}"}\n`.repeat(3),
    );
  assert.match(urlsum(['--hash-name', 'key'], 'http://a/\n').stderr, /--hash-name needs records/);
  const renamed = urlsum(['--csv', '-f', 'url', '--hash-name', 'id'], CSV);
  assert.equal([renamed.status, renamed.stdout], [2, '']);
});

tests('other commands write no name twice either', () => {
  for (const args of [['canon'], ['hashed-uri'], ['hash-uri', 'find'], ['canon', '--profile', 'safe-browsing']]) {
    const once = textOf([...args, '--json', 'url'], RECORD).stdout;
    const twice = textOf([...args, '--json', 'url'], once);
    assert.equal([twice.status, twice.stdout], [2, ''], args.join(' '));
    assert.match(twice.stderr, /it already has a member "urlsum_[a-z-]+": rename that one\n$/);
    const table = textOf([...args, '--csv', '-f', 'url'], CSV).stdout;
    assert.is(textOf([...args, '--csv', '-f', 'url'], table).status, 2, args.join(' '));
  }
});

tests('a field that no record has is an error that names those of the first, whatever bad lines may be', () => {
  const many = `\n${RECORD.repeat(3000)}not JSON\n`;
  for (const threads of THREADS)
    for (const args of [['--exit-zero'], [], ['--quiet', '--skip-blank']]) {
      const { status, stderr } = urlsum(['--json', 'uri', '-j', threads, ...args], many);
      assert.is(status, 2);
      assert.match(stderr, 'urlsum: -: no record has a string in the field "uri"; the first has "id", "url"\n');
    }
  const number = urlsum(['--json', 'id', '--exit-zero'], RECORD);
  assert.is(number.status, 2);
  assert.match(urlsum(['--json', 'uri'], '{}\n').stderr, 'in the field "uri"; the first has no members\n');
  assert.match(number.stderr, 'no record has a string in the field "id"; the first has 1 there\n');
  for (const [args, first] of [
    [['--json', 'uri'], 'no record has a string in the field "uri"; the first is not a JSON object'],
    [['--cdx'], 'it has no record of CDX or CDXJ: the first has 1 field, not 7, 9 or 11'],
  ] as const) {
    const none = urlsum([...args, '--exit-zero'], 'http://a/\n[1]\n');
    assert.is(none.status, 2);
    assert.match(none.stderr, `urlsum: -: ${first}\n`);
  }
  const log = urlsum(['--delimiter', ' ', '-f', '9', '--exit-zero'], 'a b\nc\n');
  assert.is(log.status, 2);
  assert.match(log.stderr, 'no record has a column 9: the first has 2 columns\n');
  assert.is(urlsum(['--json', 'uri', '--exit-zero'], `${RECORD}{"uri":"http://a/"}\n`).status, 0);
  assert.is(urlsum(['--json', 'uri', '--exit-zero'], '').status, 0);
  const [one, other] = [file('one.jsonl', RECORD), file('other.jsonl', '{"uri":"http://a/"}\n')];
  const two = urlsum(['--json', 'uri', '--exit-zero', one, other], '');
  assert.is(two.status, 2);
  assert.match(two.stderr, `${one}: no record has`);
});

tests('an array or JSON over several lines is refused in one sentence, with the command that makes lines', () => {
  const object = { url: 'http://a/', more: [{ a: 1 }] };
  const ARRAY = ['it is a JSON array, not one object per line', "jq -c '.[]'"] as const;
  const INDENTED = ['it is JSON over several lines, not one object per line', 'jq -c .'] as const;
  for (const [text, [sentence, program], isRead = true] of [
    [JSON.stringify([object, object]), ARRAY],
    [`${JSON.stringify([object])}\n`, ARRAY],
    [JSON.stringify([object, object], null, 2), ARRAY],
    [`[\n${JSON.stringify(object)},\n${JSON.stringify(object)}\n]\n`, ARRAY],
    [JSON.stringify([{ url: `http://${'x'.repeat(60_000)}` }]), ARRAY],
    [JSON.stringify(object, null, 2), INDENTED],
    [`\n\r\n ${JSON.stringify(object, null, 2)}`, INDENTED],
    [`\n${JSON.stringify([object], null, 2)}`, ARRAY],
    [`{ "more": [\n"a" ],\n"url": "http://a/" }\n`, INDENTED],
    [`["http://a/",\n"http://b/"]\n`, ['it is a JSON array of strings', "jq -r '.[]'"], false],
  ] as const)
    for (const threads of THREADS)
      for (const args of [['--json', 'url'], []]) {
        const path = file('whole.json', text);
        const { status, stdout, stderr } = urlsum([...args, '-j', threads, path], '');
        const rest = `| urlsum --width 8 -j ${threads}${isRead ? ' --json url' : ''}`;
        const expected = `urlsum: ${path}: ${sentence}; try: ${program} ${path} ${rest}\n`;
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

tests('an array of strings is refused with the command that makes a line of each', () => {
  const record = '{"url":"http://a/","x":{"out-links":["http://b/","http://c/"]}}\n';
  const { status, stderr } = urlsum(['--json', 'x.out-links', '--quiet'], record.repeat(3));
  assert.is(status, 2);
  const program = `jq -c 'del(.x["out-links"]) + {link: .x["out-links"][]}'`;
  const rest = '| urlsum --width 8 --quiet --json link\n';
  assert.match(stderr, `no record has a string in the field "x.out-links" but an array; try: ${program} ${rest}`);
  const objects = urlsum(['--json', 'links'], '{"links":[{"id":"x","href":"http://b/"}]}\n');
  assert.match(objects.stderr, "; try: jq -c 'del(.links) + {link: .links[]}' | urlsum --width 8 --json link.href\n");
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

tests.run();
