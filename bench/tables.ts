// What does a key cost in a table? DuckDB's statements with urlsum's functions beside the same without them, and the
// column of a Parquet file by the command, by hyparquet and by DuckDB: `npm run bench -- tables`. Each row is a process
// of its own on one thread, and counts all of its processor time.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { register } from '../src/tables/register.ts';
import { isSmoke } from './corpus.ts';
import type { Turn } from './measure.ts';
import { processTurn, urlsum } from './process.ts';
import { Report } from './report.ts';
import { versioned } from './rivals/packages.ts';
import { temporaryFile } from './rivals/program.ts';

const ROWS = isSmoke ? 10_000 : 500_000;
/** Rows of one URL where URLs are repeated, as those of a page's links are. */
const REPEATS = 15;
const [marker, argument] = process.argv.slice(2);

if (marker === '--statement') await tellCost(() => run(argument!));
else if (marker === '--hyparquet') await tellCost(() => hashByHyparquet(argument!));
else await measureAll();

async function tellCost(work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  console.log(1e3 * (user + system));
}

async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await register(connection);
  await connection.run(sql);
}

/** The program that its user would write, with the fastest hash of Node. */
async function hashByHyparquet(path: string): Promise<void> {
  const { buffer } = new Uint8Array(readFileSync(path));
  const rows = (await parquetReadObjects({ file: buffer, columns: ['url'] })) as { url: string }[];
  const digests = rows.map(({ url }) => hash('sha256', new URL(url).href, 'hex'));
  if (digests.length !== ROWS) throw new Error(`${digests.length} rows, expected ${ROWS}`);
}

/** URLs of 75 bytes, each `repeats` times. */
function rows(repeats: number): string {
  const id = `(i // ${repeats})`;
  return `SELECT
      format('https://www.example-{:06d}.com/section/{:08d}/article.html?page={:08d}', ${id} * 7919 % 999983, ${id}, ${id} * 31)
        AS url,
      {'status': 200, 'type': 'text/html'} AS page, i AS id, i % 1000 AS size
    FROM range(${ROWS}) AS t(i)`;
}

/** Measures in a process of its own, per row. */
function workTurn(name: string, args: readonly string[], group?: string): Turn {
  const all = [process.argv[1]!, ...args, ...(isSmoke ? ['--smoke'] : [])];
  return { name, group, round: () => ({ elapsed: Number(execFileSync(process.execPath, all)) / ROWS }) };
}

async function measureAll(): Promise<void> {
  const folder = temporaryFile();
  const [distinct, repeated, json] = ['distinct.parquet', 'repeated.parquet', 'lines.ndjson'] as const;
  await run(`COPY (${rows(1)}) TO '${folder}${distinct}'`);
  await run(`COPY (${rows(REPEATS)}) TO '${folder}${repeated}'`);
  await run(`COPY (${rows(1)}) TO '${folder}${json}' (FORMAT json)`);
  const report = new Report('tables', [], `${ROWS} rows, one thread, `);
  const limits = { seconds: 18, warmUps: 0 };

  const copies = [
    [distinct, '*'],
    [distinct, '*, url_hash(url) AS key'],
    [distinct, '*, url_hash_u64(url) AS key'],
    [distinct, '*, url_canonical(url) AS form'],
    [repeated, '*'],
    [repeated, '*, url_hash(url) AS key'],
    [json, '*'],
    [json, '*, url_hash(url) AS key'],
  ].map(([from, columns]) => {
    const target = `TO '${folder}out.parquet' (FORMAT parquet, COMPRESSION zstd)`;
    return workTurn(columns!, ['--statement', `COPY (SELECT ${columns} FROM '${folder}${from}') ${target}`], from);
  });
  const title = 'Processor time of a row that is written to Parquet, by columns';
  await report.time('tables', title, copies, '*', { ...limits, headlines: ['*, url_hash(url) AS key'] });

  const path = `${folder}${distinct}`;
  const select = (expression: string) => ['--statement', `SELECT count(${expression}) FROM '${path}'`];
  const hyparquet = `${versioned('hyparquet')} and crypto.hash`;
  const columns = [
    processTurn('urlsum --column url', urlsum('--column url --format bin'), { path, lineCount: ROWS }),
    workTurn('url_hash(url) in DuckDB', select('url_hash(url)')),
    workTurn(`sha256(url) in ${versioned('@duckdb/node-api')}, not canonical`, select('sha256(url)')),
    workTurn(hyparquet, ['--hyparquet', path]),
  ];
  await report.time('columns', 'Processor time of a URL in Parquet and its hash', columns, hyparquet, limits);
  report.write();
}
