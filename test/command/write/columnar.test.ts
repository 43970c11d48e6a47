import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { decompress } from 'fzstd';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROFILE, UrlHasher } from '../../../src/index.ts';
import { urlsum } from '../command.ts';
import { FOLDER, file } from '../scratch.ts';

const tests = suite('urlsum --format arrow and parquet');

interface Record {
  readonly url: string;
  readonly hash: string | null;
  readonly u64: bigint | null;
  readonly i64: bigint | null;
}

const SAMPLE = readFileSync('bench/sample/urls.txt', 'utf8').trimEnd().split('\n').concat('http://ü/\u{1f600}', 'ü');

function expected(lines: readonly string[], width: 8 | 16 | 32): Record[] {
  const column = new UrlHasher({ width }).hashMany(lines);
  return lines.map((url, row) => {
    const hash = column.hex(row) ?? null;
    const u64 = hash === null ? null : column.words[(row * width) / 8]!;
    return { url, hash, u64, i64: u64 === null ? null : BigInt.asIntN(64, u64) };
  });
}

function arrowRecords(table: Table): Record[] {
  const [url, hash, u64, i64] = ['url', 'hash', 'u64', 'i64'].map((name) => table.getChild(name)!);
  return Array.from({ length: table.numRows }, (_, row) => {
    const bytes = hash!.get(row) as Uint8Array | null;
    return {
      url: url!.get(row) as string,
      hash: bytes && Buffer.from(bytes).toString('hex'),
      u64: u64!.get(row) as bigint | null,
      i64: i64!.get(row) as bigint | null,
    };
  });
}

async function parquetRecords(bytes: Buffer): Promise<Record[]> {
  const rows = await parquetReadObjects({ file: arrayBuffer(bytes), utf8: false, compressors: { ZSTD: unpacked } });
  return rows.map((row) => ({
    url: row['url'] as string,
    hash: row['hash'] ? Buffer.from(row['hash'] as Uint8Array).toString('hex') : null,
    u64: (row['u64'] as bigint) ?? null,
    i64: (row['i64'] as bigint) ?? null,
  }));
}

function unpacked(page: Uint8Array, byteLength: number): Uint8Array {
  return decompress(page, new Uint8Array(byteLength));
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function compareIntegers(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Of a statistic only the first sixteen bytes count: the package cuts longer ones there, a greatest one upwards. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1').slice(0, 15);
  return typeof value === 'string' ? Buffer.from(value).toString('latin1').slice(0, 15) : value;
}

for (const width of [8, 16, 32] as const) {
  tests(`arrow, ${width} bytes: read back by apache-arrow`, () => {
    const table = tableFromIPC(urlsum(['--format', 'arrow', '--width', `${width}`], SAMPLE.join('\n')).stdout);
    assert.is(
      String(table.schema),
      `Schema<{ 0: url: Utf8, 1: hash: FixedSizeBinary[${width}], 2: u64: Uint64, 3: i64: Int64 }>`,
    );
    assert.is(table.schema.metadata.get('urlsum.profile'), PROFILE);
    assert.equal(arrowRecords(table), expected(SAMPLE, width));
  });

  tests(`parquet, ${width} bytes: read back by hyparquet`, async () => {
    const { stdout } = urlsum(['--format', 'parquet', '--width', `${width}`], SAMPLE.join('\n'));
    const { schema, key_value_metadata: metadata } = parquetMetadata(arrayBuffer(stdout));
    assert.equal(
      schema.slice(1).map(({ name, type, type_length, converted_type }) => [name, type, type_length, converted_type]),
      [
        ['url', 'BYTE_ARRAY', undefined, 'UTF8'],
        ['hash', 'FIXED_LEN_BYTE_ARRAY', width, undefined],
        ['u64', 'INT64', undefined, 'UINT_64'],
        ['i64', 'INT64', undefined, undefined],
      ],
    );
    assert.equal(
      metadata?.filter(({ key }) => key === 'urlsum.profile'),
      [{ key: 'urlsum.profile', value: PROFILE }],
    );
    assert.equal(await parquetRecords(stdout), expected(SAMPLE, width));
  });
}

tests('many batches and row groups', async () => {
  const lines = Array.from({ length: 150_000 }, (_, row) => (row % 1000 === 999 ? 'bad' : `http://${row}.example/`));
  const path = file('lines', lines.join('\n'));
  const table = tableFromIPC(urlsum(['--format', 'arrow', '--width', '8', path]).stdout);
  assert.is(table.batches.length, 3);
  assert.equal(arrowRecords(table), expected(lines, 8));
  const parquet = urlsum(['--format', 'parquet', '--width', '8', path]).stdout;
  assert.is(parquetMetadata(arrayBuffer(parquet)).row_groups.length, 10);
  assert.equal(await parquetRecords(parquet), expected(lines, 8));
});

tests('statistics and null counts of each row group', () => {
  const lines = Array.from({ length: 70_000 }, (_, row) => (row % 7 === 3 ? `bad ${row}` : `http://${row}.example/`));
  const input = lines.concat('http://\u{1f600}/', 'http://\uffff/').join('\n');
  const { row_groups: groups } = parquetMetadata(arrayBuffer(urlsum(['--format', 'parquet'], input).stdout));
  const records = expected(input.split('\n'), 32);
  assert.is(groups.length, 5);
  for (const [index, { columns }] of groups.entries()) {
    const rows = records.slice(index * 16384, (index + 1) * 16384);
    const hashed = rows.filter(({ hash }) => hash !== null);
    const statistics = columns.map(({ meta_data }) => meta_data!.statistics!);
    assert.equal(
      statistics.map(({ null_count }) => null_count),
      [0, 1, 1, 1].map((share) => BigInt(share * (rows.length - hashed.length))),
    );
    const urls = rows.map(({ url }) => Buffer.from(url)).sort(Buffer.compare);
    const hashes = hashed.map(({ hash }) => Buffer.from(hash!, 'hex')).sort(Buffer.compare);
    const u64 = hashed.map((row) => row.u64!).sort(compareIntegers);
    const i64 = hashed.map((row) => row.i64!).sort(compareIntegers);
    for (const [column, sorted] of [urls.map(String), hashes, u64, i64].entries()) {
      const { min_value, max_value } = statistics[column]!;
      assert.equal([min_value, max_value].map(comparable), [sorted[0], sorted.at(-1)].map(comparable), `${column}`);
    }
  }
});

tests('no rows at all, --on-error skip and keep, --dedup, --zero', async () => {
  assert.is(tableFromIPC(urlsum(['--format', 'arrow'], '').stdout).numRows, 0);
  assert.is(parquetMetadata(arrayBuffer(urlsum(['--format', 'parquet'], '').stdout)).num_rows, 0n);
  const rows = (...args: string[]) =>
    arrowRecords(tableFromIPC(urlsum(['--format', 'arrow', ...args], 'http://a/\0bad\0HTTP://A\0').stdout));
  assert.equal(
    rows('-z', '--on-error', 'skip', '--dedup').map(({ url }) => url),
    ['http://a/'],
  );
  assert.ok(rows('-z', '--on-error', 'keep').every(({ hash }) => hash !== null));
  assert.equal(await parquetRecords(urlsum(['--format', 'parquet', '--on-error', 'skip'], 'x\ny\n').stdout), []);
});

tests('lines that are not UTF-8, and long ones', async () => {
  const long = `http://a/${'ü'.repeat(200)}`;
  const bytes = Buffer.concat([
    Buffer.from(`http://a/\n${long}\nhttp://\xfc/\n`, 'latin1'),
    Buffer.from(`${long}\nx\n`),
  ]);
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
  assert.ok(lines[1]!.includes('\ufffd') && !lines[3]!.includes('\ufffd'));
  assert.equal(arrowRecords(tableFromIPC(urlsum(['--format', 'arrow'], bytes).stdout)), expected(lines, 32));
  assert.equal(await parquetRecords(urlsum(['--format', 'parquet'], bytes).stdout), expected(lines, 32));
  const zero = bytes.toString('latin1').replaceAll('\n', '\0');
  const { stdout } = urlsum(['--format', 'arrow', '--zero'], Buffer.from(zero, 'latin1'));
  assert.equal(arrowRecords(tableFromIPC(stdout)), expected(lines, 32));
});

tests('without the package: exit status 2 and the command that installs it', () => {
  const folder = join(FOLDER, 'alone');
  mkdirSync(folder);
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  for (const [format, name] of [
    ['arrow', 'apache-arrow'],
    ['parquet', 'hyparquet-writer'],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'dist/esm/cli.js'), '--format', format], {
      input: 'http://a/\n',
      encoding: 'utf8',
    });
    assert.is(status, 2);
    assert.is(
      stderr,
      `urlsum: --format ${format} needs the package ${name}: npm install ${name}, with --global if urlsum is\n`,
    );
  }
});

tests.run();
