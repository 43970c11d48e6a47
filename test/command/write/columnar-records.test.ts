import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { decompress } from 'fzstd';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFraming, type Records } from '../../../src/command/read/framing.ts';
import { hashStage } from '../../../src/command/work/urls.ts';
import { addedNames, openHashFormat } from '../../../src/command/write/hashes.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { canonicalize, PROFILE, UrlHasher } from '../../../src/index.ts';
import { random } from '../../seed.ts';
import { textOf } from '../files.ts';
import { written } from '../rows.ts';
import { file } from '../scratch.ts';

const tests = suite('records as arrow and parquet');
const next = random();

type Value = string | number | bigint | boolean | null;
type Row = Record<string, Value>;

interface Options {
  readonly isTyped?: boolean;
  readonly hashName?: string;
  readonly addsCanonical?: boolean;
}

const JSON_LINES: Records = { kind: 'json', delimiter: '', column: 'url' };
const CSV: Records = { kind: 'csv', delimiter: ',', column: 'url' };
const WIDTH = 8;
const ADDED = ['urlsum', 'urlsum_u64', 'urlsum_i64'];

/** The file that the command makes of blocks of records. */
async function fileOf(format: 'arrow' | 'parquet', records: Records, blocks: readonly string[], options: Options = {}) {
  const { isTyped = false, hashName, addsCanonical = false } = options;
  const added = addedNames({ format, canonical: addsCanonical, hashName });
  const kernel = openKernel();
  const framing = await openFraming({
    lineEnd: 0x0a,
    records,
    skipsBlank: false,
    isText: false,
    kernel,
    isInMemory: false,
    added,
  });
  const stage = hashStage({ kernel, width: WIDTH, form: FULL_FORM }, 'null');
  const writing = await openHashFormat(
    { kernel, lineEnd: 0x0a, records, added },
    { format, width: WIDTH, types: isTyped },
    { profile: PROFILE, formOf: (url) => canonicalForm(url) },
  );
  const pieces: Uint8Array[] = [
    written(
      { framing, stage, format: writing },
      blocks.map((text) => Buffer.from(text)),
    ),
  ];
  for (const piece of writing.end!()) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

function arrowRows(bytes: Buffer): Row[] {
  const table = tableFromIPC(bytes);
  const names = table.schema.fields.map(({ name }) => name);
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(names.map((name) => [name, plain(table.getChild(name)!.get(row))])),
  );
}

async function parquetRows(bytes: Buffer): Promise<Row[]> {
  const rows = await parquetReadObjects({
    file: new Uint8Array(bytes).buffer,
    utf8: false,
    parsers: { jsonFromBytes: (bytes) => bytes && Buffer.from(bytes).toString() },
    compressors: { ZSTD: (page, byteLength) => decompress(page, new Uint8Array(byteLength)) },
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

function plain(value: unknown): Value {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : ((value ?? null) as Value);
}

async function rowsOf(records: Records, blocks: readonly string[], options: Options = {}): Promise<Row[]> {
  const [arrow, parquet] = await Promise.all(
    (['arrow', 'parquet'] as const).map((format) => fileOf(format, records, blocks, options)),
  );
  const rows = arrowRows(arrow!);
  assert.equal(await parquetRows(parquet!), rows, 'both formats hold the same');
  return rows;
}

function hashed(url: unknown, name = 'urlsum'): Row {
  const column = new UrlHasher({ width: WIDTH }).hashMany([String(url)]);
  const hash = typeof url === 'string' ? column.hex(0) : undefined;
  const [u64] = column.words;
  return {
    [name]: hash ?? null,
    [`${name}_u64`]: hash === undefined ? null : u64!,
    [`${name}_i64`]: hash === undefined ? null : BigInt.asIntN(64, u64!),
  };
}

const OBJECTS: Record<string, unknown>[] = [
  { url: 'https://example.com', status: 200, ratio: 1, ok: true, note: 'a "b" \\ \n ü \u{1f600}', gone: null },
  { url: 'no url', status: -5, ratio: 0.5, ok: false, mixed: 1, links: [1, { a: 'b', c: [] }, '}'] },
  { status: 9007199254740992, ratio: -1e-3, mixed: 'x', 'na me "': true, deep: { url: 'https://x/' } },
  { url: 'https://b.example/', late: 'l', links: null },
];

tests('JSON: each scalar member as text, as it is spelled; objects and arrays as JSON', async () => {
  const lines = OBJECTS.map((each) => JSON.stringify(each).replace('9007199254740992', '9007199254740993'));
  const rows = await rowsOf(JSON_LINES, [
    `${lines.slice(0, 2).join('\n')}\n`,
    `${lines.slice(2).join('\n')}\nnot json\n`,
  ]);
  const names = ['url', 'status', 'ratio', 'ok', 'note', 'gone', 'mixed', 'links', 'na me "', 'deep', 'late'];
  const spelled = (value: unknown) => {
    if (value === undefined || value === null) return null;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const expected = OBJECTS.map((each) => ({
    ...Object.fromEntries(names.map((name) => [name, spelled(each[name])])),
    ...hashed(each['url']),
  }));
  expected[2]!['status'] = '9007199254740993';
  const none = Object.fromEntries([...names, ...ADDED].map((name) => [name, null]));
  assert.equal(rows, [...expected, none] as Row[]);
});

tests('JSON with --types: numbers and booleans where every value is one, without a digit lost', async () => {
  const lines = [
    '{"url":"https://a/","int":1,"long":9223372036854775807,"big":18446744073709551615,"float":1.5,"both":1,"risky":9007199254740993,"bool":true,"mixed":1,"minus":-0}',
    '{"url":"https://b/","int":-7,"long":-9223372036854775808,"big":1,"float":1e3,"both":0.25,"risky":0.5,"bool":false,"mixed":true,"minus":3}',
    '{"url":"https://c/","int":null}',
  ].map((line) => `${line}\n`);
  const rows = await rowsOf(JSON_LINES, lines, { isTyped: true });
  const own = rows.map(({ url, int, long, big, float, both, risky, bool, mixed, minus }) => [
    url,
    int,
    long,
    big,
    float,
    both,
    risky,
    bool,
    mixed,
    minus,
  ]);
  assert.equal(own, [
    ['https://a/', 1n, 9223372036854775807n, '18446744073709551615', 1.5, 1, '9007199254740993', true, '1', -0],
    ['https://b/', -7n, -9223372036854775808n, '1', 1000, 0.25, '0.5', false, 'true', 3],
    ['https://c/', ...Array(9).fill(null)],
  ]);
  const bytes = await fileOf('parquet', JSON_LINES, lines, { isTyped: true });
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
  assert.equal(
    schema.slice(2, 9).map(({ type, repetition_type }) => [type, repetition_type]),
    ['INT64', 'INT64', 'BYTE_ARRAY', 'DOUBLE', 'DOUBLE', 'BYTE_ARRAY', 'BOOLEAN'].map((type) => [type, 'OPTIONAL']),
  );
});

tests('CSV: the columns of the header; with --types an empty field of a number is null', async () => {
  const text =
    'id,url,zip,"a ""b""",flag\n1,https://a/,007,,true\n,"https://b/?x,y",x,"l\n2",TRUE\n3,bad,"",1,\n4,short\n';
  const urls = ['https://a/', 'https://b/?x,y', 'bad', null];
  const fields = [
    ['1', 'https://a/', '007', '', 'true'],
    ['', 'https://b/?x,y', 'x', 'l\n2', 'TRUE'],
    ['3', 'bad', '', '1', ''],
    [null, null, null, null, null],
  ];
  const names = ['id', 'url', 'zip', 'a "b"', 'flag'];
  const rowWith = (values: readonly Value[], row: number): Row => ({
    ...Object.fromEntries(names.map((name, index) => [name, values[index]!])),
    ...hashed(urls[row]),
  });
  assert.equal(await rowsOf(CSV, [text]), fields.map(rowWith));
  const typed = fields.map(([id, url, zip, note, flag]) => [
    id ? BigInt(id) : null,
    url!,
    zip!,
    note!,
    flag ? true : null,
  ]);
  assert.equal(await rowsOf(CSV, [text], { isTyped: true }), typed.map(rowWith));
  const numbered = await rowsOf({ ...CSV, column: '1' }, ['https://a/,x\nhttps://b/,y\n']);
  assert.equal(Object.keys(numbered[0]!), ['column1', 'column2', ...ADDED]);
});

tests('a column of the name of the hash is an error, which --hash-name avoids', async () => {
  for (const [records, text] of [
    [JSON_LINES, '{"url":"https://a/","urlsum_u64":1}\n'],
    [CSV, 'url,urlsum_u64\nhttps://a/,1\n'],
  ] as const) {
    const failure = await fileOf('parquet', records, [text]).catch((error: Error) => error.message);
    assert.match(String(failure), /already have a column "urlsum_u64": choose another name with --hash-name/);
    const [row] = await rowsOf(records, [text], { hashName: 'key' });
    assert.equal(row, { url: 'https://a/', urlsum_u64: '1', ...hashed('https://a/', 'key') });
  }
  const twice = await fileOf('arrow', CSV, ['url,a,a\n']).catch((error: Error) => error.message);
  assert.is(twice, 'two columns have the name "a"');
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`n${index}`, 1])));
  const tooMany = await fileOf('arrow', JSON_LINES, [`${many}\n`]).catch((error: Error) => error.message);
  assert.match(String(tooMany), /more than 1000 different names/);
});

tests('the canonical form, and a URL in a nested object, have columns of their own', async () => {
  const nested = { ...JSON_LINES, column: 'page.url' };
  const rows = await rowsOf(nested, ['{"page":{"url":"HTTPS://A"},"n":1}\n{"n":2}\n'], { addsCanonical: true });
  assert.equal(rows, [
    {
      page: '{"url":"HTTPS://A"}',
      n: '1',
      'page.url': 'HTTPS://A',
      urlsum_canonical: canonicalize('HTTPS://A'),
      ...hashed('HTTPS://A'),
    },
    { page: null, n: '2', 'page.url': null, urlsum_canonical: null, ...hashed(null) },
  ]);
});

tests('no records at all: the columns that are known', async () => {
  for (const [records, blocks, names] of [
    [JSON_LINES, [], []],
    [CSV, ['id,url\n'], ['id', 'url']],
  ] as const) {
    const bytes = await fileOf('arrow', records, blocks);
    assert.equal(
      tableFromIPC(bytes).schema.fields.map(({ name }) => name),
      [...names, ...ADDED],
    );
    assert.is(parquetMetadata(new Uint8Array(await fileOf('parquet', records, blocks)).buffer).num_rows, 0n);
  }
});

tests('many batches, random records: what JSON.parse reads, from the disk and in order', async () => {
  const objects = Array.from({ length: 70_000 }, (_, row) => ({
    url: `https://example.com/${next(1000)}`,
    row,
    ...(next(3) === 0 && { text: 'x'.repeat(next(40)) }),
    ...(next(5) === 0 && { flag: next(2) === 0 }),
  })) as Record<string, unknown>[];
  const blocks = Array.from({ length: 7 }, (_, block) =>
    objects
      .slice(block * 10_000, (block + 1) * 10_000)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  const rows = await rowsOf(JSON_LINES, blocks, { isTyped: true });
  assert.is(rows.length, objects.length);
  for (let row = 0; row < rows.length; row += 1 + next(50)) {
    const { url, row: number, text = null, flag = null } = objects[row]!;
    assert.equal(rows[row], { url, row: BigInt(number as number), text, flag, ...hashed(url) } as Row);
  }
});

tests('urlsum --json url --format parquet --types, on one thread and on two; what does not go together', async () => {
  const path = file('crawl.jsonl', '{"url":"https://a/","status":200}\n{"url":"https://b/","status":404}\n');
  for (const jobs of ['1', '2']) {
    const out = file(`crawl-${jobs}.arrow`, '');
    const { status, stderr } = textOf(['--json', 'url', '--format', 'arrow', '--types', '-j', jobs, '-o', out, path]);
    assert.equal([status, stderr], [0, '']);
    assert.equal(
      arrowRows(readFileSync(out)).map(({ status: each }) => each),
      [200n, 404n],
    );
  }
  for (const [args, reason] of [
    [['--json', 'url', '--format', 'ndjson'], /without --format, each gains the hash/],
    [['--types'], /--types needs records and --format arrow or parquet/],
    [['--cdx', '--format', 'parquet'], /CDX records have no column names/],
    [['--json', 'url', '--format', 'arrow', '--hash-name', '1 a'], /--hash-name must be letters/],
  ] as const) {
    const { status, stderr } = textOf([...args, path]);
    assert.is(status, 2);
    assert.match(stderr, reason);
  }
});

tests.run();
