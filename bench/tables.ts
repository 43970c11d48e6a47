// Tables with a key, by the functions in DuckDB, beside the same statements without one: `npm run bench:tables`. Each
// row is a process of its own on one thread of DuckDB's, and counts all of its processor time. --smoke: a few rows, to
// see that it runs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { register } from '../src/tables/register.ts';
import { isSmoke } from './extent.ts';
import { median } from './measure.ts';

const ROWS = isSmoke ? 10_000 : 3_000_000;
const ROUNDS = isSmoke ? 1 : 3;
/** Rows of one URL where URLs are repeated, as those of a page's links are. */
const REPEATS = 15;
const [marker, statement] = process.argv.slice(2);

if (marker === '--statement') {
  await run(statement!);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log(JSON.stringify({ microseconds: userCPUTime + systemCPUTime, kibibytes: maxRSS }));
} else {
  await measureAll();
}

async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  register(connection);
  await connection.run(sql);
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

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  await run(`COPY (${rows(1)}) TO '${file('distinct.parquet')}'`);
  await run(`COPY (${rows(REPEATS)}) TO '${file('repeated.parquet')}'`);
  await run(`COPY (${rows(1)}) TO '${file('lines.ndjson')}' (FORMAT json)`);
  const copy = (from: string, columns: string) =>
    `COPY (SELECT ${columns} FROM '${file(from)}') TO '${file('out.parquet')}' (FORMAT parquet, COMPRESSION zstd)`;

  const statements: readonly (readonly [what: string, columns: string, statement: string])[] = [
    ['distinct.parquet', '*'],
    ['distinct.parquet', '*, url_hash(url) AS key'],
    ['distinct.parquet', '*, url_hash_u64(url) AS key'],
    ['distinct.parquet', '*, url_canonical(url) AS form'],
    ['distinct.parquet', 'url_hash(url) AS key'],
    ['repeated.parquet', '*'],
    ['repeated.parquet', '*, url_hash(url) AS key'],
    ['lines.ndjson', '*'],
    ['lines.ndjson', '*, url_hash(url) AS key'],
  ].map(([from, columns]) => [from!, columns!, copy(from!, columns!)]);

  console.log(`${cpus()[0]!.model}, Node ${process.versions.node}, ${ROWS} rows, one thread\n`);
  console.log('| from | columns of the Parquet file | µs of a processor per row | MB of memory | MB written |');
  console.log('| --- | --- | ---: | ---: | ---: |');
  for (const [from, columns, sql] of statements) {
    const costs = Array.from({ length: ROUNDS }, () => costOf(sql));
    const microseconds = median(costs.map((cost) => cost.microseconds)) / ROWS;
    const memory = Math.max(...costs.map((cost) => cost.kibibytes)) / 1000;
    const written = statSync(file('out.parquet')).size / 1e6;
    const cells = [microseconds.toFixed(2), memory.toFixed(0), written.toFixed(0)];
    console.log(`| ${from} | \`${columns}\` | ${cells.join(' | ')} |`);
  }
}

function costOf(sql: string): { readonly microseconds: number; readonly kibibytes: number } {
  const printed = execFileSync(process.execPath, [process.argv[1]!, '--statement', sql], { encoding: 'utf8' });
  return JSON.parse(printed);
}
