import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { cases, random } from '../../seed.ts';
import { urlsum } from '../command.ts';
import { textOf } from '../files.ts';
import { FOLDER, file } from '../scratch.ts';

const tests = suite('rows of Parquet files');
const next = random();

const keys = new UrlHasher();
const keyOf = (url: string) => keys.hash(url).hex;

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

function parquet(columns: ColumnSource[], options: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData: columns, ...options }));
}

const PATH = file('pages.parquet', parquet(COLUMNS));

/** What a record gains. */
const hexOf = (url: string | null) => (url?.includes('://') ? keyOf(url) : null);

tests('records come out as JSON lines with the key; a null is no bad line', () => {
  const { stdout, stderr, status } = textOf(['--column', 'url', PATH]);
  assert.is(status, 1);
  assert.match(stderr, /pages\.parquet:3: not a URL: "no URL"/);
  assert.match(stderr, /pages\.parquet:5: /);
  assert.is(stderr.trim().split('\n').length, 2, 'the null is not reported');
  const lines = stdout.trim().split('\n');
  assert.equal(
    lines.map((line) => (JSON.parse(line) as { urlsum: string | null }).urlsum),
    URLS.map(hexOf),
  );
  assert.is(
    lines[1],
    `{"id":${2n ** 62n},"url":null,"score":2.5,"ok":false,"at":"2026-01-02T03:04:05.678Z","more":null,"text":"a\\nb","urlsum":null}`,
  );
  assert.ok(lines[0]!.includes('"score":1.0,'), 'a double stays one');
  assert.ok(lines[0]!.includes('"more":{"a":["\\n\\""]}'));
});

tests('the first bytes tell, under any name; threads, skipped and failing rows as of lines', () => {
  const plain = file('pages', parquet(COLUMNS));
  const whole = textOf(['--column', 'url', PATH]).stdout;
  assert.is(textOf(['--column', 'url', plain]).stdout, whole);
  assert.is(textOf(['-f', 'url', '-j', '2', plain]).stdout, whole);
  const skipped = textOf(['-f', 'url', '--on-error', 'skip', plain]).stdout.trim().split('\n');
  assert.is(skipped.length, 3, 'two are bad, the null stays');
  assert.is(textOf(['-f', 'url', '--on-error', 'fail', plain]).stdout.trim().split('\n').length, 2);
});

tests('columns keep their types in Arrow and Parquet', async () => {
  const path = join(FOLDER, 'out.parquet');
  assert.is(urlsum(['--column', 'url', '--format', 'parquet', '--out', path, PATH]).status, 1);
  const bytes = readFileSync(path);
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    compressors,
  });
  assert.equal(
    rows.map(({ id, url, score, ok }) => [id, url, score, ok]),
    [
      [1n, URLS[0], 1, true],
      [2n ** 62n, null, 2.5, false],
      [null, URLS[2], null, null],
      [-1n, URLS[3], null, true],
      [0n, '', -0, true],
    ],
  );
  assert.equal(
    rows.map(({ urlsum: key }) => key && Buffer.from(key as Uint8Array).toString('hex')),
    URLS.map(hexOf),
  );
  const table = tableFromIPC(urlsum(['--column', 'url', '--format', 'arrow', PATH]).stdout);
  assert.equal(
    table.schema.fields.slice(0, 4).map(({ type }) => String(type)),
    ['Int64', 'Utf8', 'Float64', 'Bool'],
  );
});

tests('every command that reads tables: keys equal those of the lines', () => {
  const lines = URLS.filter((url) => url !== null && url !== '').join('\n');
  const [one, other] = [join(FOLDER, 'one.idx'), join(FOLDER, 'other.idx')];
  urlsum(['index', '--column', 'url', '--out', one, PATH]);
  urlsum(['index', '--out', other], lines);
  assert.equal(readFileSync(one), readFileSync(other));
  assert.is(textOf(['--column', 'url', '--dedup', '--quiet', PATH, PATH]).stdout.trim().split('\n').length, 2 + 2 * 3);
});

tests('row groups in parts, of all sizes, with nulls', () => {
  for (let round = 0; round < cases(4); round++) {
    const urls = Array.from({ length: next(20_000) }, (_, at) =>
      next(5) === 0 ? null : `https://a.example/${at}/${'x'.repeat(next(3000))}`,
    );
    const columns: ColumnSource[] = [{ name: 'url', data: urls, type: 'STRING' }];
    const codec = (['UNCOMPRESSED', 'SNAPPY'] as const)[next(2)]!;
    const path = file(
      'parts.parquet',
      parquet(columns, {
        codec,
        rowGroupSize: [urls.length + 1, 1 + next(5000)][next(2)]!,
        pageSize: 1 << (10 + next(11)),
      }),
    );
    const { stdout } = textOf(['--column', 'url', path]);
    const expected = urls
      .map((url) => `{"url":${JSON.stringify(url)},"urlsum":${JSON.stringify(url && keyOf(url))}}\n`)
      .join('');
    assert.ok(stdout === expected, `round ${round}: ${urls.length} rows`);
  }
});

tests('what cannot be read is said in a sentence, and --out is not written', () => {
  const whole = readFileSync(PATH);
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 20, 120);
  const encrypted = Buffer.concat([whole.subarray(0, -4), Buffer.from('PARE')]);
  const list: ColumnSource = { name: 'url', data: [['http://a/']], type: 'JSON' };
  const cases: [path: string, column: string, message: RegExp][] = [
    [PATH, 'link', /it has no column "link" but "id", "url", "score"/],
    [PATH, 'id', /its column "id" is not text but INT64/],
    [file('cut.parquet', whole.subarray(0, -10)), 'url', /it is truncated: Parquet ends with PAR1/],
    [file('empty.parquet', ''), 'url', /it is not Parquet: it does not begin with PAR1/],
    [file('damaged.parquet', damaged), 'url', /it is damaged, or uses what the package hyparquet does not read: /],
    [file('locked.parquet', encrypted), 'url', /it is encrypted/],
    [file('list.parquet', parquet([list])), 'url.x', /no column "url.x"/],
    [join(FOLDER, 'none.parquet'), 'url', /no such file/],
  ];
  for (const [path, column, message] of cases) {
    const out = join(FOLDER, 'never');
    const { status, stderr } = textOf(['--column', column, '--out', out, path]);
    assert.is(status, 2, path);
    assert.match(stderr, message);
    assert.not.ok(existsSync(out), path);
  }
  assert.match(textOf(['-f', 'url', PATH, file('a.csv', 'url\n')]).stderr, /is Parquet, and another file is not/);
  assert.match(textOf([PATH]).stderr, /it is Parquet, not lines of text; try: urlsum --column url FILE/);
});

/** Writes files by pyarrow, DuckDB and polars, and says which column is nested; see test/README.md for the engines. */
const PYTHON = join(process.env['HOME'] ?? '', '.cache/urlsum-engines/venv/bin/python');

if (existsSync(PYTHON))
  tests('files of pyarrow, DuckDB and polars, with every codec, v2 pages and nested columns', () => {
    const { status, stderr } = spawnSync(PYTHON, ['test/cli/rows/parquet.py', FOLDER], { encoding: 'utf8' });
    assert.is(status, 0, stderr);
    const codecs = ['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'];
    const names = [
      ...codecs.flatMap((codec) => [`pa-${codec}-1.0`, `pa-${codec}-2.0`]),
      'duck',
      'duck2',
      'polars',
      'index',
    ];
    for (const name of names) {
      const path = join(FOLDER, `${name}.parquet`);
      const { stdout } = textOf(['--column', 'url', '--quiet', path]);
      const records = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal(
        records.map(({ urlsum: key }) => key),
        [keyOf('http://example.com/a#x'), null, null],
        name,
      );
      assert.equal(
        records.map(({ page }) => page),
        [{ url: 'https://b.example/ü', status: 200 }, null, { url: null, status: 404 }],
        name,
      );
      assert.equal(
        records.map(({ links }) => links),
        [['https://c.example/'], [], null],
        name,
      );
      const nested = textOf(['--column', 'page.url', path]);
      assert.is(nested.status, 0, nested.stderr);
      assert.is(
        (JSON.parse(nested.stdout.split('\n')[0]!) as Record<string, unknown>)['urlsum'],
        keyOf('https://b.example/ü'),
      );
      assert.match(textOf(['--column', 'links', path]).stderr, /its column "links" is a list/);
      assert.match(textOf(['--column', 'page', path]).stderr, /has columns: "page\.url", "page\.status"/);
    }
    assert.ok(
      textOf(['--column', 'url', join(FOLDER, 'pa-snappy-1.0.parquet')]).stdout.includes(
        '"when":"2024-01-02T03:04:05.678901",',
      ),
    );
    assert.match(textOf(['--column', 'url', join(FOLDER, 'locked-footer.parquet')]).stderr, /encrypted/);
  });

tests.run();
