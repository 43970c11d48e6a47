// How long does a line take from file to file, by format, by kind of record and by threads? `npm run bench -- command`.

import { execFileSync, spawnSync } from 'node:child_process';
import { corpusLines, extentOf, isSmoke, LINE_COUNT, textOf } from './corpus.ts';
import { type Measure, measured, type Turn } from './measure.ts';
import { checkBytes, type LineFile, lineTurn, processTurn, repeatedLines, urlsum } from './process.ts';
import { Report } from './report.ts';
import { builtNatives } from './rivals/natives.ts';
import { temporaryFile } from './rivals/program.ts';

/** Times that the lines stand in the longer of the two files. */
const REPEATS = isSmoke ? 2 : 4;
const BYTES = 'urlsum --format bin';
const TEXT = 'urlsum, as text';
const FORMATS = ['hex', 'u64', 'tsv', 'ndjson'].map((format) => `urlsum --format ${format}`);
const READLINE = 'readline and crypto.hash, bytes';
/** The program that a user would write without urlsum: the fastest one-liner, the packed digests to a file. */
const READLINE_CODE = `
const { hash } = require('node:crypto');
const { createReadStream } = require('node:fs');
const { createInterface } = require('node:readline');
const empty = Buffer.alloc(32);
(async () => {
  let digests = [];
  for await (const line of createInterface({ input: createReadStream(process.argv[1]) })) {
    digests.push(URL.canParse(line) ? Buffer.from(hash("sha256", new URL(line).href, "hex"), "hex") : empty);
    if (digests.length === 4096) process.stdout.write(Buffer.concat(digests.splice(0)));
  }
  process.stdout.write(Buffer.concat(digests));
})();
`.replaceAll("'", '"');

/** Measures what the hashes of a file cost by each command, and what the command's other formats cost. */
function formatTurns(): Turn[] {
  const files = filesOf((url) => url);
  const rivals: Record<string, string> = Object.fromEntries([
    [READLINE, `'${process.execPath}' -e '${READLINE_CODE}'`],
    ...natives.starts.flatMap(({ bytesCommand }) =>
      bytesCommand === undefined ? [] : [['C++, ada and OpenSSL', bytesCommand]],
    ),
  ]);
  checkBytes({ [BYTES]: urlsum('--format bin'), ...rivals }, files[0]);
  const options = (name: string) => (name === TEXT ? '' : name.replace('urlsum ', ''));
  return [
    ...[BYTES, 'urlsum canon', TEXT, ...FORMATS].map((name) => lineTurn(name, urlsum(options(name)), files)),
    lineTurn('urlsum -c', urlsum('-c'), [hashed(files[0]), hashed(files[1])]),
    ...Object.entries(rivals).map(([name, command]) => lineTurn(name, command, files)),
  ];
}

/** The lines with their hashes, as `-c` reads them. */
function hashed({ path, lineCount }: LineFile): LineFile {
  const sums = temporaryFile();
  execFileSync(process.execPath, ['dist/esm/cli.js', '--out', sums, path]);
  return { path: sums, lineCount };
}

const TIME = '20260102030405';
const DIGEST = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ';
const CDX_FIELDS = { mime: 'text/html', status: '200', digest: DIGEST, length: '12345', filename: 'CC-MAIN.warc.gz' };
const RECORDS: readonly (readonly [name: string, options: string, line: (url: string, row: number) => string])[] = [
  ['urlsum, plain lines', '', (url) => url],
  ['urlsum --json, JSON lines of 300 bytes', '--json url', jsonLine],
  [
    'urlsum --cdx, CDXJ',
    '--cdx',
    (url, row) => `com,example)/${row} ${TIME} ${JSON.stringify({ url, ...CDX_FIELDS })}`,
  ],
  [
    'urlsum --cdx, 11 fields',
    '--cdx',
    (url, row) => `com,example)/${row} ${TIME} ${url} text/html 200 ${DIGEST} - - 12345 ${row} CC-MAIN.warc.gz`,
  ],
];
const JSON_BYTES = 300;

function jsonLine(url: string, row: number): string {
  const record = { id: row, fetched: '2026-01-02T03:04:05Z', status: 200, digest: DIGEST, url, text: '' };
  const rest = Math.max(0, JSON_BYTES - Buffer.byteLength(JSON.stringify(record)));
  return JSON.stringify({ ...record, text: 'lorem ipsum '.repeat(Math.ceil(rest / 12)).slice(0, rest) });
}

/** A short file and a long one of the same records. */
function filesOf(line: (url: string, row: number) => string): [short: LineFile, long: LineFile] {
  const text = textOf(urls.map(line));
  return [repeatedLines(text, urls.length), repeatedLines(text, urls.length, REPEATS)];
}

/** The most memory that a run held, as it tells itself: it must not grow with the input. */
function memoryMeasures(): Measure[] {
  return filesOf((url) => url).map(({ path, lineCount }) => {
    const args = ['dist/esm/cli.js', '--format', 'bin', '--stats=json', '--out', temporaryFile(), path];
    const { peakMemoryBytes } = JSON.parse(spawnSync(process.execPath, args).stderr.toString());
    return measured(`urlsum, ${lineCount.toLocaleString('en-US')} lines`, peakMemoryBytes / 2 ** 20);
  });
}

/** Whole processes that import, and hash one URL. */
const STARTS = {
  'urlsum, import and hash one URL':
    "import { UrlHash } from './dist/esm/index.js'; UrlHash.of('https://example.com/')",
  'node:crypto': "import { hash } from 'node:crypto'; hash('sha256', new URL('https://example.com/').href)",
  'hash-wasm': "import { sha256 } from 'hash-wasm'; await sha256(new URL('https://example.com/').href)",
  '@noble/hashes': `import { sha256 } from '@noble/hashes/sha2.js';
    sha256(new TextEncoder().encode(new URL('https://example.com/').href))`,
  nothing: '0',
};

const natives = await builtNatives();
const urls = corpusLines('main')
  .filter((url) => URL.canParse(url) && !/[ ^]/.test(url))
  .slice(0, LINE_COUNT);
const report = new Report('command', natives.absent);
const quick = { seconds: 6, warmUps: 0 };
const title = `Processor time of one line, from file to file: ${extentOf(urls)}`;
await report.time('command', title, formatTurns(), READLINE, { seconds: 30, warmUps: 0, headlines: [BYTES, TEXT] });
const records = RECORDS.map(([name, options, line]) =>
  lineTurn(name, urlsum(`--exit-zero --quiet ${options}`), filesOf(line)),
);
await report.time('records', 'Processor time of one record', records, RECORDS[0]![0], {
  seconds: 15,
  warmUps: 0,
  headlines: [],
});
/** Measures the time that passes: threads are for that. */
const threads = [1, 2].map((count) =>
  lineTurn(
    `-j ${count}`,
    urlsum(`--format bin -j ${count}`),
    filesOf((url) => url),
    'elapsed',
  ),
);
await report.time('threads', 'One line with --format bin, by threads', threads, '-j 1', {
  ...quick,
  headlines: ['-j 2'],
});
const memory = memoryMeasures();
report.add('memory', 'Peak memory of the command', memory, memory[0]!.name, {
  unit: 'MiB',
  headlines: [memory[1]!.name],
});
const starts = Object.entries(STARTS).map(([name, code]) =>
  processTurn(name, `'${process.execPath}' --input-type=module -e "${code}"`, { path: '', lineCount: 1 }, 'elapsed'),
);
await report.time('cold-start', 'A whole process', starts, 'nothing', { ...quick, unit: 'ms' });
report.write();
