import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ColumnSource } from 'hyparquet-writer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { PYTHON } from '../../support/python.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random, randomBytes, SCALE } from '../../support/seed.ts';
import { spawned, textOf, urlsum } from '../command.ts';
import { parquet } from '../parquet.ts';

const tests = suite('Parquet files as input');
const next = random();
const keys = new UrlHasher();

/** The key of a URL's bytes, as hashRows gives it; empty where it is none. */
function keyOf(url: string | Uint8Array | null): string {
  const bytes = Buffer.from(url ?? '');
  return keys.hashRows(bytes, Uint32Array.of(0, bytes.length)).hex(0) ?? '';
}

const URLS = ['HTTP://a.example/a#b', null, 'no URL', 'https://b.example/ü', ''];
const COLUMNS: ColumnSource[] = [
  { name: 'id', data: [1n, 2n ** 62n, null, -1n, 0n], type: 'INT64' },
  { name: 'url', data: URLS, type: 'STRING' },
  { name: 'URL', data: URLS.map(() => 'http://upper.example/'), type: 'STRING' },
  { name: 'more', data: ['a', null, 1, 'x', []], type: 'JSON' },
];
const PATH = file('pages.parquet', parquet(COLUMNS));

/** Returns what the command prints for values, as for the same values as lines: nulls are empty. */
function expectedHex(values: readonly (string | Uint8Array | null)[]): string {
  return values.map((value) => `${keyOf(value)}\n`).join('');
}

function hexOf(path: string, column = 'url', ...args: string[]): string {
  const { stdout, status, stderr } = textOf(['-f', column, '--format', 'hex', '--quiet', ...args, path]);
  assert.not.equal(status, 2, stderr);
  return stdout;
}

tests('rows come out as lines do, with the same keys; a null is a bad row, as in JSON', () => {
  const lines = URLS.map((url) => url ?? '').join('\n');
  for (const format of ['text', 'hex', 'u64', 'tsv', 'bin'] as const) {
    const { stdout, stderr, status } = textOf(['--column', 'url', '--format', format, PATH]);
    assert.is(status, 1);
    assert.match(stderr, /pages\.parquet:3: not a URL: "no URL"/);
    assert.match(stderr, /pages\.parquet:5: /);
    assert.match(stderr, /pages\.parquet:2: the column is null \(malformed-record\)/);
    assert.is(stderr.trim().split('\n').length, 3);
    assert.is(stdout, textOf(['--format', format, '-'], `${lines}\n`).stdout, format);
  }
  assert.is(hexOf(PATH, '2'), expectedHex(URLS), 'by its number');
  assert.is(hexOf(PATH, 'URL'), expectedHex(URLS.map(() => 'http://upper.example/')), 'case counts');
});

tests('a URL comes as bytes: those that are not UTF-8 are read as in lines, and a line feed becomes a tab', () => {
  const urls = Array.from({ length: 500 }, () =>
    Buffer.concat([Buffer.from('http://a.example/'), randomBytes(next, 9)]),
  );
  const path = file('bytes.parquet', parquet([{ name: 'url', data: urls, type: 'BYTE_ARRAY' }]));
  assert.is(hexOf(path), expectedHex(urls));
  const fed = file('fed.parquet', parquet([{ name: 'url', data: ['http://a.example/b\nc'], type: 'STRING' }]));
  assert.is(textOf(['-f', 'url', fed]).stdout, `${keyOf('http://a.example/bc')}  http://a.example/b\tc\n`);
});

tests('the first bytes tell, under any name; threads, skipped and failing rows as of lines', () => {
  const bytes = parquet(COLUMNS);
  const whole = textOf(['--column', 'url', PATH]).stdout;
  mkdirSync(join(FOLDER, 'year=2026'), { recursive: true });
  for (const name of ['pages', 'a[1]*?.parquet', "it's.parquet", 'year=2026/url.parquet', 'urlsum_file'])
    assert.is(textOf(['--column', 'url', file(name, bytes)]).stdout, whole, name);
  const plain = file('pages', bytes);
  assert.is(textOf(['-f', 'url', '-j', '2', plain]).stdout, whole);
  assert.is(textOf(['-f', 'url', '--on-error', 'skip', plain]).stdout.split('\n').length, 2 + 1, 'without the null');
  assert.is(textOf(['-f', 'url', '--on-error', 'fail', plain]).stdout.split('\n').length, 1 + 1);
  const unseen = ['-f', 'url', '--on-error', 'skip', '--unseen', join(FOLDER, 'null.idx'), plain];
  assert.equal([textOf(unseen).stdout.split('\n').length, textOf(unseen).stdout], [2 + 1, '']);
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

/** A database to write files with, and to read them with in another way. */
const duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();

tests('fields of structs, and a row for each element of lists, of whatever is in them', async () => {
  const path = join(FOLDER, 'nested.parquet');
  await duckdb.run(`COPY (SELECT * FROM (VALUES
    ({url: 'http://a/', "x.y": 'http://b/'}, ['http://c/', NULL, 'http://d/'], [{hrefs: ['http://e/', 'http://f/']}], MAP {'k': 'v'}),
    (NULL, [], NULL, NULL), ({url: NULL, "x.y": NULL}, NULL, [{hrefs: []}, {hrefs: NULL}, NULL, {hrefs: ['http://g/']}], NULL)
  ) AS pages(page, links, deep, map)) TO '${path}'`);
  assert.is(hexOf(path, 'page.url'), expectedHex(['http://a/', null, null]));
  assert.is(hexOf(path, 'links'), expectedHex(['http://c/', null, 'http://d/']));
  assert.is(hexOf(path, '2'), hexOf(path, 'links'));
  assert.is(hexOf(path, 'deep.hrefs'), expectedHex(['http://e/', 'http://f/', 'http://g/']));
  for (const [column, message] of [
    ['page', 'its column "page" is not text but has columns: "page.url", "page.x.y"'],
    ['deep', 'its column "deep" is not text but has columns: "deep.hrefs"'],
    ['map', 'its column "map" is not text but MAP(VARCHAR, VARCHAR)'],
  ] as const)
    assert.is(textOf(['-f', column, path]).stderr, `urlsum: ${path}: ${message}\n`);
});

tests('pages and row groups of all sizes, in the order of the rows', () => {
  for (let round = 0; round < cases(4); round++) {
    const urls = Array.from({ length: next(SCALE > 1 ? 20_000 : 4000) }, (_, at) =>
      next(5) === 0 ? null : `https://a.example/${next(2) * at}/${'x'.repeat(next(3000))}`,
    );
    const options = {
      codec: (['UNCOMPRESSED', 'SNAPPY'] as const)[next(2)]!,
      rowGroupSize: [urls.length + 1, 1 + next(urls.length + 1)][next(2)]!,
      pageSize: 1 << (10 + next(13)),
    };
    const path = file('parts.parquet', parquet([{ name: 'url', data: urls, type: 'STRING' }], options));
    for (const threads of ['1', '2'])
      assert.ok(hexOf(path, 'url', '-j', threads) === expectedHex(urls), `round ${round}, ${urls.length} rows`);
  }
});

tests('what cannot be read is said in a sentence, and --out is not written', () => {
  const whole = readFileSync(PATH);
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 20, 120);
  const bad = parquet([{ name: 'url', data: [Buffer.of(0xff)], type: 'BYTE_ARRAY', converted_type: 'UTF8' } as never]);
  const annotated = Buffer.from(bad);
  const runs: [path: string, column: string, message: RegExp, ...args: string[]][] = [
    [PATH, 'link', /it has no column "link" but "id", "url", "URL", "more"$/],
    [PATH, '8', /it has no column "8" but /],
    [PATH, 'id', /its column "id" is not text but BIGINT$/],
    [file('cut.parquet', whole.subarray(0, -10)), 'url', /it is damaged, or has what DuckDB does not read: /],
    [file('empty.parquet', ''), 'url', /it is damaged, or has what DuckDB does not read: /],
    [file('damaged.parquet', damaged), 'url', /it is damaged, or has what DuckDB does not read: /],
    [join(FOLDER, 'none.parquet'), 'url', /no such file$/],
    [file('annotated.parquet', annotated), 'id', /it has no column "id" but "url"$/],
    [
      file('large.parquet', parquet([{ name: 'url', data: ['x'.repeat(1 << 25)], type: 'STRING' }])),
      'url',
      /its pages need more memory than 4M: give more by --memory, such as --memory 2G$/,
      '--memory',
      '4M',
    ],
  ];
  for (const [path, column, message, ...args] of runs) {
    const out = join(FOLDER, 'never');
    const { status, stderr } = textOf(['--column', column, ...args, '--out', out, path]);
    assert.is(status, 2, path);
    assert.match(stderr.trimEnd(), message);
    assert.ok(stderr.startsWith(`urlsum: ${path}: `) && stderr.trim().split('\n').length === 1, stderr);
    assert.not.ok(existsSync(out), path);
  }
  const twice = file('twice.parquet', parquet([COLUMNS[1]!, COLUMNS[1]!]));
  assert.match(textOf(['-f', 'url', twice]).stderr, /it has two columns "url"/);
  assert.match(textOf(['-f', 'url', PATH, file('a.csv', 'url\n')]).stderr, /is Parquet, and another file is not/);
  assert.match(textOf([PATH]).stderr, /it is Parquet; -f NAME reads the column of that name/);
  assert.match(textOf(['-f', 'url', '--csv'], whole).stderr, /it is Parquet; -f NAME/);
  assert.match(textOf(['-f', 'url', '-', PATH], whole).stderr, /is Parquet, and another file is not/);
  assert.match(textOf(['-f', 'url', '--canonical', PATH]).stderr, /--canonical needs urlsum sql where the input is/);
  assert.match(textOf(['--memory', '1G'], 'http://a/\n').stderr, /--memory needs --unseen or Parquet/);
});

tests('without the package, a sentence says what to install', () => {
  const nothing = "import Module from 'node:module'; const resolve = Module._resolveFilename;";
  const refusal = `${nothing} Module._resolveFilename = (name, ...more) => {
    if (name.startsWith('@duckdb')) throw Object.assign(new Error('none'), { code: 'MODULE_NOT_FOUND' });
    return resolve(name, ...more);
  };`;
  const { status, stderr } = spawned(['-f', 'url', PATH], '', {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(refusal)}`,
  });
  assert.is(status, 2);
  assert.is(stderr, `urlsum: ${PATH}: this needs the package @duckdb/node-api: npm install @duckdb/node-api\n`);
});

/** Returns the values of a file as DuckDB reads them without a stream, or undefined where it does not. */
async function valuesByDuckdb(path: string): Promise<(string | Uint8Array | null)[] | undefined> {
  try {
    const rows = await (
      await duckdb.run(`SELECT lower(hex(encode(url::VARCHAR))) FROM read_parquet('${path}')`)
    ).getRows();
    return rows.map(([hex]) => (hex === null ? null : Buffer.from(hex as string, 'hex')));
  } catch {
    return undefined;
  }
}

tests('a damaged file is refused where DuckDB refuses it, and else read as DuckDB reads it', async () => {
  const urls = Array.from({ length: 6000 }, (_, row) => (row % 7 === 0 ? null : `http://a.example/${next(2000)}`));
  const wholes = (['UNCOMPRESSED', 'SNAPPY'] as const).flatMap((codec) =>
    (['PLAIN', 'DELTA_BYTE_ARRAY'] as const).map((encoding) =>
      parquet([{ name: 'url', data: urls, type: 'STRING', encoding }], { codec, rowGroupSize: 1000 }),
    ),
  );
  let refused = 0;
  const count = Math.min(cases(16), 2000);
  for (let round = 0; round < count; round++) {
    const bytes = Buffer.from(wholes[round % wholes.length]!);
    for (let changes = 1 + next(4); changes > 0; changes--) bytes[4 + next(bytes.length - 8)] = next(256);
    const path = file('damaged.parquet', bytes);
    const expected = await valuesByDuckdb(path);
    const { status, stdout, stderr } = urlsum(['-f', 'url', '--format', 'hex', '--quiet', path]);
    if (expected === undefined) refused++;
    if (expected === undefined) assert.is(status, 2, `round ${round} passes silently`);
    else if (status !== 2) assert.ok(stdout.toString() === expectedHex(expected), `round ${round}: other rows`);
    else assert.match(stderr, /it has no column|two columns|is not text|memory/, `round ${round} is refused`);
  }
  assert.ok(refused > count / 5, `${refused} of ${count} were refused`);
});

if (PYTHON !== undefined)
  tests('files of pyarrow, DuckDB, polars and Spark, with every codec, v2 pages and nested columns', () => {
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
      for (const path of files) assert.ok(hexOf(path) === expected, path);
    }
    for (const path of paths.filter((each) => !/\/(many|long)-/.test(each))) {
      assert.is(hexOf(path), expectedHex(['http://example.com/a', null, 'not a url']), path);
      assert.is(hexOf(path, 'page.url'), expectedHex(['https://b.example/ü', null, null]), path);
      assert.is(hexOf(path, 'links'), expectedHex(['https://c.example/']), path);
      assert.match(textOf(['-f', 'deep.y', path]).stderr, 'its column "deep.y" is not text but INTEGER');
    }
    const locked = textOf(['-f', 'url', join(FOLDER, 'locked.parquet')]);
    assert.equal([locked.status, locked.stderr.trimEnd().split('\n').length], [2, 1]);
  });

tests.run();
