import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type LineFile, repeatedLines } from './command-cost.ts';
import { formatMeasures, TEXT_FORMAT } from './formats.ts';
import { type Contender, inMilliseconds, type Measure, measure, single } from './measure.ts';
import type { AddTable } from './report.ts';

/** What the command is given, again and again. */
export interface Lines {
  readonly text: Buffer;
  readonly lineCount: number;
  /** One round on little data. */
  readonly isSmoke: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const hashes = join(folder, 'hashes');

/** Whole processes of the built command: from file to file, by format, by threads, their memory and their start. */
export function benchCommand(lines: Lines, add: AddTable): void {
  benchFiles(lines, add);
  const formats = formatMeasures(lines.text, lines.lineCount, folder, lines.isSmoke);
  add('formats', 'Processor time of the command without its start, one line of each format', formats, TEXT_FORMAT);
  benchThreads(lines, add);
  benchMemory(lines, add);
  benchColdStart(lines, add);
}

function inputFile({ text, lineCount }: Lines, repeats: number): LineFile {
  return repeatedLines(join(folder, `lines-${repeats}`), text, lineCount, repeats);
}

function shell(command: string): number {
  const { status, stderr } = spawnSync('sh', ['-c', command]);
  if (status !== 0) throw new Error(`${command}: ${stderr.toString()}`);
  return status;
}

function command(name: string, args: string, count: number): Contender {
  return { name, run: () => shell(`'${process.execPath}' ${args} > '${hashes}'`), count };
}

function benchFiles(lines: Lines, add: AddTable): void {
  const repeats = lines.isSmoke ? 1 : 20;
  const { path, lineCount } = inputFile(lines, repeats);
  const contenders = [
    command('urlsum --format bin', `dist/esm/cli.js --format bin '${path}'`, lineCount),
    command('urlsum', `dist/esm/cli.js '${path}'`, lineCount),
    command('readline and the fastest idiom', `'${resolve('bench/readline-rival.mjs')}' '${path}'`, lineCount),
  ];
  const measures = measure(contenders, lines.isSmoke ? 1 : 3);
  const title = `Hash one line, a process from file to file: ${lineCount.toLocaleString('en-US')} lines`;
  add('command', title, measures, measures.at(-1)!.name);
}

function benchThreads(lines: Lines, add: AddTable): void {
  const repeats = lines.isSmoke ? 1 : 100;
  const { path, lineCount } = inputFile(lines, repeats);
  const threads = [1, 2, 4].filter((each) => each <= availableParallelism());
  const contenders = threads.map((each) =>
    command(`urlsum -j ${each}`, `dist/esm/cli.js --format bin -j ${each} '${path}'`, lineCount),
  );
  const measures = measure(contenders, lines.isSmoke ? 1 : 5);
  const title = `Hash one line, by threads, on ${availableParallelism()} cores: ${lineCount.toLocaleString('en-US')} lines`;
  add('threads', title, measures, measures[0]!.name, { isSeries: true });
}

/** The most memory that a run of the command held, as it tells itself: it must not grow with the input. */
function benchMemory(lines: Lines, add: AddTable): void {
  const measures = (lines.isSmoke ? [1] : [5, 50]).map((repeats): Measure => {
    const { path, lineCount } = inputFile(lines, repeats);
    const args = ['dist/esm/cli.js', '--format', 'bin', '--stats=json', '--out', hashes, path];
    const { peakMemoryBytes } = JSON.parse(spawnSync(process.execPath, args).stderr.toString()) as {
      peakMemoryBytes: number;
    };
    const name = `urlsum, ${lineCount.toLocaleString('en-US')} lines`;
    return single(name, peakMemoryBytes / 2 ** 20);
  });
  add('memory', 'Peak memory of the command', measures, measures[0]!.name, { unit: 'MiB', isSeries: true });
}

/** From the start of a process to its first hash. */
function benchColdStart({ isSmoke }: Lines, add: AddTable): void {
  const node = `'${process.execPath}'`;
  const inline = (code: string) => () => shell(`${node} --input-type=module -e "${code}"`);
  const contenders: Contender[] = [
    {
      name: 'urlsum, import and hash one URL',
      run: inline("import { UrlHash } from './dist/esm/index.js'; UrlHash.of('https://example.com/')"),
      count: 1,
    },
    { name: 'urlsum --version', run: () => shell(`${node} dist/esm/cli.js --version`), count: 1 },
    {
      name: 'node:crypto, import and hash one',
      run: inline("import { hash } from 'node:crypto'; hash('sha256', new URL('https://example.com/').href)"),
      count: 1,
    },
    {
      name: 'hash-wasm, import and hash one',
      run: inline("import { sha256 } from 'hash-wasm'; await sha256('https://example.com/')"),
      count: 1,
    },
    { name: 'node -e 0', run: () => shell(`${node} -e 0`), count: 1 },
  ];
  const measures = measure(contenders, isSmoke ? 1 : 9).map(inMilliseconds);
  add('cold-start', 'A whole process, from start to end', measures, measures.at(-1)!.name, { unit: 'ms' });
}
