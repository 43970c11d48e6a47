import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { decompress } from 'fzstd';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROFILE, UrlHasher } from '../../../src/index.ts';
import { PYTHON } from '../../python.ts';
import { cases, random, SCALE } from '../../seed.ts';
import { textOf } from '../files.ts';
import { FOLDER, file } from '../scratch.ts';

// What is written is read back by others: hyparquet and DuckDB, and by pyarrow and polars where they are installed.

const tests = suite('columnar files, read back');
const next = random();

type Row = Record<string, unknown>;

function written(format: 'arrow' | 'parquet', lines: readonly string[], ...options: string[]): string {
  const path = join(FOLDER, `${next(1e9)}.${format}`);
  const input = file('records.jsonl', `${lines.join('\n')}\n`);
  const { stderr, status } = textOf(['--format', format, '--quiet', '--exit-zero', '--out', path, ...options, input]);
  assert.is(status, 0, stderr);
  return path;
}

/** The rows of a Parquet file by hyparquet, its JSON as text. */
async function rowsByHyparquet(path: string): Promise<Row[]> {
  return parquetReadObjects({
    file: arrayBuffer(path),
    compressors: { ZSTD: (page, byteLength) => decompress(page, new Uint8Array(byteLength)) },
    parsers: { jsonFromBytes: (bytes) => bytes && Buffer.from(bytes).toString() },
  });
}

function arrayBuffer(path: string): ArrayBuffer {
  return new Uint8Array(readFileSync(path)).buffer;
}

async function rowsByDuckdb(query: string): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return (await connection.runAndReadAll(query)).getRowObjects() as Row[];
}

interface ReadBack {
  readonly types: Record<string, string>;
  readonly metadata: Record<string, string>;
  readonly rows: Row[];
}

/** What pyarrow, DuckDB and polars read of each file. */
function readByPython(...args: string[]): ReadBack[] {
  const { status, stdout, stderr } = spawnSync(PYTHON!, ['test/command/write/read_back.py', ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.is(status, 0, stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReadBack);
}

const HARD = [
  String.raw`{"url":"https://a.example/","status":200,"page":{"n":12345678901234567890123,"d":1.10,"e":1e999,"s":"\ud800x\ud83d\ude00\\ud800\udC00"},"mix":{"a":[]},"text":"\ud800 \ud83d\ude00 \u0000","long":9223372036854775807,"ok":true,"part":0.5,"dup":{"a":1,"a":2}}`,
  String.raw` { "url" : "https://b.example/","status":404,"page":null,"mix":7,"te\u0078t":"plain", "list" : [ 1 , {"b" : "}]\"" } ] ,"long":-5,"ok":false,"dup":1,"dup":[2]}` +
    '\t',
  String.raw`{"url":"no URL","status":-1,"page":{},"mix":"te\"xt","text":"ü","long":0,"part":2,"list":[]}`,
  String.raw`{"url":"https://c.example/","mix":false,"page":{"nul":"\u0000","c":"\u001f"},"\ud800":1,"\udbff":2}`,
  '{"url":"https://d.example/","list":[',
];

const HARD_COLUMNS: Record<string, readonly unknown[]> = {
  url: ['https://a.example/', 'https://b.example/', 'no URL', 'https://c.example/', null],
  status: [200n, 404n, -1n, null, null],
  page: [
    String.raw`{"n":12345678901234567890123,"d":1.10,"e":1e999,"s":"\ufffdx\ud83d\ude00\\ud800\ufffd"}`,
    null,
    '{}',
    String.raw`{"nul":"\u0000","c":"\u001f"}`,
    null,
  ],
  mix: ['{"a":[]}', '7', String.raw`"te\"xt"`, 'false', null],
  text: ['\ufffd \u{1f600} \0', 'plain', 'ü', null, null],
  long: [9223372036854775807n, -5n, 0n, null, null],
  ok: [true, false, null, null, null],
  part: [0.5, null, 2, null, null],
  dup: ['{"a":1,"a":2}', '[2]', null, null, null],
  list: [null, String.raw`[ 1 , {"b" : "}]\"" } ]`, '[]', null, null],
  '\ufffd': [null, null, null, 2n, null],
};

/** Without the columns of the hash. */
function hardRows(valueOf: (value: unknown, name: string) => unknown): Row[] {
  return Array.from({ length: HARD.length }, (_, row) =>
    Object.fromEntries(Object.entries(HARD_COLUMNS).map(([name, values]) => [name, valueOf(values[row], name)])),
  );
}

function withoutHash({ urlsum, urlsum_u64, urlsum_i64, ...row }: Row): Row {
  return row;
}

tests(
  'values, types and nulls: nested fields, halves of characters, long integers, a field of several kinds',
  async () => {
    const path = written('parquet', HARD, '--json', 'url', '--types');
    const { schema, key_value_metadata: metadata } = parquetMetadata(arrayBuffer(path));
    assert.equal(metadata?.[0], { key: 'urlsum.profile', value: PROFILE });
    assert.equal(
      schema
        .filter(({ logical_type }) => logical_type?.type === 'JSON')
        .map(({ name, converted_type }) => [name, converted_type]),
      ['page', 'mix', 'dup', 'list'].map((name) => [name, 'JSON']),
    );
    const found = await rowsByHyparquet(path);
    assert.equal(
      found.map(withoutHash),
      hardRows((value) => value),
    );
    const keys = new UrlHasher({ width: 8 }).hashMany(HARD_COLUMNS['url']!.map(String));
    assert.equal(
      found.map(({ urlsum_u64 }) => urlsum_u64),
      Array.from(keys.words, (word) => (word === 0n ? null : word)),
    );
    // DuckDB checks all JSON that it reads
    const duck = await rowsByDuckdb(`SELECT * EXCLUDE (urlsum, urlsum_u64, urlsum_i64) FROM '${path}'`);
    assert.equal(
      duck,
      hardRows((value) => value),
    );
    const [inside] = await rowsByDuckdb(`SELECT page.n::VARCHAR AS n, typeof(page) AS type FROM '${path}' LIMIT 1`);
    assert.equal(inside, { n: '12345678901234567890123', type: 'JSON' });
  },
);

if (PYTHON !== undefined)
  tests('the same by pyarrow and polars, and as Arrow', () => {
    const paths = (['parquet', 'arrow'] as const).map((format) => written(format, HARD, '--json', 'url', '--types'));
    const expected = hardRows((value) => (typeof value === 'bigint' ? String(value) : value));
    const hexed = hardRows((value, name) => {
      const isJson = ['page', 'mix', 'dup', 'list'].includes(name) && typeof value === 'string';
      if (isJson) return Buffer.from(value as string).toString('hex');
      return typeof value === 'bigint' ? String(value) : value;
    });
    const all = readByPython(...paths);
    assert.is(all.length, 6);
    for (const [index, { types, rows, metadata }] of all.entries()) {
      const isBinary = index === 2; // polars knows JSON in Arrow alone
      assert.equal(rows.map(withoutHash), isBinary ? hexed : expected, `${index}`);
      if (index % 3 === 0) assert.is(metadata['urlsum.profile'], PROFILE);
      if (index % 3 === 0) assert.equal([types['page'], types['long']], ['extension<arrow.json>', 'int64']);
      if (index % 3 === 1) assert.equal([types['page'], types['long']], ['JSON', 'BIGINT']);
    }
  });

if (PYTHON !== undefined)
  tests('columns of Parquet keep their types and values, in Parquet and as Arrow', () => {
    const source = join(FOLDER, 'types.parquet');
    readByPython('make', source);
    const copies = (['parquet', 'arrow'] as const).map((format) => {
      const copy = join(FOLDER, `types.copy.${format}`);
      const { status, stderr } = textOf(['--column', 'url', '--format', format, '--out', copy, source]);
      assert.is(status, 0, stderr);
      return copy;
    });
    readByPython('equal', source, ...copies);
  });

const NAMES = ['a', 'ü', 'a"\\', '', 'long name', '__proto__', 'page.url'];

function randomText(): string {
  return Array.from(
    { length: next(9) },
    () => ['a', '"', '\\', '\n', 'ü', '\u{1f600}', '\ud800', ',', '}', ']'][next(10)],
  ).join('');
}

function randomValue(depth: number): unknown {
  const kind = next(depth > 3 ? 5 : 7);
  if (kind === 5) return Array.from({ length: next(4) }, () => randomValue(depth + 1));
  if (kind === 6)
    return Object.fromEntries(NAMES.slice(next(NAMES.length)).map((name) => [name, randomValue(depth + 1)]));
  return [null, next(2) === 0, next(1e6) - 5e5, (next(1e6) - 5e5) / 64, randomText()][kind];
}

/** Spells a value with white space where it may be. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) =>
    token.startsWith('"') || next(3) > 0 ? token : `${' \t'[next(2)]}${token} `,
  );
}

/** What a value is in a column: JSON where any of the column is nested. */
function cellOf(value: unknown, isJson: boolean): unknown {
  if (value === undefined || value === null) return null;
  if (isJson) return JSON.parse(JSON.stringify(value).replaceAll('\\ud800', '\\ufffd')) as unknown;
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : String(value);
}

tests('random records are what JSON.parse reads, in any white space', async () => {
  for (let round = 0; round < cases(10); round++) {
    const records = Array.from({ length: 50 }, () => {
      const more = NAMES.filter((name) => name !== '__proto__' && next(3) > 0).map(
        (name) => [name, randomValue(next(3))] as const,
      );
      return new Map<string, unknown>([['url', 'https://a.example/'], ...more]);
    });
    const jsonOf = (record: Map<string, unknown>) =>
      `{${Array.from(record, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
    const path = written('parquet', records.map(jsonOf).map(spaced), '--json', 'url');
    const metadata = parquetMetadata(arrayBuffer(path));
    const columns = metadata.schema.slice(1, -3);
    const names = new Set(records.flatMap((record) => [...record.keys()]));
    assert.equal(
      columns.map(({ name }) => name),
      [...names],
      'in the order first seen',
    );
    const rows = await rowsByHyparquet(path);
    for (const { name, logical_type } of columns) {
      const isNested = records.some((record) => typeof record.get(name) === 'object' && record.get(name) !== null);
      assert.is(logical_type?.type, isNested ? 'JSON' : 'STRING');
      const found = rows
        .map((row) => row[name])
        .map((cell) => (isNested && cell !== null ? JSON.parse(String(cell)) : cell));
      assert.equal(
        found,
        records.map((record) => cellOf(record.get(name), isNested)),
        name,
      );
    }
    assert.is((await rowsByDuckdb(`FROM '${path}'`)).length, records.length, 'DuckDB checks all JSON');
  }
});

tests('very deep nesting stays; 10^5 names are an error in bounded memory, and nothing is written', async () => {
  const depth = 100_000;
  const deep = `{"url":"https://a.example/","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const path = written('parquet', [deep], '--json', 'url');
  const [row] = await rowsByDuckdb(`SELECT length(deep) AS length FROM '${path}'`);
  assert.is(Number(row!['length']), 2 * depth);
  const lines = Array.from({ length: 100_000 }, (_, index) => `{"url":"https://a.example/","name${index}":{"a":1}}`);
  const [input, out] = [file('names.jsonl', lines.join('\n')), join(FOLDER, 'names.parquet')];
  const { status, stderr, peakBytes } = spawnedPeak(['--json', 'url', '--format', 'parquet', '--out', out, input]);
  assert.is(status, 2);
  assert.match(stderr, /more than 1000 different names/);
  assert.not.ok(existsSync(out));
  assert.ok(peakBytes < 150e6, `${peakBytes}`);
});

tests('a row group of records stays small, and so does memory', () => {
  const lines = Array.from({ length: cases(60_000) }, (_, index) =>
    JSON.stringify({
      url: `https://a.example/${index}`,
      page: { status: index % 7, text: `${next(1e9)}`.repeat(20) },
      index,
    }),
  );
  const [input, out] = [file('many.jsonl', lines.join('\n')), join(FOLDER, 'many.parquet')];
  const { status, peakBytes } = spawnedPeak(['--json', 'url', '--format', 'parquet', '--out', out, input]);
  assert.is(status, 0);
  const { row_groups: groups, num_rows } = parquetMetadata(arrayBuffer(out));
  assert.is(Number(num_rows), lines.length);
  assert.ok(groups.length >= 2);
  assert.ok(peakBytes < 300e6, `${peakBytes}`);
});

tests('columns of Parquet are carried over in little memory, with one page each', () => {
  // 145 to 180 MB, and 200 to 230 with threads; up to 40 more where garbage is collected as late as can be. With whole
  // pages in memory, 320 to 410.
  const [rowCount, limitBytes] = [SCALE > 1 ? 800_000 : 400_000, 250e6];
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  const text = (row: number) => (row % 9 === 0 ? null : `${row}-${`${next(1e9)}`.repeat(8)}`);
  const columnData = [
    { name: 'id', data: rows.map(BigInt), type: 'INT64' as const },
    { name: 'url', data: rows.map((row) => `https://a.example/${text(row)}`), type: 'STRING' as const },
    { name: 'status', data: rows.map((row) => row % 5), type: 'INT32' as const },
    { name: 'title', data: rows.map(text), type: 'STRING' as const },
  ];
  const input = file(
    'page.parquet',
    new Uint8Array(parquetWriteBuffer({ columnData, pageSize: 1 << 30, rowGroupSize: rowCount })),
  );
  for (const [format, ...more] of [['parquet'], ['arrow'], ['arrow', '-j', '2']]) {
    const args = ['--column', 'url', '--format', format!, '--out', join(FOLDER, 'carried'), ...more, input];
    const { status, peakBytes } = spawnedPeak(args);
    assert.is(status, 0);
    const threadBytes = more.length > 0 ? 50e6 : 0;
    assert.ok(peakBytes < limitBytes + threadBytes, `${peakBytes} bytes: ${args.join(' ')}`);
  }
});

tests(
  'lists of 240 MB in a row group are carried over in little memory; a row of more than 128 MiB is refused',
  async () => {
    const copied = async (name: string, rows: string) => {
      const path = join(FOLDER, name);
      await rowsByDuckdb(`COPY (${rows}) TO '${path}' (ROW_GROUP_SIZE 100000, COMPRESSION snappy)`);
      return path;
    };
    const links = `[repeat('https://b.example/', 50) || i || '-' || j FOR j IN range(12)]`;
    const path = await copied(
      'lists.parquet',
      `SELECT 'https://a.example/' || i AS url, ${links} AS links FROM range(22000) AS rows(i)`,
    );
    const [group, ...others] = parquetMetadata(arrayBuffer(path)).row_groups;
    assert.ok(others.length === 0 && group!.total_byte_size > 200e6, `${group!.total_byte_size}`);
    const out = ['--out', join(FOLDER, 'lists.out')];
    const { status, peakBytes } = spawnedPeak(['--column', 'url', '--format', 'parquet', ...out, path]);
    assert.is(status, 0);
    assert.ok(peakBytes < 250e6, `${peakBytes}`);
    const large = await copied('row.parquet', `SELECT 'https://a.example/' AS url, range(5000000) AS numbers`);
    const { stderr } = textOf(['--column', 'url', '--format', 'arrow', ...out, large]);
    assert.match(stderr, /a row of its column "numbers" has more than 128 MiB\n$/);
  },
);

/**
 * Runs the command and says what memory it took at most, in the young generation of Node 20: newer ones double it. On
 * Linux, `maxRSS` begins with that of the process which started it, and a test has its rows in memory.
 */
function spawnedPeak(args: readonly string[]) {
  const peak = join(FOLDER, 'peak.mjs');
  file(
    'peak.mjs',
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const STATUS = '/proc/self/status';
process.on('exit', () => {
  const [, kibibytes] = existsSync(STATUS) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(STATUS, 'utf8')) : [];
  writeFileSync(process.env.PEAK, kibibytes ?? String(process.resourceUsage().maxRSS));
});`,
  );
  const command = ['--max-semi-space-size=16', '--import', peak, 'dist/esm/cli.js', ...args];
  const { status, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, PEAK: join(FOLDER, 'peak') },
  });
  return { status, stderr, peakBytes: Number(readFileSync(join(FOLDER, 'peak'), 'utf8')) * 1024 };
}

tests.run();
