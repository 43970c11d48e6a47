// The command on what crawls write: JSON lines of 300 bytes, CDX and CDXJ, beside the plain lines of the same URLs, on
// one thread and two: `npm run bench`. --smoke: a few lines and one round, to see that it runs.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LineCost, type LineFile, lineCosts, repeatedLines, urlsum } from './command-cost.ts';
import { corpusLines, LINE_KIND } from './corpus.ts';
import { isSmoke } from './extent.ts';
import { median } from './measure.ts';

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

function writeLines(path: string, line: (url: string, row: number) => string, repeats: number): LineFile {
  const text = Buffer.from(urls.map((url, row) => `${line(url, row)}\n`).join(''));
  return repeatedLines(path, text, urls.length, repeats);
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
  const bytesPerLine = statSync(short.path).size / short.lineCount;
  const options = (threads: number) => `--exit-zero --quiet ${args} -j ${threads}`;
  const uses = [1, 2].map((threads) => ({ command: urlsum(options(threads)), short, long }));
  lineCosts(uses, ROUNDS, join(folder, 'out')).forEach((costs, index) => {
    const of = (key: keyof LineCost) => median(costs.map((cost) => cost[key]));
    const rate = (1000 * bytesPerLine) / of('processor');
    const cells = [index + 1, of('elapsed'), of('processor'), rate, of('startUp') / 1e6].map((cell) => cell.toFixed(0));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  });
}
