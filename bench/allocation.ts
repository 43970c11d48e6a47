// Bytes that a URL leaves behind for the garbage collector, results included. Run by bench/hash.ts in a process whose
// young generation is so large that nothing is collected meanwhile: what the heap grows by is what was allocated.

import { setTimeout } from 'node:timers/promises';
import { UrlHash, UrlHasher } from '../src/index.ts';
import { corpusLines } from './corpus.ts';
import { RIVALS } from './rivals/node.ts';

const LINE_COUNT = 20_000;
const lines = corpusLines('main')
  .filter((line) => URL.canParse(line))
  .slice(0, LINE_COUNT);
const text = Buffer.from(`${lines.join('\n')}\n`);
const hasher = new UrlHasher();

const WAYS: readonly (readonly [name: string, run: () => unknown])[] = [
  ['UrlHasher.hashLines', () => hasher.hashLines(text)],
  ['UrlHasher.hashMany', () => hasher.hashMany(lines)],
  ['UrlHash.of(url).hex', () => lines.forEach((line) => UrlHash.of(line).hex)],
  ...RIVALS.map(({ name, digest }) => [name, () => lines.forEach((line) => digest(line))] as const),
];

/** Buffers are freed, and counted as freed, some time after they are collected. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc!();
    await setTimeout(20);
  }
}

async function allocatedBytes(run: () => unknown): Promise<number> {
  run(); // tables, buffers and compiled code that stay
  await settle();
  const before = process.memoryUsage();
  const result = run();
  const after = process.memoryUsage();
  if (result === allocatedBytes) throw new Error('never: it only keeps the result in use');
  return (after.heapUsed + after.external - before.heapUsed - before.external) / lines.length;
}

const results: [name: string, bytes: number][] = [];
for (const [name, run] of WAYS) results.push([name, await allocatedBytes(run)]);
console.log(JSON.stringify(results));
