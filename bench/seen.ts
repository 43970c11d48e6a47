// "Have I seen this URL?" for two crawls: an index and look-ups in it, beside DuckDB's anti-join and sort with comm on
// the same files: `npm run bench -- seen`.
//   --seen N   distinct lines of the first crawl; 10^7 are 500 MB
//   --new N    lines of the second, half of which the first has
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HashColumn } from '../src/core/digest/column.ts';
import { HashIndex } from '../src/entries/hash-index.ts';
import { PROFILE } from '../src/index.ts';
import { isSmoke } from './corpus.ts';
import { measured } from './measure.ts';
import { Report } from './report.ts';
import { versioned } from './rivals/packages.ts';

const { values } = parseArgs({
  options: {
    seen: { type: 'string', default: isSmoke ? '20000' : '2000000' },
    new: { type: 'string', default: isSmoke ? '2000' : '200000' },
    smoke: { type: 'boolean' },
  },
});
const [SEEN, NEW] = [Number(values.seen), Number(values.new)];
const COMMAND = resolve('dist/esm/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-seen-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** Odd, so that its multiples modulo 2^32 are all different: lines in no order. */
const MULTIPLIER = 0x9e3779b1;
const LINES_AT_ONCE = 100_000;

/** Writes the canonical forms [from, to) of a sequence, each different from all others. */
function writeCrawl(name: string, from: number, to: number): void {
  const file = openSync(at(name), 'w');
  for (let start = from; start < to; start += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, to - start);
    writeSync(file, Array.from({ length: count }, (_, line) => urlOf(start + line)).join(''));
  }
  closeSync(file);
}

function urlOf(number: number): string {
  const mixed = Math.imul(number, MULTIPLIER) >>> 0;
  return `https://www.example.com/${(mixed >>> 20).toString(16)}/pages/${mixed}.html\n`;
}

interface Measured {
  readonly name: string;
  /** Of a processor: less moved by what else the machine does. */
  readonly processorSeconds: number;
  readonly mebibytes: number;
}

const rows: Measured[] = [];

/** Runs a script in bash under time(1) and notes what it took, and the memory of its largest process. */
function timed(name: string, script: string): void {
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    ['-f', '%U %S %M', 'bash', '-o', 'pipefail', '-c', script, process.execPath, COMMAND],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TMPDIR: folder } },
  );
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const [user, system, kibibytes] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
    number,
  ];
  rows.push({ name, processorSeconds: user + system, mebibytes: kibibytes / 1024 });
}

/**
 * Of random hashes, which are not in the index: each needs another page, all of which are checked already in memory.
 */
function lookupsPerSecond(path: string, memoryBytes: number): number {
  const index = HashIndex.open(path, { memoryBytes });
  if (memoryBytes > 0) index.mustBeIntact();
  const columns = Array.from({ length: 10 }, () =>
    HashColumn.of({
      bytes: new Uint8Array(randomBytes(8 * 20_000)),
      width: 8,
      invalidRows: [],
      profile: PROFILE,
      strippedCount: 0,
      hasUnicodeHosts: false,
    }),
  );
  index.matches(columns[0]!);
  const start = process.cpuUsage();
  let count = 0;
  for (const column of columns.slice(1)) {
    index.matches(column);
    count += column.length;
  }
  const { user, system } = process.cpuUsage(start);
  index.close();
  return (1e6 * count) / (user + system);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function lineCount(name: string): number {
  return Number(execFileSync('wc', ['-l', at(name)], { encoding: 'utf8' }).split(' ')[0]);
}

const DUCKDB_JOIN = `anti-join of the two files, ${versioned('@duckdb/node-api')}`;
/** Beside this script's packages; the statement is the one that DuckDB's shell would run. */
const DUCKDB = `
const { DuckDBInstance } = require('@duckdb/node-api');
const read = (name) => "read_csv('" + name + "', header = false, columns = {'url': 'VARCHAR'}, delim = '\\\\t', quote = '')";
DuckDBInstance.create(':memory:', { memory_limit: '8GB', threads: '1', temp_directory: 'duckdb' })
  .then((database) => database.connect())
  .then((connection) => connection.run(
    "COPY (SELECT DISTINCT url FROM " + read('new.txt') + " new ANTI JOIN " + read('seen.txt') + " seen USING (url))"
      + " TO 'duckdb.out' (FORMAT csv, HEADER false)"))
  .catch((error) => { console.error(error.message); process.exit(1); });
`;

writeCrawl('seen.txt', 0, SEEN);
writeCrawl('new.txt', SEEN - NEW / 2, SEEN + NEW / 2);
timed('urlsum index of the first crawl', '"$0" "$1" index --out seen.idx seen.txt');
timed(
  'urlsum --against --not of the second',
  '"$0" "$1" --against seen.idx --not --format hex --out against.out new.txt',
);
timed(
  'urlsum --unseen of the second',
  'cp seen.idx all.idx; "$0" "$1" --unseen all.idx --format hex --out unseen.out new.txt',
);
timed('sort -u of the first crawl', 'sort -u -S 1G --parallel=1 -o seen.sorted seen.txt');
timed('sort -u of the second, and comm', 'sort -u -S 1G --parallel=1 new.txt | comm -23 - seen.sorted > sorted.out');
timed(DUCKDB_JOIN, `NODE_PATH=${resolve('node_modules')} "$0" -e ${quoted(DUCKDB)}`);

const found = ['against.out', 'unseen.out', 'sorted.out', 'duckdb.out'].map(lineCount);
if (found.some((count) => count !== NEW / 2)) throw new Error(`found ${found.join(', ')} new lines, not ${NEW / 2}`);

const report = new Report('seen', 'one thread, one round');
const extent = `${SEEN.toLocaleString('en-US')} URLs seen, and of ${NEW.toLocaleString('en-US')} half are new`;
report.add(
  'seen',
  `Processor time: ${extent}`,
  rows.map(({ name, processorSeconds }) => measured(name, [processorSeconds])),
  DUCKDB_JOIN,
  { unit: 's', headlines: [rows[1]!.name, rows[2]!.name] },
);
report.add(
  'seen-memory',
  'The same, peak memory',
  rows.map(({ name, mebibytes }) => measured(name, [mebibytes])),
  DUCKDB_JOIN,
  { unit: 'MiB', headlines: [] },
);
const lookups = [
  ['urlsum index, in memory', Number.POSITIVE_INFINITY],
  ['urlsum index, page by page', 0],
] as const;
report.add(
  'index-look-ups',
  'A look-up of a random hash of 8 bytes, of a processor',
  lookups.map(([name, memoryBytes]) => measured(name, [1e9 / lookupsPerSecond(at('seen.idx'), memoryBytes)])),
  lookups[1][0],
);
report.write();
