// What does a user gain? A million lines from a file to a file of keys, by the command and by what is used today: w3lib in
// Python, normalize-url in Node, DuckDB and `sort -u`, of which the last two compare texts alone: `npm run bench --
// million`. Each row is a process of its own, from start to end, with the threads that it takes.

import { hash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import normalizeUrl from 'normalize-url';
import { PYTHON } from '../test/python.ts';
import { corpusLines, extentOf, isSmoke, textOf } from './corpus.ts';
import { measured } from './measure.ts';
import { costOfRun, urlsum } from './process.ts';
import { Report } from './report.ts';
import { versioned } from './rivals/packages.ts';
import { temporaryFile } from './rivals/program.ts';

const LINE_COUNT = isSmoke ? 2000 : 1_000_000;
const ROUNDS = isSmoke ? 1 : 3;
const W3LIB = `
import hashlib, sys
from w3lib.url import canonicalize_url
for line in open(sys.argv[1], encoding="utf-8", errors="surrogateescape"):
    try:
        print(hashlib.sha256(canonicalize_url(line[:-1]).encode()).hexdigest())
    except ValueError:
        print()
`;
const [marker, path] = process.argv.slice(2);

if (marker === '--duckdb') await hashByDuckDb(path!);
else if (marker === '--normalize-url') await hashByNormalizeUrl(path!);
else measureAll();

async function hashByDuckDb(file: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  const lines = `read_csv('${file}', columns = {url: 'VARCHAR'}, header = false, delim = '', quote = '', escape = '')`;
  await connection.run(`COPY (SELECT sha256(url) FROM ${lines}) TO '/dev/stdout' (FORMAT csv, HEADER false)`);
}

/** What it refuses gets an empty line, as everywhere. */
async function hashByNormalizeUrl(file: string): Promise<void> {
  let keys = '';
  for await (const line of createInterface({ input: createReadStream(file) })) {
    keys += `${keyOf(line)}\n`;
    if (keys.length < 1 << 20) continue;
    process.stdout.write(keys);
    keys = '';
  }
  process.stdout.write(keys);
}

function keyOf(line: string): string {
  try {
    return hash('sha256', normalizeUrl(line), 'hex');
  } catch {
    return '';
  }
}

function measureAll(): void {
  const known = corpusLines('main');
  const lines = Array.from({ length: LINE_COUNT }, (_, index) => known[index % known.length]!);
  const file = temporaryFile();
  writeFileSync(file, textOf(lines));
  const own = (name: string) => `'${process.execPath}' '${process.argv[1]}' ${name}`;
  const ways = [
    ['urlsum', urlsum('--format hex --quiet --exit-zero')],
    ['urlsum --preset page-2026', urlsum('--preset page-2026 --format hex --quiet --exit-zero')],
    ['sort -u, of texts', 'LC_ALL=C sort -u'],
    [`sha256(url) in ${versioned('@duckdb/node-api')}, of texts`, own('--duckdb')],
    [`${versioned('normalize-url')} and SHA-256 in Node`, own('--normalize-url')],
    ...(PYTHON === undefined ? [] : [['w3lib and SHA-256 in Python', `'${PYTHON}' -c '${W3LIB}'`] as const]),
  ] as const;
  const absent = PYTHON === undefined ? ['w3lib: test/engines/run --install has not installed it'] : [];
  const report = new Report('million', `${ROUNDS} rounds, each way a process`, absent);
  const seconds = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    ways.forEach(([, command], way) => seconds[way]!.push(costOfRun(command, file, temporaryFile()).elapsed / 1e9));
  const measures = ways.map(([name], way) => measured(name, seconds[way]!));
  report.add('million', `A file of keys from ${extentOf(lines)}`, measures, ways.at(-1)![0], { unit: 's' });
  report.write();
}
