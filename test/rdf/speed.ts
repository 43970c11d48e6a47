import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BASE } from './document.ts';
import { FOLDER } from './folder.ts';
import { fetchLibraries, java } from './java.ts';
import { fileOfLines } from './lines.ts';

const COMMAND = join(process.cwd(), 'dist/esm/cli.js');
const MEMORY_LIMIT_BYTES = 300e6;
const ROUNDS = 3;
const TIMES_AS_FAST = 5;

/** `make`, and then `check` and the library's CheckFile in turns: the same file, the same code. */
export async function speed(count: number): Promise<string> {
  const source = await fileOfLines(count, 'nquads');
  const making = urlsum(['make', '--module', 'RA', '--out', FOLDER, BASE, source]);
  const code = making.output.trim().slice(-45);
  const path = join(FOLDER, `r1.${code}.nq`);
  fetchLibraries();
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: urlsum(['check', path]),
    theirs: javaSeconds(path, code),
  }));
  const ours = median(rounds.map((round) => round.ours.seconds));
  const theirs = median(rounds.map((round) => round.theirs));
  const peak = Math.max(making.peakBytes, ...rounds.map((round) => round.ours.peakBytes));
  for (const round of rounds) assert.is(round.ours.output, `${path}: OK\n`);
  assert.ok(theirs / ours >= TIMES_AS_FAST, `check takes ${ours} s, Java ${theirs} s`);
  assert.ok(peak <= MEMORY_LIMIT_BYTES, `${peak} bytes of memory`);
  return `${count} quads: check ${ours.toFixed(1)} s, Java ${theirs.toFixed(1)} s (medians of ${ROUNDS}), make --out ${making.seconds.toFixed(1)} s, ${megabytes(peak)}`;
}

/** Ten times as many take no more memory: they are sorted in runs. */
export async function largeFiles(count: number): Promise<string> {
  const source = await fileOfLines(count, 'nquads');
  const { output, seconds, peakBytes } = urlsum(['make', '--module', 'RA', BASE, source]);
  assert.match(output, /\.RA[\w-]{43}\n$/);
  assert.ok(peakBytes <= MEMORY_LIMIT_BYTES, `${peakBytes} bytes of memory`);
  return `${count} quads: make ${seconds.toFixed(0)} s, ${megabytes(peakBytes)}`;
}

interface Measured {
  readonly output: string;
  readonly seconds: number;
  readonly peakBytes: number;
}

/** Runs the built command, which leaves how much memory it had at most. */
function urlsum(args: readonly string[]): Measured {
  const peakPath = join(FOLDER, 'peak');
  const writesPeak = `process.on('exit', () => fs.writeFileSync(${JSON.stringify(peakPath)}, fs.readFileSync('/proc/self/status')))`;
  const preload = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'; ${writesPeak}`)}`;
  const start = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', preload, COMMAND, 'hash-uri', ...args], {
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(peakPath, 'utf8'))!;
  return { output: stdout, seconds: (performance.now() - start) / 1000, peakBytes: Number(kibibytes) * 1024 };
}

function javaSeconds(path: string, code: string): number {
  const start = performance.now();
  assert.is(java(['net.trustyuri.CheckFile', path]).trim(), `Correct hash: ${code}`);
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
