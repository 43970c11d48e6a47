import { DuckDBInstance } from '@duckdb/node-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, PROFILE, UrlHash, UrlHasher } from '../../../src/index.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { urlsum } from '../command.ts';

const tests = suite('structured formats, read back by DuckDB');

/** Characters that a format may have to escape, in lines and in canonical forms; a line feed would end the line. */
const HOSTILE = [
  ...['http://a.example/s?\\', 'http://a.example/s?\\\t\\n\\', 'http://a.example/#\\"\'`|\\\\', 'x:\\\\"\''],
  ...['x:\u2028\u2029"\\', 'data:,\0\\0\x01\x1f\x7f', '\thttp://a.example/\t\\t\tb', 'http://a.example/\r?\\r\rx'],
  ...['bad\t\\\0"\u2028\r.', '"', '\\', '\\N', 'null', '\0', '\t', '\ufeffhttp://a.example/'],
  ...['http://a.example/\u{1f600}\u{e000}\ufffd'],
];

const next = random();
const LINES = [
  ...HOSTILE,
  ...Array.from({ length: 4000 }, () => mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next)),
  ...HOSTILE,
].map((line) => line.toWellFormed().replaceAll('\n', '').replace(/\r+$/, ''));
const INPUT = `${LINES.join('\n')}\n`;

interface Identity {
  readonly url: string;
  readonly canonical: string | null;
  readonly hash: string | null;
  readonly word: bigint | null;
}

const COLUMN = new UrlHasher().hashMany(LINES);
const EXPECTED: readonly Identity[] = LINES.map((url, row) => {
  const hash = COLUMN.hex(row);
  if (hash === undefined) return { url, canonical: null, hash: null, word: null };
  return { url, canonical: canonicalize(url), hash, word: COLUMN.words[4 * row]! };
});

/** The rows that a query finds in what the command writes in a format: `FILE` stands for it. */
async function rowsOf(format: string, query: string): Promise<Record<string, unknown>[]> {
  const { stdout, status } = urlsum(['--format', format], INPUT);
  assert.is(status, 1);
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(query.replace('FILE', `'${file(`hostile.${format}`, stdout)}'`));
  connection.closeSync();
  return reader.getRowObjectsJS();
}

function same(rows: readonly Partial<Record<keyof Identity, unknown>>[]): void {
  assert.is(rows.length, EXPECTED.length);
  for (const [index, row] of rows.entries()) {
    const expected = EXPECTED[index]!;
    for (const [name, value] of Object.entries(row))
      assert.is(value, expected[name as keyof Identity], `${name} of ${JSON.stringify(expected.url)}`);
  }
}

/** Texts come as hex of their bytes: what makes a string of them in JavaScript takes a byte order mark away. */
function textOf(hex: unknown): string | null {
  return hex === null ? null : Buffer.from(String(hex), 'hex').toString();
}

const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };

/** Reads a field as ClickHouse's TabSeparated and PostgreSQL's COPY do. */
function unescaped(field: string | null): string | null {
  if (field === null) return null;
  return field.replace(/\\(.)/gs, (_, letter: string) => UNESCAPED[letter] ?? `unknown escape \\${letter}`);
}

tests('tsv', async () => {
  const rows = await rowsOf(
    'tsv',
    `SELECT hex(encode(url)) AS url, hex(encode(canonical)) AS canonical, hash, profile
    FROM read_csv(FILE, delim = '\t', quote = '', escape = '', new_line = '\\n', header = false, auto_detect = false,
      nullstr = 'none of them', columns = { url: 'VARCHAR', canonical: 'VARCHAR', hash: 'VARCHAR', profile: 'VARCHAR' })`,
  );
  assert.ok(rows.every(({ profile }) => profile === PROFILE));
  same(
    rows.map(({ url, canonical, hash }) => ({
      url: unescaped(textOf(url)),
      canonical: unescaped(textOf(canonical)) || null,
      hash: hash || null,
    })),
  );
});

tests('tsv: what a text between NULs may hold is escaped, line feeds too', () => {
  const { stdout } = urlsum(['-z', '--format', 'tsv'], 'http://a/\n?\tb\0');
  assert.is(stdout.toString(), `http://a/\\n?\\tb\thttp://a/?b\t${UrlHash.of('http://a/?b').hex}\t${PROFILE}\0`);
});

tests('ndjson', async () => {
  const rows = await rowsOf(
    'ndjson',
    `SELECT hex(encode(url)) AS url, hex(encode(canonical)) AS canonical, hash, u64[1] AS word, profile, error
    FROM read_json(FILE, format = 'newline_delimited', columns = { url: 'VARCHAR', canonical: 'VARCHAR', hash: 'VARCHAR',
      u64: 'UBIGINT[]', profile: 'VARCHAR', error: 'VARCHAR' })`,
  );
  assert.ok(rows.every(({ profile, error, hash }) => profile === PROFILE && (error === null) === (hash !== null)));
  same(rows.map(({ url, canonical, hash, word }) => ({ url: textOf(url), canonical: textOf(canonical), hash, word })));
});

tests.run();
