// "Have I seen this URL?" for two crawls: an index and look-ups in it, beside DuckDB's anti-join and sort with comm on
// the same files: `npm run bench -- seen`.
//   --seen N   distinct lines of the first crawl; 10^7 are 500 MB
//   --new N    lines of the second, half of which the first has
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HashColumn } from '../src/core/digest/column.ts';
import { HashIndex } from '../src/entries/hash-index.ts';
import { PROFILE } from '../src/index.ts';
import { isSmoke } from './corpus.ts';
import { measured, type Turn, turn } from './measure.ts';
import { costOfRun, urlsum } from './process.ts';
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

/** The memory of the largest process that each script needed. */
const mebibytes = new Map<string, number>();

/** A script in the folder, which Bash runs under time(1). */
function scriptTurn(name: string, script: string): Turn {
  const timed = `cd '${folder}'; LC_ALL=C TMPDIR=. /usr/bin/time -f %M -o memory bash -o pipefail -c ${quoted(script)}`;
  const round = () => {
    const { processor } = costOfRun(timed);
    mebibytes.set(name, Number(readFileSync(at('memory'), 'utf8')) / 1024);
    return { elapsed: processor };
  };
  return { name, round };
}

/**
 * Looks up random hashes, which are not in the index: each needs another page, all of which are checked already in
 * memory.
 */
function lookUps(name: string, memoryBytes: number): Turn {
  const index = HashIndex.open(at('seen.idx'), { memoryBytes });
  if (memoryBytes > 0) index.mustBeIntact();
  const column = HashColumn.of({
    bytes: new Uint8Array(randomBytes(8 * 100_000)),
    width: 8,
    invalidRows: [],
    profile: PROFILE,
    strippedCount: 0,
    hasUnicodeHosts: false,
  });
  return turn(name, column.length, () => index.matches(column));
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
const report = new Report('seen', [], 'one thread, ');
const [index, against, unseen, ...others] = [
  scriptTurn('urlsum index of the first crawl', urlsum('index --out seen.idx seen.txt')),
  scriptTurn(
    'urlsum --against --not of the second',
    urlsum('--against seen.idx --not --format hex --out against.out new.txt'),
  ),
  scriptTurn(
    'urlsum --unseen of the second',
    `rm -rf all.idx.d; cp seen.idx all.idx; ${urlsum('--unseen all.idx --format hex --out unseen.out new.txt')}`,
  ),
  scriptTurn('sort -u of the first crawl', 'sort -u -S 1G --parallel=1 -o seen.sorted seen.txt'),
  scriptTurn(
    'sort -u of the second, and comm',
    'sort -u -S 1G --parallel=1 new.txt | comm -23 - seen.sorted > sorted.out',
  ),
  scriptTurn(DUCKDB_JOIN, `NODE_PATH=${resolve('node_modules')} '${process.execPath}' -e ${quoted(DUCKDB)}`),
] as const;
const extent = `${SEEN.toLocaleString('en-US')} URLs seen, and of ${NEW.toLocaleString('en-US')} half are new`;
await report.time('seen', `Processor time: ${extent}`, [index, against, unseen, ...others], DUCKDB_JOIN, {
  seconds: 20,
  warmUps: 0,
  unit: 's',
  headlines: [against.name, unseen.name],
});
const found = ['against.out', 'unseen.out', 'sorted.out', 'duckdb.out'].map(lineCount);
if (found.some((count) => count !== NEW / 2)) throw new Error(`found ${found.join(', ')} new lines, not ${NEW / 2}`);

const memory = [...mebibytes].map(([name, value]) => measured(name, value));
report.add('seen-memory', 'The same, peak memory', memory, DUCKDB_JOIN, { unit: 'MiB', headlines: [] });
const turns = [lookUps('urlsum index, in memory', Number.POSITIVE_INFINITY), lookUps('urlsum index, page by page', 0)];
const title = 'A look-up of a random hash of 8 bytes, of a processor';
await report.time('index-look-ups', title, turns, turns[1]!.name, { seconds: 8 });
report.write();
