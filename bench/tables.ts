// What does a key cost in a table? DuckDB's statements with urlsum's functions beside the same without them, and the
// column of a Parquet file by the command, by hyparquet and by DuckDB: `npm run bench:tables`. Each row is a process of
// its own on one thread, and counts all of its processor time.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { register } from '../src/tables/register.ts';
import { isSmoke } from './corpus.ts';
import { type Measure, measured } from './measure.ts';
import { costOfRun, urlsum } from './process.ts';
import { Report } from './report.ts';
import { versioned } from './rivals/packages.ts';
import { temporaryFile } from './rivals/program.ts';

const ROWS = isSmoke ? 10_000 : 500_000;
const ROUNDS = isSmoke ? 1 : 3;
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
  register(connection);
  await connection.run(sql);
}

/** What its user would write, with the fastest hash of Node. */
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

/** Of one row, over the rounds: all in turn, as the other programs have it. */
function measuresOf(ways: readonly (readonly [name: string, cost: () => number, group?: string])[]): Measure[] {
  const rounds = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) ways.forEach(([, cost], index) => rounds[index]!.push(cost() / ROWS));
  return ways.map(([name, , group], index) => measured(name, rounds[index]!, group));
}

function costOfWork(...args: string[]): number {
  return Number(execFileSync(process.execPath, [process.argv[1]!, ...args, ...(isSmoke ? ['--smoke'] : [])]));
}

async function measureAll(): Promise<void> {
  const file = Object.fromEntries(
    ['distinct.parquet', 'repeated.parquet', 'lines.ndjson', 'out.parquet'].map((name) => [
      name,
      `${temporaryFile()}${name}`,
    ]),
  ) as Record<string, string>;
  await run(`COPY (${rows(1)}) TO '${file['distinct.parquet']}'`);
  await run(`COPY (${rows(REPEATS)}) TO '${file['repeated.parquet']}'`);
  await run(`COPY (${rows(1)}) TO '${file['lines.ndjson']}' (FORMAT json)`);
  const report = new Report('tables', `${ROWS} rows, one thread, medians of ${ROUNDS} rounds`);

  const statements = [
    ['distinct.parquet', '*'],
    ['distinct.parquet', '*, url_hash(url) AS key'],
    ['distinct.parquet', '*, url_hash_u64(url) AS key'],
    ['distinct.parquet', '*, url_canonical(url) AS form'],
    ['repeated.parquet', '*'],
    ['repeated.parquet', '*, url_hash(url) AS key'],
    ['lines.ndjson', '*'],
    ['lines.ndjson', '*, url_hash(url) AS key'],
  ] as const;
  const copies = statements.map(([from, columns]) => {
    const target = `TO '${file['out.parquet']}' (FORMAT parquet, COMPRESSION zstd)`;
    const sql = `COPY (SELECT ${columns} FROM '${file[from]}') ${target}`;
    return [columns, () => costOfWork('--statement', sql), from] as const;
  });
  const title = 'Processor time of a row that is written to Parquet, by columns';
  report.add('tables', title, measuresOf(copies), '*', { headlines: ['*, url_hash(url) AS key'] });

  const path = file['distinct.parquet']!;
  const select = (expression: string) => `SELECT count(${expression}) FROM '${path}'`;
  const hyparquet = `${versioned('hyparquet')} and crypto.hash`;
  const columns = [
    ['urlsum --column url', () => costOfRun(urlsum('--column url --format bin'), path, temporaryFile()).processor],
    ['url_hash(url) in DuckDB', () => costOfWork('--statement', select('url_hash(url)'))],
    [
      `sha256(url) in ${versioned('@duckdb/node-api')}, not canonical`,
      () => costOfWork('--statement', select('sha256(url)')),
    ],
    [hyparquet, () => costOfWork('--hyparquet', path)],
  ] as const;
  report.add('columns', 'Processor time of a URL in Parquet and its hash', measuresOf(columns), hyparquet);
  report.write();
}
