import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hexOfBytes } from '../../src/core/bytes/hex.ts';
import { canonicalize } from '../../src/core/url/canonicalize.ts';
import { profileOf, tryCanonicalize, type UrlError, UrlHash } from '../../src/index.ts';
import { ExpressionHasher } from '../../src/specs/safe-browsing/hasher.ts';
import { hostOf, siteOf, surtOf } from '../../src/specs/sites/site.ts';
import { openDuckDB } from '../../src/tables/duckdb-package.ts';
import { register, type TableConnection, type TableOptions } from '../../src/tables/register.ts';
import { mutated, SAMPLE_URLS } from '../support/samples.ts';
import { FOLDER as folder } from '../support/scratch.ts';
import { halvedCases, random, SCALE } from '../support/seed.ts';
import { errorOf, rejectionOf } from '../support/thrown.ts';
import { connected, makeTable, rowsOf } from './tables.ts';

const tests = suite('functions for DuckDB');

const FUNCTIONS = [
  'url_hash',
  'url_hash_u64',
  'url_hash_i64',
  'url_canonical',
  'url_expressions',
  'url_reason',
  'url_host',
  'url_site',
  'url_surt',
  'url_profile',
];

/** Returns what the library says of one URL, in the order of FUNCTIONS. */
function expected(url: string | null, { width = 32, ...form }: TableOptions): unknown[] {
  if (url === null) return FUNCTIONS.map(() => null);
  const expressions = new ExpressionHasher({ width }).hashMany([url]);
  const lists =
    expressions.invalid.length > 0
      ? null
      : Array.from({ length: expressions.offsets[1]! }, (_, index) =>
          hexOfBytes(expressions.bytes, index * width, (index + 1) * width),
        );
  const canonical = tryCanonicalize(url, form);
  if (canonical === null)
    return [null, null, null, null, lists, reasonOf(url, form), null, null, null, profileOf(form)];
  const hash = UrlHash.of(url, form);
  const [word] = hash.words;
  return [
    hash.hex.slice(0, 2 * width),
    word,
    BigInt.asIntN(64, word!),
    canonical,
    lists,
    null,
    hostOf(url, form),
    siteOf(url, form),
    surtOf(url, form),
    profileOf(form),
  ];
}

function reasonOf(url: string, form: TableOptions): string | undefined {
  try {
    canonicalize(url, form);
    return undefined;
  } catch (error) {
    return (error as UrlError).reason;
  }
}

/** Bytes as hex, in lists too. */
const comparable = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? hexOfBytes(value, 0, value.length)
    : Array.isArray(value)
      ? value.map(comparable)
      : value;

/** Text as it arrives in a database: without lone surrogates. */
const wellFormed = (text: string) => Buffer.from(text).toString();

function* urlsOf(count: number): Generator<string | null> {
  const next = random();
  for (let index = 0; index < count; index++) {
    const sample = SAMPLE_URLS[next(SAMPLE_URLS.length)]!;
    yield next(20) === 0 ? null : wellFormed(next(3) === 0 ? sample : mutated(sample, next));
  }
}

const calls = (argument: string) => FUNCTIONS.map((name) => `${name}(${argument})`).join(', ');

for (const options of [{}, { width: 8, excludeFragment: true, sortParams: true }, { width: 16 }] as const) {
  tests(`they are what the library says, one row at a time: ${JSON.stringify(options)}`, async () => {
    const connection = await connected(options);
    const urls = [...urlsOf(halvedCases(1000))];
    const rowOf = urls.map((url) => expected(url, options));
    await makeTable(connection, 'pages', urls);
    for (const argument of ['url', 'encode(url)', "url || ''", "replace(url, 'no URL of these holds this text', '')"]) {
      const rows = await rowsOf(connection, `SELECT ${calls(argument)} FROM pages ORDER BY id`);
      assert.is(rows.length, urls.length);
      for (const [index, row] of rows.entries())
        assert.equal(row.map(comparable), rowOf[index], `${argument}: ${JSON.stringify(urls[index])}`);
    }
  });
}

/** The URL of a file of urlsum as npm installs it in a folder. */
function installedIn(name: string, isProject: boolean): string {
  const dist = join(folder, name, 'node_modules/urlsum/dist/esm');
  mkdirSync(dist, { recursive: true });
  if (isProject) writeFileSync(join(folder, name, 'package.json'), '{}');
  return pathToFileURL(join(dist, 'duckdb.js')).href;
}

/** Puts a package of this version beside urlsum. */
function addPackage(name: string, version: string): void {
  const path = join(folder, name, 'node_modules/@duckdb/node-api');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "main": "index.js" }');
  writeFileSync(join(path, 'index.js'), `exports.version = () => '${version}';`);
}

tests('a package that is missing is named with the line that installs it there', () => {
  const messageOf = (from: string) => errorOf(() => openDuckDB(from)).message;
  const start = 'this needs the package @duckdb/node-api: npm install';
  assert.is(messageOf(installedIn('project', true)), `${start} @duckdb/node-api`);
  assert.is(messageOf(installedIn('lib', false)), `${start} --global @duckdb/node-api`);
  assert.is(messageOf(pathToFileURL(join(folder, 'clone/dist/esm/duckdb.js')).href), `${start} @duckdb/node-api`);
});

tests('a version that is too old is refused by name', () => {
  for (const version of ['v1.4.5', 'v0.10.3', 'v1.3.4-dev']) {
    const from = installedIn(version, true);
    addPackage(version, version);
    const { message } = errorOf(() => openDuckDB(from));
    assert.is(message, `@duckdb/node-api ${version} is too old: 1.5 or later is needed`);
  }
});

tests('a macro of such a name in a database of the connection is refused, and registering twice is not', async () => {
  const connection = await connected();
  await register(connection, { width: 8 });
  await connection.run("ATTACH ':memory:' AS other; CREATE MACRO other.URL_Host(url) AS 'a macro'");
  const error = await rejectionOf(register(connection));
  assert.instance(error, RangeError);
  assert.is(error.message, 'the macro other.main.URL_Host has the name of a function of urlsum: drop the macro');
  await connection.run('USE other');
  const query = "SELECT url_host('http://a/'), system.main.url_host('http://a/')";
  assert.equal(await rowsOf(connection, query), [['a macro', 'a']]);
  await connection.run('DROP MACRO url_host; CREATE MACRO url_host() AS TABLE SELECT 1');
  await register(connection); // a macro of tables is called elsewhere
  assert.equal(await rowsOf(connection, query), [['a', 'a']]);
});

tests('functions of two forms are beside each other, by their prefix', async () => {
  const connection = await connected();
  await register(connection, { prefix: 'page_', preset: 'page-2026', width: 16 });
  const url = 'http://a.example/?utm_id=1&b=2&a=1#x';
  const page = expected(url, { preset: 'page-2026', width: 16 });
  const pageCalls = calls('$1').replaceAll('url_', 'page_');
  assert.not.equal(page, expected(url, {}));
  for (let round = 0; round < 2; round++) {
    const rows = await rowsOf(connection, `SELECT ${calls('$1')}, ${pageCalls}`, [url]);
    assert.equal(rows[0]!.map(comparable), [...expected(url, {}), ...page]);
    await register(connection); // which replaces the others, and not those of the page
  }
  const names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name SIMILAR TO '(url|page)_.*'";
  const namesOf = async (prefix: string) =>
    (await rowsOf(connection, names))
      .map(([name]) => String(name))
      .filter((name) => name.startsWith(prefix) && !/^url_(en|de)code$/.test(name))
      .map((name) => name.slice(prefix.length))
      .sort();
  assert.equal(await namesOf('page_'), await namesOf('url_'));
  assert.is((await namesOf('page_')).length, FUNCTIONS.length + 2);
});

tests('a text that is longer than a string can be is an error that names the limit, and never NULL', async () => {
  if (SCALE < 10) return; // it takes 6 s and 2 GB
  const connection = await connected();
  const url = "concat('http://a/', repeat('a', 540000000))";
  for (const call of [...FUNCTIONS.filter((name) => !/reason|profile/.test(name)).map((name) => `${name}(${url})`)]) {
    const { message } = await rejectionOf(rowsOf(connection, `SELECT ${call}`));
    assert.match(message, /^Invalid Input Error: a URL of 540000009 bytes, .*: 536870888 characters \(length-limit\)$/);
  }
  const long = "repeat('a', 200000000)"; // it would fit, but is not a URL
  assert.equal(await rowsOf(connection, `SELECT url_hash(${long}), url_site(concat('http://[::]/', ${long}))`), [
    [null, null],
  ]);
});

tests('arguments of register', async () => {
  const connection = await connected();
  for (const [wrong, options, message] of [
    [{}, {}, 'connection must be a DuckDBConnection, got Object'],
    [undefined, {}, 'connection must be a DuckDBConnection, got undefined'],
    [connection, { width: 7 }, 'width must be one of 8, 16, 32, got 7'],
    [connection, { base: 'http://a/' }, 'options has no "base", only width, prefix, suffixList, '],
    [connection, { prefix: 1 }, 'prefix must be a string, got number'],
    [connection, { prefix: '' }, "prefix must be of a-z, 0-9 and '_', without a digit first, got "],
    [connection, { prefix: 'Page_' }, "prefix must be of a-z, 0-9 and '_', without a digit first, got "],
    [connection, { prefix: '1_' }, "prefix must be of a-z, 0-9 and '_', without a digit first, got "],
    [connection, { suffixList: 'com' }, 'suffixList must be what SuffixList.parse returns, got string'],
    [connection, { dropList: 'x' }, 'dropList must be one of '],
    [connection, 'http://a/', 'options must be an object'],
  ] as const) {
    const error = errorOf(() => register(wrong as TableConnection, options as object));
    assert.ok(error instanceof TypeError || error instanceof RangeError);
    assert.ok(error.message.startsWith(message), error.message);
  }
});

tests.run();
