// How long does a line take from file to file, by format, by kind of record and by threads? `npm run bench -- command`.

import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { corpusLines, extentOf, isSmoke, LINE_COUNT, textOf } from './corpus.ts';
import { type Measure, measured } from './measure.ts';
import { type CommandUse, checkBytes, costOfRun, type LineFile, lineCosts, repeatedLines, urlsum } from './process.ts';
import { Report } from './report.ts';
import { builtNatives } from './rivals/natives.ts';
import { temporaryFile } from './rivals/program.ts';

const ROUNDS = isSmoke ? 1 : 3;
/** Times that the lines stand in the longer of the two files. */
const REPEATS = isSmoke ? 2 : 6;
const BYTES = 'urlsum --format bin';
const TEXT = 'urlsum, as text';
const FORMATS = ['hex', 'u64', 'tsv', 'ndjson'].map((format) => `urlsum --format ${format}`);

/** What the hashes of a file cost by each command, and what the command's other formats cost. */
function formatMeasures(): Measure[] {
  const [short, long] = filesOf((url) => url);
  const rivals = rivalCommands();
  checkBytes([{ name: BYTES, command: urlsum('--format bin') }, ...rivals], short);
  const options = (name: string) => (name === TEXT ? '' : name.replace('urlsum ', ''));
  const ours = [BYTES, 'urlsum canon', TEXT, ...FORMATS].map((name) => ({
    name,
    command: urlsum(options(name)),
    short,
    long,
  }));
  const check = { name: 'urlsum -c', command: urlsum('-c'), short: hashed(short), long: hashed(long) };
  return measuresOf([...ours, check, ...rivals.map((rival) => ({ ...rival, short, long }))]);
}

function rivalCommands(): { name: string; command: string }[] {
  const readline = `'${process.execPath}' '${resolve('bench/rivals/readline.mjs')}'`;
  const native = natives.starts.flatMap(({ bytesCommand, build }) =>
    bytesCommand === undefined
      ? []
      : [{ name: `C++, ada and OpenSSL, ${build ?? 'any processor'}`, command: bytesCommand }],
  );
  return [{ name: READLINE, command: readline }, ...native];
}

const READLINE = 'readline and crypto.hash, bytes';

/** The lines with their hashes, as `-c` reads them. */
function hashed({ path, lineCount }: LineFile): LineFile {
  const sums = temporaryFile();
  execFileSync(process.execPath, ['dist/esm/cli.js', '--out', sums, path]);
  return { path: sums, lineCount };
}

function measuresOf(uses: readonly (CommandUse & { readonly name: string })[]): Measure[] {
  const costs = lineCosts(uses, ROUNDS);
  return uses.map(({ name }, index) =>
    measured(
      name,
      costs[index]!.map(({ processor }) => processor),
    ),
  );
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
  return [repeatedLines(text, urls.length, 1), repeatedLines(text, urls.length, REPEATS)];
}

function recordMeasures(): Measure[] {
  const uses = RECORDS.map(([name, options, line]) => {
    const [short, long] = filesOf(line);
    return { name, command: urlsum(`--exit-zero --quiet ${options}`), short, long };
  });
  return measuresOf(uses);
}

/** As time passes: what threads are for. */
function threadMeasures(): Measure[] {
  const [short, long] = filesOf((url) => url);
  const uses = [1, 2].map((threads) => ({ command: urlsum(`--format bin -j ${threads}`), short, long }));
  const costs = lineCosts(uses, ROUNDS);
  return costs.map((each, index) =>
    measured(
      `-j ${index + 1}`,
      each.map(({ elapsed }) => elapsed),
    ),
  );
}

/** The most memory that a run held, as it tells itself: it must not grow with the input. */
function memoryMeasures(): Measure[] {
  return filesOf((url) => url).map(({ path, lineCount }) => {
    const args = ['dist/esm/cli.js', '--format', 'bin', '--stats=json', '--out', temporaryFile(), path];
    const { peakMemoryBytes } = JSON.parse(spawnSync(process.execPath, args).stderr.toString());
    return measured(`urlsum, ${lineCount.toLocaleString('en-US')} lines`, [peakMemoryBytes / 2 ** 20]);
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

function startMeasures(): Measure[] {
  const programs = Object.values(STARTS).map((code) => `'${process.execPath}' --input-type=module -e "${code}" --`);
  const rounds = programs.map((): number[] => []);
  for (let round = 0; round < (isSmoke ? 1 : 15); round++)
    programs.forEach((program, index) => rounds[index]!.push(costOfRun(program, '', '/dev/null').elapsed / 1e6));
  return Object.keys(STARTS).map((name, index) => measured(name, rounds[index]!));
}

const natives = await builtNatives(isSmoke);
const urls = corpusLines('main')
  .filter((url) => URL.canParse(url) && !/[ ^]/.test(url))
  .slice(0, LINE_COUNT);
const report = new Report('command', `medians of ${ROUNDS} rounds`, natives.absent);
const title = `Processor time of one line, from file to file: ${extentOf(urls)}`;
report.add('command', title, formatMeasures(), READLINE, { headlines: [BYTES, TEXT] });
report.add('records', 'Processor time of one record', recordMeasures(), RECORDS[0]![0], { headlines: [] });
report.add('threads', 'One line with --format bin, by threads', threadMeasures(), '-j 1', { headlines: ['-j 2'] });
const memory = memoryMeasures();
report.add('memory', 'Peak memory of the command', memory, memory[0]!.name, {
  unit: 'MiB',
  headlines: [memory[1]!.name],
});
report.add('cold-start', 'A whole process', startMeasures(), 'nothing', { unit: 'ms' });
report.write();
