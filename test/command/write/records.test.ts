import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFraming } from '../../../src/command/commands/line-plan.ts';
import type { Framing, Records } from '../../../src/command/read/framing.ts';
import type { OnError } from '../../../src/command/work/results.ts';
import { hashStage } from '../../../src/command/work/urls.ts';
import { addedNames, openHashFormat } from '../../../src/command/write/hashes.ts';
import { RecordFormat } from '../../../src/command/write/records.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { LineBlocks } from '../../../src/core/bytes/lines.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, textOf } from '../command.ts';
import { written } from '../rows.ts';

const test = suite('records that gain fields');
const next = random();
const kernel = openKernel();

interface Kind {
  readonly records: Records;
  /** The record that says how many columns there are. */
  readonly first?: string;
  line(url: string): string;
}

/** A line of each kind, now and then one that is not a record, blank or a header. */
const KINDS: Readonly<Record<string, Kind>> = {
  json: {
    records: { kind: 'json', delimiter: '', column: 'url' },
    line: (url) =>
      ['[]', '{}', '', `{"url":${JSON.stringify(url)},"a":1 } `, `{"url":${JSON.stringify(url)}}`][next(5)]!,
  },
  cdx: {
    records: { kind: 'cdx', delimiter: ' ', column: '' },
    line: (url) =>
      [
        ' CDX N b a m s k r V g',
        `k 2026 ${url} text/html 200 X - 1 a.gz`,
        `k 2026 {"url":${JSON.stringify(url)}}`,
        `k 2026 {"url":${JSON.stringify(url)}}\t`,
        'k',
        '',
      ][next(6)]!,
  },
  csv: {
    records: { kind: 'csv', delimiter: ',', column: '2' },
    first: '1,http://a/',
    line: (url) => [`1,"${url.replaceAll('"', '""')}"`, `1,${url}`, '"a\nb",http://a/', '1', '"x"y,', ''][next(6)]!,
  },
  delimited: {
    records: { kind: 'delimited', delimiter: '|', column: '2' },
    first: '1|http://a/',
    line: (url) => [`1|${url}`, '1', ''][next(3)]!,
  },
};

interface Writing {
  readonly framing: Framing;
  readonly records: Records;
  readonly addsCanonical?: boolean;
  readonly onError?: OnError;
}

/** Returns what is written of blocks. */
async function outputOf(
  { framing, records, addsCanonical = false, onError = 'null' }: Writing,
  blocks: readonly Uint8Array[],
): Promise<string> {
  const added = addedNames({ canonical: addsCanonical, hashName: undefined });
  const format = openHashFormat(
    { kernel, lineEnd: LINE_FEED, records, added },
    { format: 'text' },
    { profile: '', formOf: (url) => canonicalForm(url) },
  );
  assert.instance(format, RecordFormat);
  const stage = hashStage({ kernel, width: 16, form: FULL_FORM }, onError);
  return written({ framing, stage, format, onError }, blocks).toString('latin1');
}

/** Blocks of whole rows, as the command cuts them where its input comes in such pieces. */
function cut(framing: Framing, text: Buffer, byteLength: number): Uint8Array[] {
  const lines = new LineBlocks(framing.cutter());
  const blocks: Uint8Array[] = [];
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(text.length, at + 1 + next(byteLength));
    blocks.push(lines.push(text.subarray(at, end)).slice());
  }
  return [...blocks, lines.end().slice()].filter(({ length }) => length > 0);
}

for (const [name, { records, first, line }] of Object.entries(KINDS)) {
  test(`${name}: written block by block as whole, whatever the cuts`, async () => {
    for (let round = 0; round < 60; round++) {
      const urls = SAMPLE_URLS.filter((url) => !/[\r\n]/.test(url) && (name !== 'cdx' || !url.includes(' ')));
      const others = Array.from({ length: next(40) }, () => line(urls[next(urls.length)]!));
      const lines = first === undefined ? others : [first, ...others];
      const text = Buffer.from(lines.join(['\n', '\r\n'][next(2)]) + ['', '\n', '\r\n', '\r'][next(4)]);
      const onError = (['null', 'keep', 'skip', 'fail'] as const)[round % 4]!;
      const framing = await openFraming({
        lineEnd: LINE_FEED,
        records,
        skipsBlank: next(2) === 0,
        isText: false,
        kernel,
      });
      const whole = text.length === 0 ? [] : [new Uint8Array(text)];
      const writing = { framing, records, addsCanonical: next(2) === 0, onError };
      const expected = await outputOf(writing, whole);
      if (onError === 'fail') continue; // the end of a run is kept elsewhere
      const pieces = cut(framing, text, 1 + next(200));
      assert.is(await outputOf(writing, pieces), expected, JSON.stringify(text.toString()));
    }
  });
}

const RECORD = '{"id":1,"url":"HTTPS://example.com"}\n';
const CSV = 'id,url\n1,HTTPS://example.com\n';
const KEY = '0f115db062b7c0dd';
const THREADS = ['1', '2'];

/** Runs with hashes of 8 bytes. */
const urlsum = (args: readonly string[], input: string) => textOf(['--width', '8', ...args], input);

test('what stood in a line stands in it still, byte for byte, before the new field', () => {
  const given = [' {"url":"https://a/"\t} ', '{"a":"\ud83d\ude00","url":"https://a/"}', '{"url":"https://a/"}'];
  const output = urlsum(['--json', 'url'], `${given.join('\r\n')}\r\n`).stdout.split('\r\n');
  for (const [row, line] of given.entries()) {
    assert.is(output[row]!.replace(/,"urlsum":"[0-9a-f]{16}"/, ''), line);
  }
});

test('a line that is not an object, or lacks the field, stays as it was; an empty object gains its first member', () => {
  const lines = ['[]', '{}', '{"a":{"url":1}}', 'x'];
  mustGive(urlsum(['--json', 'a.url'], `${lines.join('\n')}\n{"a":{"url":"HTTPS://example.com"}}`), {
    status: 1,
    stdout: `${lines.join('\n')}\n{"a":{"url":"HTTPS://example.com"},"urlsum":"${KEY}"}\n`,
    says: [1, 4].map((row) => `-:${row}: not a JSON object (malformed-record)\n`),
  });
  assert.match(urlsum(['--json', 'url', '--on-error', 'keep'], '{ }\n').stdout, /^\{ "urlsum":"[0-9a-f]{16}"\}\n$/);
});

test('a name that the first record has is an error before anything is written', () => {
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

test('a later record that has the name stays as it is, and is a bad line; so is one that spells it otherwise', () => {
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

test('--hash-name names the fields in every format', () => {
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

test('other commands write no name twice either', () => {
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

test('the canonical form has one name, in tables and in objects, whichever command adds it', () => {
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

test('--format line gives rows as they are, and takes no option that adds to them', () => {
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

test.run();
