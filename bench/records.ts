// The command on what crawls write: JSON lines of 300 bytes, CDX and CDXJ, beside the plain lines of the same URLs, on
// one thread and two: `npm run bench`. A process has a short file and a long one; what the longer takes more is the cost
// of its lines, and the rest is starting and warming up. --smoke: a few lines and one round, to see that it runs.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusLines, LINE_KIND } from './corpus.ts';

const isSmoke = process.argv.includes('--smoke');
/** Times that the URLs stand in the short and in the long file. */
const SHORT = 1;
const LONG = isSmoke ? 2 : 11;
const ROUNDS = isSmoke ? 1 : 5;
const JSON_BYTES = 300;

const urls = corpusLines('main')
  .filter((url) => !url.includes(' '))
  .slice(0, isSmoke ? 2000 : 200_000);
const LINE_COUNT = urls.length * (LONG - SHORT);
const folder = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const TIME = '20260102030405';
const DIGEST = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ';

const KINDS: readonly (readonly [name: string, args: string, line: (url: string, row: number) => string])[] = [
  ['plain lines', '', (url) => url],
  ['JSON lines of 300 bytes', '--json url', jsonLine],
  [
    'CDX of 11 fields',
    '--cdx',
    (url, row) => `com,example)/${row} ${TIME} ${url} text/html 200 ${DIGEST} - - 12345 ${row} CC-MAIN-2026-01.warc.gz`,
  ],
  [
    'CDXJ',
    '--cdx',
    (url, row) =>
      `com,example)/${row} ${TIME} ${JSON.stringify({ url, mime: 'text/html', status: '200', digest: DIGEST, length: '12345', offset: `${row}`, filename: 'CC-MAIN-2026-01.warc.gz' })}`,
  ],
];

function jsonLine(url: string, row: number): string {
  const record = {
    id: row,
    fetched: '2026-01-02T03:04:05Z',
    status: 200,
    digest: DIGEST,
    languages: ['eng'],
    url,
    text: '',
  };
  const rest = Math.max(0, JSON_BYTES - Buffer.byteLength(JSON.stringify(record)));
  return JSON.stringify({ ...record, text: 'lorem ipsum '.repeat(Math.ceil(rest / 12)).slice(0, rest) });
}

function writeLines(path: string, line: (url: string, row: number) => string, repeats: number): string {
  const text = Buffer.from(urls.map((url, row) => `${line(url, row)}\n`).join(''));
  const file = openSync(path, 'w');
  for (let repeat = 0; repeat < repeats; repeat++) writeSync(file, text);
  closeSync(file);
  return path;
}

/** Nanoseconds from the start of a process to its end, and of all its processors: less moved by what else there is. */
interface Cost {
  readonly elapsed: number;
  readonly processor: number;
}

const KEYS = ['elapsed', 'processor'] as const;

/** The least of several runs, the short and the long file in turn. */
function costsOf(args: string, short: string, long: string): readonly [short: Cost, long: Cost] {
  const runs = Array.from({ length: ROUNDS }, () => [costOfRun(args, short), costOfRun(args, long)] as const);
  const least = (file: 0 | 1, key: keyof Cost) => Math.min(...runs.map((run) => run[file][key]));
  const costOf = (file: 0 | 1) => Object.fromEntries(KEYS.map((key) => [key, least(file, key)])) as unknown as Cost;
  return [costOf(0), costOf(1)];
}

function costOfRun(args: string, path: string): Cost {
  const script = `'${process.execPath}' dist/esm/cli.js --exit-zero --quiet ${args} '${path}' > '${folder}/out'`;
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%e %U %S', 'sh', '-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args}: ${stderr}`);
  const seconds = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number);
  const [elapsed, user, system] = seconds as [number, number, number];
  return { elapsed: elapsed * 1e9, processor: (user + system) * 1e9 };
}

const columns = [
  'what',
  'threads',
  'ns per line',
  'of a processor',
  'MB/s of a processor',
  'ms to start, of a processor',
];
console.log(`${cpus()[0]!.model}, Node ${process.versions.node}, ${LINE_COUNT} ${LINE_KIND} URLs, file to file\n`);
console.log(`| ${columns.join(' | ')} |\n| --- |${' ---: |'.repeat(columns.length - 1)}`);
for (const [name, args, line] of KINDS) {
  const short = writeLines(join(folder, 'short'), line, SHORT);
  const long = writeLines(join(folder, 'long'), line, LONG);
  const bytesPerLine = statSync(short).size / urls.length;
  for (const threads of [1, 2]) {
    const [start, whole] = costsOf(`${args} -j ${threads}`, short, long);
    const elapsed = (whole.elapsed - start.elapsed) / LINE_COUNT;
    const processor = (whole.processor - start.processor) / LINE_COUNT;
    const startUp = (start.processor - processor * urls.length) / 1e6;
    const cells = [threads, elapsed, processor, (1000 * bytesPerLine) / processor, startUp].map((cell) =>
      cell.toFixed(0),
    );
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
