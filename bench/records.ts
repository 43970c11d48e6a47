// The command on what crawls write, one process per file: JSON lines of 300 bytes, CDX and CDXJ, beside the plain lines
// of the same URLs, on one thread and two: `npm run bench`. --smoke: a few lines and one round, to see that it runs.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusLines, LINE_KIND } from './corpus.ts';

const isSmoke = process.argv.includes('--smoke');
const REPEATS = isSmoke ? 1 : 5;
const ROUNDS = isSmoke ? 1 : 5;
const JSON_BYTES = 300;

const urls = corpusLines('main')
  .filter((url) => !url.includes(' '))
  .slice(0, isSmoke ? 2000 : 200_000);
const LINE_COUNT = urls.length * REPEATS;
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

function writeLines(path: string, line: (url: string, row: number) => string): string {
  const text = Buffer.from(urls.map((url, row) => `${line(url, row)}\n`).join(''));
  const file = openSync(path, 'w');
  for (let repeat = 0; repeat < REPEATS; repeat++) writeSync(file, text);
  closeSync(file);
  return path;
}

interface Cost {
  /** Nanoseconds per line, from the start of a process to its end. */
  readonly elapsed: number;
  /** The same of all its processors: less moved by what else the machine does. */
  readonly processor: number;
}

/** The least of several runs. */
function costOf(args: string, path: string): Cost {
  const costs = Array.from({ length: ROUNDS }, () => runCost(args, path));
  const least = (of: (cost: Cost) => number) => Math.min(...costs.map(of));
  return { elapsed: least(({ elapsed }) => elapsed), processor: least(({ processor }) => processor) };
}

function runCost(args: string, path: string): Cost {
  const script = `'${process.execPath}' dist/esm/cli.js --exit-zero --quiet ${args} '${path}' > '${folder}/out'`;
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%e %U %S', 'sh', '-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args}: ${stderr}`);
  const [elapsed, user, system] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
    number,
  ];
  return { elapsed: (elapsed * 1e9) / LINE_COUNT, processor: ((user + system) * 1e9) / LINE_COUNT };
}

console.log(`${cpus()[0]!.model}, Node ${process.versions.node}, ${LINE_COUNT} ${LINE_KIND} URLs, file to file\n`);
console.log(
  '| what | threads | ns per line | of a processor | MB/s of a processor |\n| --- | ---: | ---: | ---: | ---: |',
);
for (const [name, args, line] of KINDS) {
  const path = writeLines(join(folder, 'in'), line);
  const bytesPerLine = statSync(path).size / LINE_COUNT;
  for (const threads of [1, 2]) {
    const { elapsed, processor } = costOf(`${args} -j ${threads}`, path);
    const rate = ((1000 * bytesPerLine) / processor).toFixed(0);
    console.log(`| ${name} | ${threads} | ${elapsed.toFixed(0)} | ${processor.toFixed(0)} | ${rate} |`);
  }
}
