import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostOf, siteOf, surtOf } from '../../../src/entries/site.ts';
import { type Options, tryCanonicalize } from '../../../src/index.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';
import { mustGive, spawned, textOf } from '../command.ts';

const tests = suite('urlsum --add');

const next = random();
const LINES = [
  'https://u@www.Bbc.co.uk:8080/a/?b#c',
  'http://a.github.io./',
  'mailto:x@y',
  'bad',
  ...Array.from({ length: 1000 }, () => mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next)),
].map((line) => line.toWellFormed().replace(/[\r\n\0"\\,\t]/g, ''));
const INPUT = `${LINES.filter((line) => line.trim() !== '').join('\n')}\n`;
const URLS = INPUT.trimEnd().split('\n');

const NAMES = ['surt', 'host', 'site'];
const FLAGS = ['--add', NAMES.join()];
type Row = readonly (string | null)[];

/** Returns what the library says of each line. */
function expectedOf(options: Options = {}): Row[] {
  return URLS.map((url) =>
    tryCanonicalize(url, options) === null
      ? [null, null, null]
      : [surtOf(url, options), hostOf(url, options), siteOf(url, options)],
  );
}

const EXPECTED = expectedOf();
const orNull = (text: string | undefined) => (text === '' || text === undefined ? null : text);
const fieldsOf = (record: Record<string, string | null>, prefix: string): Row =>
  NAMES.map((name) => record[`${prefix}${name}`] ?? null);
const objects = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>);

tests('tsv and ndjson, on one thread and on two, under every option of the form', () => {
  for (const [flags, options] of [
    [[], {}],
    [['--fold', 'www', '--sort-params'], { fold: ['www'], sortParams: true }],
  ] as [string[], Options][]) {
    const expected = expectedOf(options);
    for (const jobs of ['1', '2']) {
      const tsv = textOf(['--format', 'tsv', '-j', jobs, ...FLAGS, ...flags], INPUT).stdout;
      const columns = tsv
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
      assert.equal(
        columns.map((fields) => fields.slice(4).map(orNull)),
        expected,
      );
      const ndjson = textOf(['--format', 'ndjson', '-j', jobs, ...FLAGS, ...flags], INPUT).stdout;
      assert.equal(
        objects(ndjson).map((record) => fieldsOf(record, '')),
        expected,
      );
    }
  }
});

tests('JSON lines and tables', () => {
  const json = URLS.map((url) => `${JSON.stringify({ url })}\n`).join('');
  const records = objects(textOf(['--json', 'url', ...FLAGS], json).stdout);
  assert.equal(
    records.map((record) => fieldsOf(record, 'urlsum_')),
    EXPECTED,
  );
  const named = objects(textOf(['--json', 'url', '--hash-name', 'key', '--canonical', ...FLAGS], json).stdout);
  assert.equal(
    named.map((record) => fieldsOf(record, 'key_')),
    EXPECTED,
  );
  assert.equal(
    named.map((record) => record['key_canonical']),
    URLS.map((url) => tryCanonicalize(url)),
  );
  const [header, ...rows] = textOf(['--tsv', '-f', 'url', ...FLAGS], `url\n${INPUT}`)
    .stdout.trimEnd()
    .split('\n');
  assert.is(header, 'url\turlsum\turlsum_surt\turlsum_host\turlsum_site');
  assert.equal(
    rows.map((row) => row.split('\t').slice(2).map(orNull)),
    EXPECTED,
  );
});

tests('serve: the same, in RowBinary', () => {
  for (const [column, name] of NAMES.entries()) {
    const given = URLS.map((url) =>
      Buffer.concat([Buffer.from([0, ...varint(Buffer.byteLength(url))]), Buffer.from(url)]),
    );
    const answer = spawned(
      ['serve', '--nullable', '--output', name],
      Buffer.concat([Buffer.from(`${URLS.length}\n`), ...given]),
    ).stdout;
    const expected = EXPECTED.map((row) => {
      const text = row[column];
      return text == null
        ? Buffer.from([1])
        : Buffer.concat([Buffer.from([0, ...varint(text.length)]), Buffer.from(text)]);
    });
    assert.ok(answer.equals(Buffer.concat(expected)), name);
  }
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}

tests('what has no place for columns, and names that are none, are refused', () => {
  for (const [args, reason] of [
    [['--add', 'host'], /--add needs --format tsv or ndjson, or records/],
    [['--add', 'host', '--format', 'bin'], /--add needs/],
    [
      ['--add', 'hosts', '--format', 'tsv'],
      /--add must be some of host, site, surt, with commas between them, not 'hosts'/,
    ],
    [['--add', '', '--format', 'tsv'], /--add must be some of/],
  ] as const) {
    mustGive(textOf([...args], 'http://a/\n'), { status: 2, says: reason });
  }
});

tests.run();
