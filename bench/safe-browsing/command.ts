import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExpressionHasher } from '../../src/entries/safe-browsing.ts';
import { costOfRun, urlsum } from '../command-cost.ts';
import { median } from '../measure.ts';

/** The lines again and again: a run's start counts little. */
const REPEATS = 10;

/**
 * Processor time of the command, from file to /dev/null, beside that of the hashes alone: other work does not count.
 */
export function benchCommand(lines: readonly string[], rounds: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
  const file = join(folder, 'urls.txt');
  const text = Buffer.from(`${lines.join('\n')}\n`.repeat(REPEATS));
  writeFileSync(file, text);
  const lineCount = lines.length * REPEATS;
  const times = Array.from({ length: rounds }, () => [commandNanoseconds(file), libraryNanoseconds(text)] as const);
  rmSync(folder, { recursive: true });
  const nanoseconds = [0, 1].map((index) => median(times.map((each) => each[index]!)) / lineCount);
  console.log(`
A line of ${lineCount}, as processor time

| | ns | million a second |
|---|---:|---:|
${['urlsum expressions --hash', 'ExpressionHasher.hashLines'].map((name, index) => `| ${name} | ${nanoseconds[index]!.toFixed(0)} | ${(1000 / nanoseconds[index]!).toFixed(2)} |`).join('\n')}`);
}

const commandNanoseconds = (file: string) =>
  costOfRun(urlsum('expressions --hash --quiet --exit-zero'), file, '/dev/null').processor;

const BLOCK_BYTES = 1 << 18;

function libraryNanoseconds(text: Buffer): number {
  const before = process.cpuUsage();
  const hasher = new ExpressionHasher();
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = text.lastIndexOf(0x0a, at + BLOCK_BYTES) + 1;
    hasher.hashLines(text.subarray(at, end));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1e3;
}
