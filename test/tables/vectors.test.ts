import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tryCanonicalize, UrlHash, UrlHasher } from '../../src/index.ts';
import { register } from '../../src/tables/register.ts';
import { mutated } from '../support/samples.ts';
import { FOLDER as folder } from '../support/scratch.ts';
import { random, SCALE } from '../support/seed.ts';
import { connected, makeTable, rowsOf } from './tables.ts';

const tests = suite('vectors of DuckDB');

const word = (url: string | null) => (url === null ? null : (UrlHash.tryOf(url)?.words[0] ?? null));

/** URLs of 9 to 60 bytes, of which those up to 12 lie in the vector itself, others elsewhere; and what is none. */
function shortAndLong(count: number): (string | null)[] {
  const next = random();
  return Array.from({ length: count }, (_, row) => {
    if (next(10) === 0) return next(2) === 0 ? null : 'x'.repeat(next(20));
    return `http://a/${String(row % 1000).repeat(next(14))}`;
  });
}

tests('texts of a vector lie in any order: sorted, joined, in dictionaries, constants, lists and files', async () => {
  const connection = await connected();
  const urls = shortAndLong(5000);
  const expected = urls.map((url) => [word(url), url === null ? null : tryCanonicalize(url)]);
  await makeTable(connection, 'pages', urls);
  const parquet = join(folder, 'pages.parquet');
  await connection.run(`COPY pages TO '${parquet}' (FORMAT parquet, ROW_GROUP_SIZE 3000)`);
  await connection.run(`COPY pages TO '${join(folder, 'pages.csv')}' (FORMAT csv)`);
  await connection.run('CREATE TABLE numbers AS SELECT i::INTEGER AS id FROM range(5000) AS t(i)');
  for (const from of [
    'pages',
    '(FROM pages ORDER BY hash(id))',
    '(FROM pages ORDER BY url)',
    '(FROM pages WHERE id % 7 = 0)',
    '(FROM pages JOIN numbers USING (id))',
    `'${parquet}'`,
    `(FROM '${parquet}' ORDER BY hash(id))`,
    `'${join(folder, 'pages.csv')}'`,
    "(SELECT id, url || '' AS url FROM pages)",
    '(SELECT min(id) AS id, url FROM pages GROUP BY url)',
    '(SELECT unnest(list(id ORDER BY id)) AS id, unnest(list(url ORDER BY id)) AS url FROM pages)',
    '(SELECT id, CASE WHEN id % 2 = 0 THEN url ELSE reverse(reverse(url)) END AS url FROM pages)',
    '(FROM pages UNION ALL FROM pages)',
  ]) {
    const rows = await rowsOf(connection, `SELECT id, url_hash_u64(url), url_canonical(url) FROM ${from}`);
    assert.ok(rows.length > 500);
    for (const [id, ...values] of rows) assert.equal(values, expected[id as number], `${from}: ${urls[id as number]}`);
  }
  const constants = "SELECT url_hash_u64('http://a/'), url_hash_u64(NULL), url_host('x') FROM range(5000)";
  for (const row of await rowsOf(connection, constants)) assert.equal(row, [word('http://a/'), null, null]);
});

tests('many rows are what UrlHasher makes of them', async () => {
  const rowCount = SCALE > 1 ? 1_000_000 : 20_000;
  const next = random();
  const urls = Array.from({ length: rowCount }, (_, row) =>
    row % 10 === 0
      ? Buffer.from(mutated('https://example.com/a/b?c=d#e', next)).toString()
      : `https://www.example-${next(1000)}.com/section/${next(100_000)}/page-${row}.html?id=${next(1000)}`,
  );
  const connection = await connected();
  await makeTable(connection, 'pages', urls);
  const column = new UrlHasher().hashMany(urls);
  const query = 'SELECT id, url_hash(url), url_hash_i64(url) FROM pages';
  let row = 0;
  for (const [id, hash, number] of await rowsOf(connection, query)) {
    assert.is(id, row);
    const expected = column.hex(row);
    assert.is(hash === null ? undefined : Buffer.from(hash as Uint8Array).toString('hex'), expected);
    assert.is(number, expected === undefined ? null : Buffer.from(expected, 'hex').readBigInt64LE());
    row++;
  }
  assert.is(row, rowCount);
});

tests('a vector of more than one piece, 64 MB, and a row of 10 MB in it', async () => {
  const connection = await connected();
  const lengthOf = (row: number) => (row === 6 ? 10_000_000 : 33_000);
  await connection.run(`CREATE TABLE long AS
    SELECT concat('http://H', i, '/', repeat('a', CASE WHEN i = 6 THEN ${lengthOf(6)} ELSE ${lengthOf(0)} END), '/', i) AS url
    FROM range(2048) AS t(i)`);
  const forms = Array.from({ length: 2048 }, (_, row) => `http://h${row}/${'a'.repeat(lengthOf(row))}/${row}`);
  assert.equal(
    await rowsOf(connection, 'SELECT url_hash_u64(url) FROM long'),
    forms.map((form) => [createHash('sha256').update(form).digest().readBigUInt64LE(0)]),
  );
  const last = "SELECT concat(url, 'é') AS url FROM long WHERE url LIKE 'http://H6/%'";
  const query = `SELECT length(url_canonical(url)), url_host(url), url_reason(url) FROM (${last})`;
  assert.equal(await rowsOf(connection, query), [
    [BigInt('http://h6/'.length + 10_000_000 + '/6%C3%A9'.length), 'h6', null],
  ]);
});

tests('two queries at once, on several threads', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '4' });
  const [one, two] = await Promise.all([instance.connect(), instance.connect()]);
  await register(one);
  const query = (
    host: string,
  ) => `SELECT count(*), count(DISTINCT url_hash(url)), min(url_site(url)), max(url_site(url))
    FROM (SELECT 'https://www.${host}.com/' || i AS url FROM range(50000) AS t(i))`;
  const found = await Promise.all([
    rowsOf(one, query('a')),
    rowsOf(two, query('b')),
    rowsOf(await instance.connect(), query('c')),
  ]);
  assert.equal(
    found.map(([row]) => row),
    ['a', 'b', 'c'].map((host) => [50_000n, 50_000n, `${host}.com`, `${host}.com`]),
  );
});

tests('each row of a dictionary is hashed once', async () => {
  const connection = await connected();
  const path = join(folder, 'repeated.parquet');
  await connection.run(
    `COPY (SELECT 'https://example.com/' || (i // 1000) AS url FROM range(100000) AS t(i)) TO '${path}'`,
  );
  const [[rows, keys] = []] = await rowsOf(
    connection,
    `SELECT count(url_hash(url)), count(DISTINCT url_hash(url)) FROM '${path}'`,
  );
  assert.equal([rows, keys], [100_000n, 100n]);
});

tests('functions that are registered again are replaced, for all connections of the database', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const [one, two] = [await instance.connect(), await instance.connect()];
  const query = "SELECT url_canonical('http://a/#b'), octet_length(url_hash('http://a/#b'))";
  await register(one);
  assert.equal(await rowsOf(two, query), [['http://a/#b', 32n]]);
  await register(two, { excludeFragment: true, width: 8 });
  assert.equal(await rowsOf(one, query), [['http://a/', 8n]]);
  one.closeSync();
  assert.equal(await rowsOf(two, query), [['http://a/', 8n]]);
});

tests('BLOB is taken as VARCHAR is, with bytes that are not UTF-8; other types are refused', async () => {
  const connection = await connected();
  const rows = await rowsOf(
    connection,
    "SELECT url_canonical('http://a/\\xC3\\xA9\\xFF'::BLOB), url_host('\\xFF'::BLOB)",
  );
  assert.equal(rows, [['http://a/%C3%A9%EF%BF%BD', null]]);
  try {
    await connection.run('SELECT url_hash(1)');
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /^Binder Error: No function matches .*url_hash/);
  }
});

tests('an error ends the query, and what COPY has begun is not left', async () => {
  const connection = await connected();
  const target = join(folder, 'failed.parquet');
  try {
    await connection.run(
      `COPY (SELECT url_in_index('http://a/' || i, CASE WHEN i < 300000 THEN NULL ELSE 'absent.idx' END) AS known
        FROM range(400000) AS t(i)) TO '${target}'`,
    );
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /^Invalid Input Error: absent\.idx: /);
  }
  assert.not.ok(existsSync(target));
  assert.equal(await rowsOf(connection, "SELECT url_host('http://a/')"), [['a']]);
});

tests.run();
