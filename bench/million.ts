// What does a user gain? A million lines from a file to a file of keys, by the command and by what is used today: the
// plain script of a user of Node, w3lib in Python, normalize-url in Node, DuckDB and `sort -u`, of which the last two
// compare texts alone: `npm run bench -- million`. Each row is a process of its own, and counts all of its processor time
// from start to end.

import { hash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import normalizeUrl from 'normalize-url';
import { corpusLines, extentOf, isSmoke, textOf } from './corpus.ts';
import { checkBytes, processTurn, repeatedLines, urlsum } from './process.ts';
import { Report } from './report.ts';
import { versioned } from './rivals/packages.ts';

const LINE_COUNT = isSmoke ? 2000 : 1_000_000;
/** Programs that take most of a minute get one line of so many. */
const SHARE = 5;
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
else if (marker === '--node') hashByNode(path!);
else await measureAll();

async function hashByDuckDb(file: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  const lines = `read_csv('${file}', columns = {url: 'VARCHAR'}, header = false, delim = '', quote = '', escape = '')`;
  await connection.run(`COPY (SELECT sha256(url) FROM ${lines}) TO '/dev/stdout' (FORMAT csv, HEADER false)`);
}

/** Hashes as the plain script of a user of Node does. */
function hashByNode(file: string): void {
  const keyOf = (line: string) => hash('sha256', new URL(line).href, 'hex');
  process.stdout.write(readFileSync(file, 'utf8').trimEnd().split('\n').map(keyIfUrl(keyOf)).join(''));
}

function keyIfUrl(keyOf: (line: string) => string): (line: string) => string {
  return (line) => {
    try {
      return `${keyOf(line)}\n`;
    } catch {
      return '\n';
    }
  };
}

/** Prints an empty line for what it refuses, as everywhere. */
async function hashByNormalizeUrl(file: string): Promise<void> {
  const normalizedKey = keyIfUrl((line) => hash('sha256', normalizeUrl(line), 'hex'));
  let keys = '';
  for await (const line of createInterface({ input: createReadStream(file) })) {
    keys += normalizedKey(line);
    if (keys.length < 1 << 20) continue;
    process.stdout.write(keys);
    keys = '';
  }
  process.stdout.write(keys);
}

async function measureAll(): Promise<void> {
  // not by the programs that are measured: where it is absent, a notice follows what they print
  const { PYTHON } = await import('../test/support/python.ts');
  // Node 20 leaves `^` in paths: without such lines the plain script writes the same bytes
  const known = corpusLines('main').filter((line) => !line.includes('^'));
  const lines = Array.from({ length: LINE_COUNT }, (_, index) => known[index % known.length]!);
  const some = lines.slice(0, LINE_COUNT / SHARE);
  // in millions
  const [whole, part] = [repeatedLines(textOf(lines), 1), repeatedLines(textOf(some), 1 / SHARE)];
  const own = (name: string) => `'${process.execPath}' '${process.argv[1]}' ${name}`;
  const python = `'${PYTHON}' -c '${W3LIB}'`;
  const ways = [
    ['urlsum', urlsum('--format hex --quiet --exit-zero'), whole],
    ["crypto.hash('sha256', new URL(line).href, 'hex') in Node", own('--node'), whole],
    ['urlsum --preset page-2026', urlsum('--preset page-2026 --format hex --quiet --exit-zero'), whole],
    ['sort -u, of texts', 'LC_ALL=C sort -u', whole],
    [`sha256(url) in ${versioned('@duckdb/node-api')}, of texts`, own('--duckdb'), whole],
    [`${versioned('normalize-url')} and SHA-256 in Node`, own('--normalize-url'), part],
    ...(PYTHON === undefined ? [] : [['w3lib and SHA-256 in Python', python, part] as const]),
  ] as const;
  const absent = PYTHON === undefined ? ['w3lib: test/engines/run --install has not installed it'] : [];
  const report = new Report('million', absent, 'the last two with a fifth of the lines, ');
  checkBytes({ urlsum: ways[0][1], 'the plain script': ways[1][1] }, part);
  const turns = ways.map(([name, command, file]) => processTurn(name, command, file));
  const limits = { seconds: 40, warmUps: 0, unit: 's' } as const;
  await report.time(
    'million',
    `Processor time from a file of ${extentOf(lines)}, to a file of keys`,
    turns,
    ways.at(-1)![0],
    limits,
  );
  report.write();
}
