import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyTargetIn, statementsIn, UNNAMED } from '../../../src/command/database.ts';
import { UrlHash } from '../../../src/index.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { folderWith } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, spawned, textOf } from '../command.ts';

const tests = suite('urlsum sql');
const next = random();

const LINES = ['https://example.com', 'HTTPS://EXAMPLE.COM:443/#a', 'no URL', ''];
const FOLDER = folderWith({ 'pages.csv': `id,url\n${LINES.map((url, id) => `${id},"${url}"\n`).join('')}` });
const PAGES = `'${join(FOLDER, 'pages.csv')}'`;
const sql = (query: string, ...options: string[]) => textOf(['sql', ...options, query]);
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
const HASHES = LINES.map((url) => UrlHash.tryOf(url)?.hex ?? null);

/** Values that texts of CSV and JSON must keep apart. */
const VALUES = ['a', 'a,b', 'c"d', '""', '', null, 'a\nb', 'é\u2028', '\\', 'NULL', ' x '];

tests('rows as CSV and as JSON lines, read back by DuckDB; bytes are hex', async () => {
  const rows = VALUES.map((value) => `(${value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`})`);
  const query = `SELECT text, upper(text) AS "up,""per" FROM (VALUES ${rows.join(', ')}) AS q(text)`;
  const expected = (await (await duckdb.run(query)).getRows()) as (string | null)[][];
  for (const [format, reader] of [
    [
      'csv',
      `read_csv('FILE', header = true, all_varchar = true, allow_quoted_nulls = false, quote = '"', delim = ',')`,
    ],
    ['ndjson', `read_ndjson('FILE', columns = { text: 'VARCHAR', 'up,"per': 'VARCHAR' })`],
  ] as const) {
    const path = join(FOLDER, `rows.${format}`);
    writeFileSync(path, sql(query, '--format', format).stdout);
    const read = await (await duckdb.run(`FROM ${reader.replace('FILE', path)}`)).getRows();
    assert.equal(read, expected, format);
  }
  const hashed = sql(`SELECT url_hash(url) AS key, [url_hash(url)] AS all FROM ${PAGES}`).stdout;
  assert.is(hashed, `key,all\n${HASHES.map((hash) => `${hash ?? ''},[${hash ?? 'NULL'}]\n`).join('')}`);
  const table = sql(`SELECT id, url FROM ${PAGES} LIMIT 2`, '--format', 'table').stdout;
  assert.is(
    table,
    `id  url\n──  ──────────────────────────\n0   https://example.com\n1   HTTPS://EXAMPLE.COM:443/#a\n`,
  );
});

tests('bytes are hex, and a number that JSON lacks is a text, at any depth; NULL stays NULL', async () => {
  for (let round = 0; round < cases(12); round++) {
    const columns = Array.from({ length: 1 + next(4) }, () => randomValue(3));
    const names = columns.map((_, index) => `c${index}`);
    const query = `SELECT ${columns.map(({ sql: text }, index) => `${text} AS c${index}`).join(', ')}`;
    const expected = Object.fromEntries(names.map((name, index) => [name, columns[index]!.json]));
    const printed = sql(query, '--format', 'ndjson');
    assert.is(printed.stderr, '', query);
    assert.equal(JSON.parse(printed.stdout), expected, query);
  }
  const query = "SELECT {'a': 'k'::BLOB, 'n': 'nan'::DOUBLE} s, [['k'::BLOB]] l, MAP {'k'::BLOB: 'v'::BLOB} m";
  assert.is(sql(query).stdout, `s,l,m\n"{'a': 6b, 'n': nan}",[[6b]],{6b=76}\n`);
  const returned = "CREATE TABLE t(b BLOB, d DOUBLE); INSERT INTO t VALUES ('k', 'inf') RETURNING *, [b] AS l";
  assert.is(sql(returned, '--format', 'ndjson').stdout, '{"b":"6b","d":"Infinity","l":["6b"]}\n');
});

/** A value in SQL, and as JSON has it. */
interface Value {
  readonly sql: string;
  readonly json: unknown;
}

/** Makes values of each kind that has others in it, down to a depth. */
function randomValue(depth: number): Value {
  const leaves: readonly Value[] = [
    { sql: `'\\xFFk'::BLOB`, json: 'ff6b' },
    { sql: 'NULL::BLOB', json: null },
    { sql: `'nan'::DOUBLE`, json: 'NaN' },
    { sql: `'-inf'::FLOAT`, json: '-Infinity' },
    { sql: `'inf'::DOUBLE`, json: 'Infinity' },
    { sql: '0.5::DOUBLE', json: 0.5 },
    { sql: 'NULL::DOUBLE', json: null },
    { sql: `'a"b'`, json: 'a"b' },
    { sql: '7', json: 7 },
  ];
  if (depth === 0 || next(4) === 0) return leaves[next(leaves.length)]!;
  const { sql: text, json } = randomValue(depth - 1);
  const other = randomValue(depth - 1);
  const kinds: readonly Value[] = [
    { sql: `[${text}, NULL]`, json: [json, null] },
    { sql: `{'a b': ${text}, 'c': ${other.sql}}`, json: { 'a b': json, c: other.json } },
    { sql: `MAP {'k'::BLOB: ${text}}`, json: { '6b': json } },
    { sql: `row(${text})`, json: { '': json } },
    { sql: `union_value(u := ${text})`, json: { u: json } },
    { sql: `CASE WHEN true THEN NULL ELSE [${text}] END`, json: null },
    { sql: `CASE WHEN true THEN NULL ELSE {'a': ${text}} END`, json: null },
  ];
  return kinds[next(kinds.length)]!;
}

tests('a macro that has the name of a function is refused, before any statement that could call it', () => {
  const database = join(FOLDER, 'macros.db');
  for (const [query, macro] of [
    ["CREATE MACRO url_on_list(url, file) AS NULL; SELECT url_on_list('http://a/', 'b')", 'memory.main.url_on_list'],
    ["BEGIN; CREATE TEMP MACRO URL_Hash(url) AS 1; SELECT url_hash('http://a/')", 'temp.main.URL_Hash'],
    ["CREATE SCHEMA s; CREATE MACRO s.url_site(url) AS 1; SET search_path = 's'; SELECT 1", 'memory.s.url_site'],
    [
      'CREATE MACRO duckdb_functions() AS TABLE SELECT 1; CREATE MACRO url_host(url) AS 1; SELECT 1',
      'memory.main.url_host',
    ],
  ] as const) {
    const { stderr, stdout, status } = sql(query);
    assert.equal([status, stdout], [2, ''], query);
    assert.is(stderr, `urlsum: the macro ${macro} has the name of a function of urlsum: drop the macro\n`);
  }
  assert.is(sql('CREATE MACRO url_host(url) AS 1', '--database', database).status, 0);
  for (const query of [`ATTACH '${database}' AS other; USE other; SELECT url_host('http://a/')`, 'SELECT 1'])
    assert.match(
      sql(query, ...(query === 'SELECT 1' ? ['--database', database] : [])).stderr,
      /\.url_host has the name/,
    );
  const dropped = sql("DROP MACRO url_host; SELECT url_host('http://a/') AS host", '--database', database);
  assert.is(dropped.stdout, 'host\na\n');
});

tests('macros that have the names of functions and operators of DuckDB change nothing that is printed', () => {
  const macros = ['lower(a)', 'hex(a)', 'to_json(a)', 'chr(a)', 'concat(a, b)', 'replace(a, b, c)', '"||"(a, b)']
    .map((macro) => `CREATE MACRO ${macro} AS 'x';`)
    .join(' ');
  const query = "SELECT 'k'::BLOB AS b, 'a,\"b' AS t, {'l': ['k'::BLOB]} AS s";
  for (const format of ['csv', 'ndjson', 'table']) {
    const expected = sql(query, '--format', format).stdout;
    assert.is(sql(`${macros} ${query}`, '--format', format).stdout, expected, format);
  }
});

tests('options of the form and the width', () => {
  const keys = sql(`SELECT url_hash(url) FROM ${PAGES} LIMIT 2`, '--width', '8', '--exclude-fragment').stdout;
  assert.is(keys, `url_hash(url)\n${`${HASHES[0]!.slice(0, 16)}\n`.repeat(2)}`);
  assert.match(sql('SELECT 1', '--drop-list', 'x').stderr, /--drop-list must be/);
  const two = "SELECT url_canonical('http://a/#b') AS u, page_canonical('http://a/#b') AS p";
  assert.is(sql(two, '--exclude-fragment', '--prefix', 'page_').stdout, 'u,p\nhttp://a/#b,http://a/\n');
  for (const prefix of ['', 'Page_', "p';", '1'])
    assert.match(sql('SELECT 1', '--prefix', prefix).stderr, /--prefix must be of a-z, 0-9 and '_', without a digit/);
  const macro = "CREATE MACRO page_host(url) AS 1; SELECT page_host('http://a/')";
  assert.match(sql(macro, '--prefix', 'page_').stderr, /the macro memory\.main\.page_host has the name of a function/);
  assert.is(sql(macro).status, 0);
});

tests('several statements: the rows of the last; a database keeps what they make', () => {
  const database = ['--database', join(FOLDER, 'pages.db')];
  assert.is(sql('CREATE TABLE a AS SELECT 7 AS n; INSERT INTO a VALUES (8)', ...database).stdout, '');
  assert.is(sql('SELECT 1; FROM a -- ; no\n; /* ; */', ...database).stdout, 'n\n7\n8\n');
  assert.is(sql('BEGIN; INSERT INTO a VALUES (9); FROM a', ...database).stdout, 'n\n7\n8\n9\n');
  assert.is(sql('FROM a', ...database).stdout, 'n\n7\n8\n', 'it was not committed');
  for (const query of ['PRAGMA version', 'CALL pragma_version()', 'DESCRIBE SELECT 1', 'EXPLAIN SELECT 1'])
    assert.ok(sql(query).stdout.length > 20, query);
});

tests('errors are in one line, with the place, and status 2', () => {
  for (const [query, message] of [
    ['SELECT * FRM x', /^urlsum: Parser Error: syntax error at or near "x" \(line 1, column 14\)\n$/],
    ['SELECT 1;\nSELECT\n  nope FROM range(2)', /^urlsum: Binder Error: .*\(line 3, column 3\)\n$/],
    ["FROM 'none.parquet'", /^urlsum: IO Error: No files found that match the pattern "none\.parquet"\n$/],
    ["SELECT error('it is ' || i) FROM range(3) AS t(i)", /^urlsum: Invalid Input Error: it is 0\n$/],
    ['', /an argument is empty/],
    [' ; -- none', /the query is empty/],
  ] as const) {
    mustGive(sql(query), { status: 2, says: message });
  }
  assert.match(textOf(['sql']).stderr, /sql needs one query, in quotes/);
  assert.match(textOf(['sql', 'package.json']).stderr, /not a file: -f package\.json runs its statements/);
});

tests('an error amid the rows is never their end', () => {
  const query =
    "SELECT CASE i WHEN 290000 THEN error('row 290000') ELSE repeat('x', 99) END FROM range(300000) AS t(i)";
  for (const threads of ['1', '2']) {
    const out = join(FOLDER, 'rows.out');
    const { status, stderr } = sql(query, '-j', threads, '--out', out);
    assert.equal([status, stderr], [2, 'urlsum: Invalid Input Error: row 290000\n']);
    assert.not(existsSync(out));
  }
});

tests('COPY writes a file that is whole, or none', async () => {
  const folder = folderWith({ 'old.csv': 'old', 'kept.csv': 'kept' });
  chmodSync(join(folder, 'old.csv'), 0o640);
  symlinkSync('old.csv', join(folder, 'link.csv'));
  const rows = `SELECT *, url_hash(url) AS key FROM ${PAGES}`;
  assert.is(sql(`COPY (${rows}) TO '${folder}/link.csv'`).status, 0);
  assert.ok(lstatSync(join(folder, 'link.csv')).isSymbolicLink());
  assert.is(statSync(join(folder, 'old.csv')).mode & 0o777, 0o640);
  assert.is(readFileSync(join(folder, 'old.csv'), 'utf8').split('\n').length, LINES.length + 2);
  assert.is(sql(`COPY (${rows}) TO '${folder}/it''s.parquet' (COMPRESSION zstd); SELECT 1 AS n`).stdout, 'n\n1\n');
  const keys = await duckdb.run(`SELECT lower(hex(key)) FROM '${folder}/it''s.parquet'`);
  assert.equal((await keys.getRows()).flat(), HASHES);
  const failing = "SELECT CASE i WHEN 290000 THEN error('no') ELSE i END FROM range(300000) AS t(i)";
  for (const target of ['kept.csv', 'new.parquet'])
    assert.is(sql(`COPY (${failing}) TO '${folder}/${target}'`).status, 2);
  assert.is(readFileSync(join(folder, 'kept.csv'), 'utf8'), 'kept');
  assert.equal(readdirSync(folder).sort(), ["it's.parquet", 'kept.csv', 'link.csv', 'old.csv']);
  for (const target of ['STDOUT', "'/dev/stdout'", '"a.csv"', '$$a.csv$$', "E'a.csv'"]) {
    const { status, stderr } = sql(`COPY (SELECT 1) TO ${target}`);
    assert.equal([status, /rows for a pipe are those of a SELECT/.test(stderr)], [2, true], target);
  }
});

tests('a closed pipe, a full device and an interrupt end a query with a function at once', async () => {
  const query = `SELECT url_hash(url || i) FROM ${PAGES}, range(20_000_000) AS t(i)`;
  const command = (more: string) =>
    spawnSync('sh', ['-c', `"$0" dist/esm/cli.js sql -j 2 "$1" ${more}`, process.execPath, query], {
      env: ENVIRONMENT,
      encoding: 'utf8',
      timeout: 120_000,
    });
  const closed = command('| head -n 1');
  assert.equal([closed.signal, closed.stderr], [null, '']);
  if (existsSync('/dev/full')) {
    const full = command('> /dev/full');
    assert.equal([full.status, /standard output: ENOSPC/.test(full.stderr)], [2, true]);
  }
  const spills = () => readdirSync(tmpdir()).filter((name) => /^\.urlsum-\w+\.run$/.test(name));
  const before = spills();
  const out = join(FOLDER, 'interrupted.csv');
  const child = spawn(process.execPath, ['dist/esm/cli.js', 'sql', '-j', '2', `COPY (${query}) TO '${out}'`], {
    env: ENVIRONMENT,
  });
  for (let tries = 0; tries < 3000 && !readdirSync(FOLDER).some((name) => name.startsWith('.urlsum-')); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10)); // until COPY writes
  child.kill('SIGINT');
  const [, signal] = await once(child, 'close');
  assert.is(signal, 'SIGINT');
  assert.equal([existsSync(out), readdirSync(FOLDER).filter((name) => name.startsWith('.urlsum-'))], [false, []]);
  assert.equal(
    spills().filter((name) => !before.includes(name)),
    [],
  );
});

tests('statements are told apart as DuckDB tells them, whatever is in texts, names and comments', async () => {
  const statements = [
    ...['SELECT 1', "SELECT 'a;b', 'it''s;'", 'SELECT "a;""" FROM (SELECT 1 AS "a;""")', 'SELECT $$;$$, $x$;$y$;$x$'],
    ...["SELECT E'\\';\\\\', e';'", 'SELECT a$b FROM (SELECT 1 AS a$b)', ''],
  ];
  const ends = [';', '; -- ;\n', ' /* ; /* ; */ ; */ ;', ';\n;', " -- '\n;", ' /* " */;'];
  const pick = (from: readonly string[]) => from[next(from.length)]!;
  let compared = 0;
  for (let round = 0; round < 1000; round++) {
    const query = Array.from({ length: 1 + next(5) }, () => pick(statements) + pick(ends)).join('') + pick(statements);
    const count = await duckdb.extractStatements(query).then(
      (found) => found.count,
      () => undefined, // it is no SQL, or empty
    );
    if (count === undefined) continue;
    compared++;
    const found = statementsIn(query);
    assert.is(found.length, count, JSON.stringify(query));
    for (const statement of found) assert.is((await duckdb.extractStatements(statement)).count, 1, query);
  }
  assert.ok(compared > 900, `${compared} were SQL`);
});

tests('the target of a COPY', () => {
  const pathOf = (statement: string) => {
    const target = copyTargetIn(statement);
    return typeof target === 'object' ? statement.slice(target.start, target.end) : target;
  };
  for (const [statement, target] of [
    ["COPY t TO 'a.csv'", "'a.csv'"],
    ["copy (SELECT 'x' AS \"TO\", ')' FROM 'to.csv') /* TO 'c' */ to 'it''s.csv' (HEADER, DELIM ';')", "'it''s.csv'"],
    ["COPY t TO 'a.csv' WITH CSV HEADER", "'a.csv'"],
    ["COPY t FROM 'a.csv'", undefined],
    ['COPY FROM DATABASE a TO b', undefined],
    ["SELECT 'COPY t TO ''a'''", undefined],
    ["COPY t TO 'folder' (PARTITION_BY (a))", undefined],
    ["COPY t TO 'a' || 'b'", UNNAMED],
    ["COPY t TO getvariable('a')", UNNAMED],
    ["EXPLAIN ANALYZE COPY t TO 'a.csv'", UNNAMED],
    ["PREPARE p AS COPY t TO 'a.csv'", UNNAMED],
  ] as const)
    assert.is(pathOf(statement), target, statement);
});

tests(
  '-f runs the statements of a file, or of standard input; an argument is a query, whatever files there are',
  () => {
    const statements = "-- two\nCREATE TABLE t AS SELECT url_host('https://a.example/') AS host;\nFROM t;\n";
    const path = join(FOLDER, 'keys.sql');
    writeFileSync(path, `\ufeff${statements}`);
    assert.equal(textOf(['sql', '-f', path]), { stdout: 'host\na.example\n', stderr: '', status: 0 });
    assert.is(spawned(['sql', '--file', '-', '-j', '2'], statements).stdout.toString(), 'host\na.example\n');
    writeFileSync('SELECT 1 AS one', '');
    assert.is(sql('SELECT 1 AS one').stdout, 'one\n1\n', 'an argument is a query, even where a file has its name');
    rmSync('SELECT 1 AS one');
    assert.match(sql(path).stderr, /sql needs a query, not a file: -f \S+keys\.sql runs its statements, "FROM '/);
    for (const args of [[], ['-f', path, 'SELECT 1'], ['SELECT 1', 'SELECT 2']])
      assert.match(textOf(['sql', ...args]).stderr, /sql needs one query, in quotes: .+, or -f FILE\n/);
    assert.is(textOf(['sql', '-f', `${path}x`]).stderr, `urlsum: ${path}x: no such file\n`);
  },
);

tests('a query that fails before its first row prints its error alone; one without rows has its header', () => {
  const failing = "SELECT 1 AS a, error('stop') AS b";
  assert.equal(sql(failing), { stdout: '', stderr: 'urlsum: Invalid Input Error: stop\n', status: 2 });
  assert.is(sql('SELECT 1 AS a WHERE false').stdout, 'a\n');
});

tests.run();
