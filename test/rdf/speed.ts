import { spawnSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parseRdfStream, type RdfFormat } from '../../src/entries/hash-uri/rdf.ts';
import { classPath } from '../support/java.ts';
import { FOLDER } from '../support/scratch.ts';
import { BASE } from './document.ts';
import { fileOfLines } from './lines.ts';

const COMMAND = join(process.cwd(), 'dist/esm/cli.js');
const MEMORY_LIMIT_BYTES = 300e6;
const ROUNDS = 3;

/**
 * `make`, and then `check` and the library's CheckFile in turns: the same file, the same code. The ratio is
 * that of processor time, of all threads: a busy machine changes it less than the time that passes.
 */
export async function speed(count: number): Promise<string> {
  const source = await fileOfLines(count, 'nquads');
  const making = urlsum(['make', '--module', 'RA', '--out', FOLDER, BASE, source]);
  const code = making.output.trim().slice(-45);
  const path = join(FOLDER, `r1.${code}.nq`);
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: urlsum(['check', path]), theirs: checkFile(path) }));
  for (const { ours, theirs } of rounds) {
    assert.is(ours.output, `${path}: OK\n`);
    assert.is(theirs.output, `Correct hash: ${code}\n`);
  }
  const [ours, theirs] = [medians(rounds.map((round) => round.ours)), medians(rounds.map((round) => round.theirs))];
  const peakBytes = Math.max(making.peakBytes, ...rounds.map((round) => round.ours.peakBytes));
  assert.ok(peakBytes <= MEMORY_LIMIT_BYTES, `${peakBytes} bytes of memory`);
  const ratio = (theirs.processorSeconds / ours.processorSeconds).toFixed(1);
  return `${count} quads: check ${shown(ours)}, Java ${shown(theirs)}, ${ratio} times that, medians of ${ROUNDS}; make --out ${shown(making)}; ${megabytes(peakBytes)}`;
}

/** How long reading takes without sorting: N-Triples by the reader here and, as the Turtle that it is too, by n3. */
export async function parsing(count: number): Promise<string> {
  const path = await fileOfLines(count, 'ntriples');
  const rates: string[] = [];
  for (const [reader, format] of [
    ['own reader', 'ntriples'],
    ['n3', 'turtle'],
  ] as const)
    rates.push(`${reader} ${(await secondsOf(path, format, count)).toFixed(1)} s`);
  return `${count} triples: ${rates.join(', ')}`;
}

async function secondsOf(path: string, format: RdfFormat, count: number): Promise<number> {
  const start = performance.now();
  let read = 0;
  for await (const quad of parseRdfStream(createReadStream(path), { format })) read += Number(quad !== undefined);
  assert.is(read, count);
  return (performance.now() - start) / 1000;
}

/** Ten times as many take no more memory: they are sorted in runs. */
export async function largeFiles(count: number): Promise<string> {
  const source = await fileOfLines(count, 'nquads');
  const making = urlsum(['make', '--module', 'RA', BASE, source]);
  assert.match(making.output, /\.RA[\w-]{43}\n$/);
  assert.ok(making.peakBytes <= MEMORY_LIMIT_BYTES, `${making.peakBytes} bytes of memory`);
  return `${count} quads: make ${shown(making)}; ${megabytes(making.peakBytes)}`;
}

interface Times {
  readonly seconds: number;
  readonly processorSeconds: number;
}

interface Measured extends Times {
  readonly output: string;
}

/** Runs the built command, which leaves how much memory it had at most. */
function urlsum(args: readonly string[]): Measured & { readonly peakBytes: number } {
  const peakPath = join(FOLDER, 'peak');
  const writesPeak = `process.on('exit', () => fs.writeFileSync(${JSON.stringify(peakPath)}, fs.readFileSync('/proc/self/status')))`;
  const preload = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'; ${writesPeak}`)}`;
  const measured = timed([process.execPath, '--import', preload, COMMAND, 'hash-uri', ...args]);
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(peakPath, 'utf8'))!;
  return { ...measured, peakBytes: Number(kibibytes) * 1024 };
}

function checkFile(path: string): Measured {
  return timed(['java', ...classPath('test/rdf'), 'net.trustyuri.CheckFile', path]);
}

function timed(command: readonly string[]): Measured {
  const script = `TIMEFORMAT='%R %U %S'; time "$0" "$@"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, ...command], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  const [seconds, user, system] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
    number,
  ];
  return { output: stdout, seconds, processorSeconds: user + system };
}

function medians(all: readonly Times[]): Times {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const processorSeconds = median(all.map((each) => each.processorSeconds));
  return { seconds: median(all.map(({ seconds }) => seconds)), processorSeconds };
}

function shown({ seconds, processorSeconds }: Times): string {
  return `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)} s of processors)`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
