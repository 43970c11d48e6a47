import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { parquetMetadataAsync, type SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCodec } from '../../../src/command/read/parquet/codecs.ts';
import { Deltas, DeltaTexts } from '../../../src/command/read/parquet/deltas.ts';
import { openParquetFile } from '../../../src/command/read/parquet/file.ts';
import { PlainCells } from '../../../src/command/read/parquet/page-cells.ts';
import { pagesOf } from '../../../src/command/read/parquet/pages.ts';
import { ParquetRows } from '../../../src/command/read/parquet/parquet-rows.ts';
import { Runs } from '../../../src/command/read/parquet/runs.ts';
import { unpackSnappy } from '../../../src/command/read/parquet/snappy.ts';
import { UrlHasher } from '../../../src/index.ts';
import { ENVIRONMENT } from '../../environment.ts';
import { PYTHON } from '../../python.ts';
import { cases, random, randomBytes, SCALE } from '../../seed.ts';
import { spawned, urlsum } from '../command.ts';
import { textOf } from '../files.ts';
import { FOLDER, file } from '../scratch.ts';

const tests = suite('rows of Parquet files');
const next = random();

const keys = new UrlHasher();

/** The key of a URL's bytes, as hashRows gives it. */
function keyOf(url: string | Uint8Array): string | undefined {
  const bytes = Buffer.from(url);
  return keys.hashRows(bytes, Uint32Array.of(0, bytes.length)).hex(0);
}

const URLS = ['HTTP://a.example/a#b', null, 'no URL', 'https://b.example/ü', ''];
const COLUMNS: ColumnSource[] = [
  { name: 'id', data: [1n, 2n ** 62n, null, -1n, 0n], type: 'INT64' },
  { name: 'url', data: URLS, type: 'STRING' },
  { name: 'score', data: [1, 2.5, null, Number.NaN, -0], type: 'DOUBLE' },
  { name: 'ok', data: [true, false, null, true, true], type: 'BOOLEAN' },
  { name: 'at', data: Array(5).fill(new Date('2026-01-02T03:04:05.678Z')), type: 'TIMESTAMP' },
  { name: 'more', data: [{ a: ['\n"'] }, null, 1, 'x', []], type: 'JSON' },
  { name: 'text', data: ['\u0000"', 'a\nb', null, '💥', ''], type: 'STRING' },
];

type WriteOptions = Partial<Parameters<typeof parquetWriteBuffer>[0]>;

function parquet(columns: ColumnSource[], options: WriteOptions = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData: columns, ...options }));
}

const PATH = file('pages.parquet', parquet(COLUMNS));

/** Returns the records of a file, as the writers of columns get them. */
async function recordsOf(path: string, column = 'url') {
  const rows = new ParquetRows({ column, hasRecords: true, skipsBlank: false });
  const records: string[] = [];
  for await (const { block, state } of rows.blocksOf(path, () => undefined))
    for (const { rows: spans, length } of rows.batches(block, state))
      for (let row = 0; row < length; row++)
        records.push(Buffer.from(spans.bytes.subarray(spans.starts[row], spans.ends[row])).toString());
  return { fields: rows.fields, records };
}

tests('rows come out as lines do, with the same keys; a null is empty, and no bad line', () => {
  const lines = URLS.map((url) => url ?? '').join('\n');
  for (const format of ['text', 'hex', 'u64', 'tsv', 'bin'] as const) {
    const { stdout, stderr, status } = textOf(['--column', 'url', '--format', format, PATH]);
    assert.is(status, 1);
    assert.match(stderr, /pages\.parquet:3: not a URL: "no URL"/);
    assert.match(stderr, /pages\.parquet:5: /);
    assert.is(stderr.trim().split('\n').length, 2, 'the null is not reported');
    assert.is(stdout, textOf(['--format', format, '-'], `${lines}\n`).stdout, format);
  }
  const records = textOf(['--column', '2', '--format', 'ndjson', PATH]).stdout.trim().split('\n');
  const found = records.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(
    found.map(({ url, hash, error }) => [url, hash, error !== undefined]),
    URLS.map((url) => [url, keyOf(url ?? '') ?? null, url === 'no URL' || url === '']),
  );
});

tests('a URL comes as bytes: those that are not UTF-8 are read as in lines, and a line feed becomes a tab', () => {
  const urls = Array.from({ length: 500 }, () =>
    Buffer.concat([Buffer.from('http://a.example/'), randomBytes(next, 9)]),
  );
  const path = file('bytes.parquet', parquet([{ name: 'url', data: urls, type: 'BYTE_ARRAY' }]));
  const { stdout } = textOf(['--column', 'url', '--format', 'hex', path]);
  assert.equal(
    stdout.trimEnd().split('\n'),
    urls.map((url) => keyOf(url) ?? ''),
  );
  const fed = file('fed.parquet', parquet([{ name: 'url', data: ['http://a.example/b\nc'], type: 'STRING' }]));
  assert.is(textOf(['-f', 'url', fed]).stdout, `${keyOf('http://a.example/bc')}  http://a.example/b\tc\n`);
});

tests('the first bytes tell, under any name; threads, skipped and failing rows as of lines', () => {
  const plain = file('pages', parquet(COLUMNS));
  const whole = textOf(['--column', 'url', PATH]).stdout;
  assert.is(textOf(['--column', 'url', plain]).stdout, whole);
  assert.is(textOf(['-f', 'url', '-j', '2', plain]).stdout, whole);
  assert.is(textOf(['-f', 'url', '--on-error', 'skip', plain]).stdout.split('\n').length, 3 + 1, 'the null stays');
  assert.is(textOf(['-f', 'url', '--on-error', 'fail', plain]).stdout.split('\n').length, 2 + 1);
  assert.is(textOf(['-f', 'url', '--skip-blank', plain]).stdout.split('\n').length, 4 + 1, 'but blank it is');
});

tests('other commands that read tables', () => {
  const lines = URLS.filter((url) => url !== null && url !== '').join('\n');
  const [one, other] = [join(FOLDER, 'one.idx'), join(FOLDER, 'other.idx')];
  urlsum(['index', '--column', 'url', '--out', one, PATH]);
  urlsum(['index', '--out', other], lines);
  assert.equal(readFileSync(one), readFileSync(other));
  assert.is(textOf(['--column', 'url', '--dedup', '--quiet', PATH, PATH]).stdout.split('\n').length, 2 + 2 * 3 + 1);
  assert.is(textOf(['canon', '--column', 'url', PATH]).stdout, textOf(['canon'], `${URLS.join('\n')}\n`).stdout);
  assert.is(
    textOf(['expressions', '--column', 'url', '--on-error', 'skip', PATH]).stdout,
    textOf(['expressions', '--on-error', 'skip'], `${URLS.join('\n')}\n`).stdout,
  );
});

tests('records have all columns and their types', async () => {
  const { fields, records } = await recordsOf(PATH);
  assert.equal(fields, [
    { name: 'id', type: 'int', bits: 64 },
    { name: 'url', type: 'string' },
    { name: 'score', type: 'float', bits: 64 },
    { name: 'ok', type: 'boolean' },
    { name: 'at', type: 'timestamp', unit: 'millisecond', isUtc: true },
    { name: 'more', type: 'json' },
    { name: 'text', type: 'string' },
  ]);
  const at = Date.parse('2026-01-02T03:04:05.678Z');
  assert.equal(records, [
    `{"id":1,"url":"HTTP://a.example/a#b","score":1,"ok":true,"at":${at},"more":{"a":["\\n\\""]},"text":"\\u0000\\""}`,
    `{"id":${2n ** 62n},"url":null,"score":2.5,"ok":false,"at":${at},"more":null,"text":"a\\nb"}`,
    `{"id":null,"url":"no URL","score":null,"ok":null,"at":${at},"more":1,"text":null}`,
    `{"id":-1,"url":"https://b.example/ü","score":"NaN","ok":true,"at":${at},"more":"x","text":"💥"}`,
    `{"id":0,"url":"","score":-0,"ok":true,"at":${at},"more":[],"text":""}`,
  ]);
});

tests('a file without rows has its columns, too', async () => {
  const [id, url] = COLUMNS.slice(0, 2);
  const empty = file(
    'empty.parquet',
    parquet([
      { ...id!, data: [] },
      { ...url!, data: [] },
    ]),
  );
  assert.equal(await recordsOf(empty), {
    fields: [
      { name: 'id', type: 'int', bits: 64 },
      { name: 'url', type: 'string' },
    ],
    records: [],
  });
});

tests('a page of nulls alone, which packers make a byte of', async () => {
  const nulls = parquet([{ name: 'url', data: [null, null], type: 'STRING' }], { codec: 'SNAPPY' });
  const { records } = await recordsOf(file('nulls.parquet', nulls));
  assert.equal(records, ['{"url":null}', '{"url":null}']);
  for (const codec of ['SNAPPY', 'LZ4_RAW'] as const) {
    const { unpack } = await openCodec(codec);
    assert.is(unpack(Uint8Array.of(0), 0).length, 0, codec);
  }
});

/** A file of a row: a URL, and a column `m` of other elements of a schema. */
function elements(schema: SchemaElement[], value: unknown): string {
  const columns = [
    { name: 'url', data: ['http://a/'] },
    { name: 'm', data: [value] },
  ];
  const url = { name: 'url', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const;
  const bytes = parquetWriteBuffer({
    columnData: columns,
    schema: [{ name: 'root', num_children: 2 }, url, ...schema],
  });
  return file('elements.parquet', new Uint8Array(bytes));
}

tests('a map of which a text key is null is damaged, as no object of JSON has such', async () => {
  const map = elements(
    [
      { name: 'm', repetition_type: 'OPTIONAL', converted_type: 'MAP', num_children: 1 },
      { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
      { name: 'key', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
      { name: 'value', repetition_type: 'OPTIONAL', type: 'INT32' },
    ],
    [
      { key: 'a', value: 1 },
      { key: undefined, value: 2 },
    ],
  );
  assert.match(mustEnd(['--column', 'url', '--format', 'arrow', map]), /a map has a key that is null/);
});

tests('a type that is not stored as its values are', () => {
  const types: Partial<SchemaElement>[] = [
    { type: 'BYTE_ARRAY', converted_type: 'DATE' },
    { type: 'BYTE_ARRAY', converted_type: 'TIME_MILLIS' },
    { type: 'INT32', converted_type: 'DECIMAL', precision: 5, scale: -1 },
    { type: 'INT32', converted_type: 'DECIMAL', precision: 5, scale: 6 },
    { type: 'INT32', converted_type: 'DECIMAL', precision: 77, scale: 6 },
  ];
  for (const type of types) {
    const path = elements([{ name: 'm', repetition_type: 'REQUIRED', ...type }], type.type === 'INT32' ? 1 : 'a');
    assert.match(mustEnd(['--column', 'url', '--format', 'arrow', path]), /a column has no type, or one that/);
  }
});

tests('a column in 254 others, of which levels are bytes, and in one more', async () => {
  const nested = (depth: number) => {
    const group = { name: 'm', repetition_type: 'OPTIONAL', num_children: 1 } as const;
    const groups = Array.from({ length: depth }, () => group);
    return elements([...groups, { name: 'm', repetition_type: 'OPTIONAL', type: 'INT32' }], null);
  };
  assert.equal((await recordsOf(nested(254))).records, ['{"url":"http://a/","m":null}']);
  assert.match(mustEnd(['--column', 'url', '--format', 'arrow', nested(255)]), /a column is in more than 254 others/);
});

tests('a page that unpacks to more than its header says, whatever packs it', async () => {
  const packed = { GZIP: gzipSync('abcdef'), BROTLI: brotliCompressSync('abcdef'), LZ4_RAW: Buffer.from('\x60abcdef') };
  for (const [name, bytes] of Object.entries(packed)) {
    const { unpack } = await openCodec(name as keyof typeof packed);
    assert.is(Buffer.from(unpack(bytes, 6)).toString(), 'abcdef', name);
    assert.throws(() => unpack(bytes, 3), /a page unpacks to another length than its header says/, name);
  }
});

tests('pages and row groups of all sizes, with nulls, in lines and in records', async () => {
  for (let round = 0; round < cases(4); round++) {
    const urls = Array.from({ length: next(SCALE > 1 ? 20_000 : 8000) }, (_, at) =>
      next(5) === 0 ? null : `https://a.example/${next(2) * at}/${'x'.repeat(next(3000))}`,
    );
    const numbers = urls.map(() => (next(3) === 0 ? null : next(1000)));
    const columns: ColumnSource[] = [
      { name: 'n', data: numbers, type: 'INT32' },
      { name: 'url', data: urls, type: 'STRING' },
    ];
    const options: WriteOptions = {
      codec: (['UNCOMPRESSED', 'SNAPPY'] as const)[next(2)]!,
      rowGroupSize: [urls.length + 1, 1 + next(5000)][next(2)]!,
      pageSize: 1 << (10 + next(13)), // those of 2 MiB are cut
    };
    const path = file('parts.parquet', parquet(columns, options));
    const { stdout } = textOf(['--column', 'url', '--format', 'hex', path]);
    assert.ok(stdout === urls.map((url) => `${keyOf(url ?? '') ?? ''}\n`).join(''), `round ${round}`);
    const { records } = await recordsOf(path);
    const expected = urls.map((url, row) => JSON.stringify({ n: numbers[row], url }));
    assert.ok(records.join('\n') === expected.join('\n'), `round ${round}: ${urls.length} records`);
  }
});

tests('a large page is read and unpacked in pieces, whatever packs it', async () => {
  const urls = Array.from({ length: 40_000 }, (_, row) =>
    row % 9 === 0 ? null : `https://a.example/${row}/${`${next(1e9)}`.repeat(20)}`,
  );
  const fastest = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } };
  const compressors = { GZIP: gzipSync, BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes, fastest) };
  for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'] as const) {
    const options = { codec, compressors, pageSize: 1 << 30, rowGroupSize: urls.length };
    const path = file(
      'large.parquet',
      parquet([{ name: 'url', data: urls, type: 'STRING', encoding: 'PLAIN' }], options),
    );
    const readBytes: number[] = [];
    const source = await openParquetFile(path, (byteLength) => readBytes.push(byteLength));
    const { row_groups: groups } = await parquetMetadataAsync(source);
    const chunk = groups[0]!.columns[0]!.meta_data!;
    assert.ok(chunk.total_uncompressed_size > 6 << 20, 'one page of that size');
    readBytes.length = 0;
    const leaf = { type: 'BYTE_ARRAY', valueBytes: 0, maxRepetition: 0, maxDefinition: 1 } as const;
    const found: (string | null)[] = [];
    for await (const { cells } of pagesOf({ file: source, chunk, leaf, codec: await openCodec(codec) })) {
      assert.ok(cells instanceof PlainCells && cells.byteLength < PIECE_BYTES + 1000, codec);
      const values = Array.from({ length: cells.length }, (_, row) => cells.at(row) as Uint8Array | null);
      found.push(...values.map((value) => value && Buffer.from(value).toString()));
    }
    await source.close();
    assert.ok(Math.max(...readBytes) <= PIECE_BYTES, codec);
    assert.ok(JSON.stringify(found) === JSON.stringify(urls), codec);
  }
});

/** Bytes of a page that are read at a time, and unpacked. */
const PIECE_BYTES = 1 << 20;

tests('what cannot be read is said in a sentence, and --out is not written', () => {
  const whole = readFileSync(PATH);
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 20, 120);
  const encrypted = Buffer.concat([whole.subarray(0, -4), Buffer.from('PARE')]);
  const big = 'x'.repeat(1 << 27);
  const cases: [path: string, column: string, message: RegExp][] = [
    [PATH, 'link', /it has no column "link" but "id", "url", "score"/],
    [PATH, '8', /it has no column "8" but /],
    [PATH, 'id', /its column "id" is not text but INT64/],
    [file('cut.parquet', whole.subarray(0, -10)), 'url', /it is truncated: Parquet ends with PAR1/],
    [file('empty.parquet', ''), 'url', /it is not Parquet: it does not begin with PAR1/],
    [file('damaged.parquet', damaged), 'url', /it is damaged, or has what urlsum does not read: /],
    [file('locked.parquet', encrypted), 'url', /it is encrypted, which urlsum does not read/],
    [
      file('large.parquet', parquet([{ name: 'url', data: [big], type: 'STRING' }], { codec: 'SNAPPY' })),
      'url',
      /it has a page of 129 MiB, too much to read at once: write it anew in smaller row groups, by duckdb -c /,
    ],
    [join(FOLDER, 'none.parquet'), 'url', /no such file/],
  ];
  for (const [path, column, message] of cases)
    for (const format of ['text', 'arrow']) {
      const out = join(FOLDER, 'never');
      const { status, stderr } = textOf(['--column', column, '--format', format, '--out', out, path]);
      assert.is(status, 2, path);
      assert.match(stderr, message);
      assert.ok(stderr.startsWith(`urlsum: ${path}: `) && stderr.trim().split('\n').length === 1, stderr);
      assert.not.ok(existsSync(out), path);
    }
  assert.match(textOf(['-f', 'url', PATH, file('a.csv', 'url\n')]).stderr, /is Parquet, and another file is not/);
  assert.match(textOf([PATH]).stderr, /it is Parquet, not lines of text; try: urlsum --column url FILE/);
  for (const option of [['--canonical'], ['--hash-name', 'key']])
    assert.match(
      textOf(['-f', 'url', ...option, PATH]).stderr,
      `${option[0]} needs --format arrow or parquet where the input is Parquet: its rows are lines in others`,
    );
  assert.match(textOf(['-f', 'url', '--csv'], whole).stderr, /it is Parquet, not lines of text; try: /);
  const other = file('other.parquet', parquet([{ name: 'url', data: ['http://a/'], type: 'STRING' }]));
  assert.match(
    textOf(['-f', 'url', '--format', 'arrow', '--quiet', PATH, other]).stderr,
    /other\.parquet: its columns differ from those of the first file/,
  );
});

tests('without the package, a sentence says what to install', () => {
  const { status, stderr } = withoutPackages(['--column', 'url', PATH]);
  assert.is(status, 2);
  assert.is(
    stderr,
    `urlsum: ${PATH}: reading Parquet needs the package hyparquet: npm install hyparquet, with --global if urlsum is\n`,
  );
});

/** Runs the command where no package is found. */
function withoutPackages(args: readonly string[]) {
  const refusal = `export function resolve(name, context, next) {
    if (!name.startsWith('hyparquet')) return next(name, context);
    throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const loader = `data:text/javascript,${encodeURIComponent(refusal)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(loader)});`;
  return spawned(args, '', { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(register)}` });
}

/** Of a run with damaged files: each has some 10 ms of work. */
const TIME_LIMIT_MS = 180_000;

/** Runs the command in a process that is ended if it takes too long. */
function mustEnd(args: readonly string[]): string {
  const options = { encoding: 'utf8' as const, timeout: TIME_LIMIT_MS, env: ENVIRONMENT, maxBuffer: 1 << 28 };
  const { status, stderr, signal } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], options);
  assert.is(signal, null, `did not end: ${args.join(' ')}`);
  assert.ok([0, 1, 2].includes(status!), stderr);
  return stderr;
}

/** Has files that are damaged read in lines and in records. */
function mustEndOnDamage(damaged: readonly Uint8Array[]): void {
  const paths = damaged.map((bytes, index) => file(`damaged-${index}.parquet`, bytes));
  for (const more of [[], ['--format', 'arrow', '--out', join(FOLDER, 'damaged.arrow')]]) {
    const stderr = mustEnd(['--column', 'url', '--quiet', ...more, ...paths]);
    assert.not.match(stderr, / {4}at |internal|JavaScript heap/);
    assert.match(stderr, /damaged-\d+\.parquet: it is damaged/);
  }
}

/** Returns `count` copies of files, each with 1 to 4 bytes changed. */
function damagedCopies(paths: readonly string[], count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, round) => {
    const bytes = Buffer.from(readFileSync(paths[round % paths.length]!));
    for (let changes = 1 + next(4); changes > 0; changes--) bytes[4 + next(bytes.length - 8)] = next(256);
    return bytes;
  });
}

tests('damaged files end in a sentence, and soon', () => {
  const rows = Array.from({ length: 300 }, (_, row) => (row % 7 === 0 ? null : `http://a.example/${next(200)}`));
  const columns: ColumnSource[] = [
    { name: 'url', data: rows, type: 'STRING' },
    { name: 'n', data: rows.map((_, row) => row * row), type: 'INT32', encoding: 'DELTA_BINARY_PACKED' },
    { name: 'text', data: rows.map((url) => url ?? ''), type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
  ];
  const paths = (['UNCOMPRESSED', 'SNAPPY'] as const).map((codec) =>
    file(`${codec}.parquet`, parquet(columns, { codec, rowGroupSize: 100, statistics: false })),
  );
  mustEndOnDamage(damagedCopies(paths, cases(60)));
});

tests('a large number at any place of the pages ends in a sentence, and soon', () => {
  // few and short: within the text of a URL, all places are alike
  const urls = Array.from({ length: 12 }, (_, row) => (row % 7 === 0 ? null : `http://a/${row % 3}`));
  for (const encoding of [undefined, 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'] as const) {
    const column: ColumnSource = { name: 'url', data: urls, type: 'STRING', ...(encoding && { encoding }) };
    const whole = parquet([column], { codec: 'UNCOMPRESSED', statistics: false });
    const pagesEnd = whole.length - 8 - new DataView(whole.buffer).getUint32(whole.length - 8, true);
    const places = Array.from({ length: pagesEnd - 8 }, (_, index) => index + 4);
    mustEndOnDamage(
      places.map((place) => {
        const bytes = Uint8Array.from(whole);
        bytes.set([0xfe, 0xff, 0xff, 0xff], place); // the most repetitions of one value, and lengths of 2^28 and more
        return bytes;
      }),
    );
  }
});

tests('numbers and lists of a footer that have no end', () => {
  const mebibytes = Buffer.alloc(4 << 20, 0x80);
  const cases: [footer: Buffer, message: RegExp][] = [
    [Buffer.concat([Buffer.of(0x16), mebibytes]), /a number of its footer is too long/],
    [Buffer.of(0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0), /a part of its footer is longer than it/], // 2^31 booleans
    [Buffer.alloc(1000, 0x1c), /its footer is too deep/],
    [Buffer.of(0x15), /its footer has no end/],
    [Buffer.of(0), /a field of its footer is missing, or of another type/],
    [Buffer.of(0x1b, 0), /a field of its footer has the type 11/],
  ];
  for (const [footer, message] of cases) {
    const length = Buffer.from(Uint32Array.of(footer.length).buffer);
    const path = file('footer.parquet', Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]));
    assert.match(mustEnd(['--column', 'url', path]), message);
  }
  const cut = file('short.parquet', 'PAR1\xff\xff\0\0PAR1');
  assert.match(mustEnd(['--column', 'url', cut]), /its footer is longer than the file/);
});

tests('sums of deltas wrap at 32 and at 64 bits, however many a delta has', () => {
  for (const [width, delta] of [
    [33, 2n ** 32n + 7n], // of an unsigned integer of 32 bits, as DuckDB writes it
    [64, 2n ** 63n + 7n],
  ] as const) {
    const bytes = new Uint8Array(300);
    bytes.set([0x80, 0x01, 4, 2, 10, 0, width]); // 2 values in blocks of 128, 4 miniblocks: 5, and one after it
    new DataView(bytes.buffer).setBigUint64(10, delta, true);
    assert.equal(new Deltas(bytes, 0).read(new Int32Array(2)), Int32Array.of(5, 12));
    const sum = BigInt.asIntN(64, 5n + delta);
    assert.equal(new Deltas(bytes, 0).read(new BigInt64Array(2)), BigInt64Array.of(5n, sum));
  }
});

tests('numbers of a page that decoding would take on trust', () => {
  const one = [0x80, 0x01, 4, 1]; // deltas in blocks of 128, 4 miniblocks: one value, which comes next
  const texts = (hasPrefixes: boolean) => (bytes: Uint8Array) => void new DeltaTexts(bytes, hasPrefixes, 1);
  const runs = (bytes: Uint8Array) => void new Runs(bytes, 1, bytes[0]!, 1).read(new Uint32Array(1));
  const integers = (bytes: Uint8Array) => void new Deltas(bytes, 0).read(new Int32Array(2));
  const cases: [decode: (bytes: Uint8Array) => void, bytes: number[], message: RegExp | undefined][] = [
    [texts(true), [...one, 0, ...one, 2, 97], undefined],
    [texts(true), [...one, 10, ...one, 2, 97], /repeats more than there is/],
    [texts(true), [...one, 0, ...one, 1, 97], /repeats more than there is/],
    [texts(true), [...one, 0, ...one, 6, 97], /a value of a page is longer than the page/],
    [texts(false), [0x80, 0x01, 4, 2, 2, 97], /deltas of a page are of another number of values/],
    [texts(false), [0, 4, 1, 2, 97], /blocks of no size/],
    [texts(false), [0x80, 0x01, 0, 1, 2, 97], /blocks of no size/],
    [integers, [...one, 2], /deltas of a page are of another number of values/],
    [integers, [0x80, 0x01, 4, 2, 2, 2, 65, 0, 0, 0], /deltas of a page have too many bits/],
    [integers, [0x80, 0x01, 4, 2, 2, 2, 8, 0, 0, 0], /values of a page are longer than the page/],
    [integers, [0x80, 0x01, 4, 2, 2, 2], /deltas of a page have too many bits/],
    [runs, [1, 4, 0], /a run of a page has too many values/],
    [runs, [33, 2, 0], /too many bits/],
    [runs, [8, 2], /values of a page are longer than the page/],
  ];
  for (const [decode, bytes, message] of cases) {
    if (message === undefined) decode(Uint8Array.from(bytes));
    else assert.throws(() => decode(Uint8Array.from(bytes)), message);
  }
  assert.throws(() => unpackSnappy(Uint8Array.of(1, 0xfc, 0xff, 0xff, 0xff, 0xff, 97), 1), /too long/);
  assert.throws(() => unpackSnappy(Uint8Array.of(4, 0, 97, 0x01, 2), 5), /outside/);
});

if (PYTHON !== undefined)
  tests('files of pyarrow, DuckDB, polars and Spark, with every codec, v2 pages and nested columns', async () => {
    const engines = SCALE > 1 ? ['spark'] : [];
    const { status, stdout, stderr } = spawnSync(PYTHON!, ['test/command/read/parquet.py', FOLDER, ...engines], {
      encoding: 'utf8',
    });
    assert.is(status, 0, stderr);
    const paths = stdout
      .trim()
      .split('\n')
      .map((name) => join(FOLDER, name));
    for (const name of ['many', 'long']) {
      const expected = textOf(['--format', 'hex', '--quiet', join(FOLDER, `${name}.txt`)]).stdout;
      const files = paths.filter((each) => each.includes(`/${name}-`));
      assert.ok(files.length > 0);
      for (const path of files) assert.ok(textOf(['-f', 'url', '--format', 'hex', path]).stdout === expected, path);
    }
    const nested = readFileSync(join(FOLDER, 'nested.jsonl'), 'utf8').trim().split('\n');
    for (const path of paths.filter((each) => each.includes('/nested-'))) {
      const { records } = await recordsOf(path);
      assert.is(records.length, nested.length, path);
      for (const [row, record] of records.entries()) {
        const { url, ...found } = JSON.parse(record) as Record<string, unknown>;
        assert.equal([url, found], [null, JSON.parse(nested[row]!)], `${path}: row ${row}`);
      }
    }
    for (const path of paths.filter((each) => !/\/(many|long|nested)-/.test(each))) {
      const { stdout: lines } = textOf(['--column', 'url', '--quiet', '--format', 'hex', path]);
      assert.is(lines, `${keyOf('http://example.com/a')}\n\n\n`, path);
      const inner = textOf(['--column', 'page.url', '--format', 'hex', path]);
      assert.is(inner.status, 0, inner.stderr);
      assert.is(inner.stdout, `${keyOf('https://b.example/ü')}\n\n\n`, path);
      for (const [column, list] of [
        ['links', 'links'],
        ['deep.y', 'deep'],
      ] as const) {
        const { stderr } = textOf(['--column', column, path]);
        assert.match(stderr, `its column "${column}" is a list: make a row of each element`);
        assert.match(stderr, `EXCLUDE (${list}), unnest(${list}) AS url`);
      }
      assert.match(
        textOf(['--column', 'page', path]).stderr,
        /is not text but has columns: "page\.url", "page\.status"/,
      );
      const { records } = await recordsOf(path);
      const found = records.map((record) => JSON.parse(record) as Record<string, unknown>);
      const column = (name: string) => found.map((record) => record[name]);
      assert.equal(
        column('page'),
        [{ url: 'https://b.example/ü', status: 200 }, null, { url: null, status: 404 }],
        path,
      );
      assert.equal(column('links'), [['https://c.example/'], [], null], path);
      if (!path.includes('polars')) assert.equal(column('pairs'), [{ a: 1, b: null }, {}, null], path);
      assert.equal(column('deep'), [[{ x: 1, y: [1, 2] }], null, [null, { x: null, y: null }]], path);
      assert.match(records[0]!, /"id":1,.*"price":12\.340,/);
      assert.match(records[1]!, /"id":4611686018427387904,.*"price":null,/);
      assert.match(records[2]!, /"id":null,.*"price":-0\.001,.*"day":-1,/);
    }
    const { fields } = await recordsOf(join(FOLDER, 'pa-snappy-1.0.parquet'));
    assert.equal(fields.slice(0, 7), [
      { name: 'id', type: 'int', bits: 64 },
      { name: 'url', type: 'string' },
      { name: 'price', type: 'decimal', precision: 20, scale: 3 },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'timestamp', unit: 'microsecond', isUtc: false },
      { name: 'small', type: 'float', bits: 32 },
      { name: 'data', type: 'bytes', byteLength: undefined, isUuid: false },
    ]);
    assert.match(
      textOf(['--column', 'url', join(FOLDER, 'locked.parquet')]).stderr,
      /encrypted, which urlsum does not read/,
    );
    mustEndOnDamage(damagedCopies(paths, cases(60)));
  });

tests.run();
