// Bulk and single hashing of real URLs against what a user would pick instead, in one run: `npm run bench`.
// --smoke: a few lines and one round, to see that it runs.

import { cpus } from 'node:os';
import { DIGESTS, ROW_CAPACITY, TEXT } from '../assembly/layout.ts';
import { kernelName, PROFILE, UrlHash, UrlHasher } from '../src/index.ts';
import { openKernel } from '../src/kernel/open.ts';
import { corpusLines } from './corpus.ts';
import { type Contender, measure, type Measure, ratio } from './measure.ts';
import { FASTEST_NODE, hashWasmDigest, RIVALS } from './rivals.ts';

const isSmoke = process.argv.includes('--smoke');
const LINE_COUNT = isSmoke ? 2000 : 200_000;
const ROUNDS = isSmoke ? 1 : 7;

// Only lines on which this host's URL agrees with the standard: all contenders do the same work.
const hasher = new UrlHasher();
const lines = corpusLines('main').filter(isAgreedOn).slice(0, LINE_COUNT);
const text = Buffer.from(`${lines.join('\n')}\n`);

function isAgreedOn(line: string): boolean {
  return URL.canParse(line) && !line.includes('^');
}

/** Every contender must give the same digests before any is timed. */
function checkDigests(): void {
  const column = hasher.hashLines(text);
  const many = hasher.hashMany(lines);
  for (let row = 0; row < lines.length; row += isSmoke ? 1 : 20) {
    const line = lines[row]!;
    const expected = column.hex(row);
    const others = [many.hex(row), UrlHash.of(line).toHex(), ...RIVALS.map(({ digest }) => asHex(digest(line)))];
    for (const other of others) if (other !== expected) throw new Error(`${line}: ${other} is not ${expected}`);
  }
}

function asHex(digest: string | Uint8Array): string {
  return typeof digest === 'string' ? digest : Buffer.from(digest).toString('hex');
}

function forEachLine(name: string, share: number, digest: (url: string) => string | Uint8Array): Contender {
  const part = lines.slice(0, Math.ceil(lines.length / share));
  const run = () => {
    let length = 0;
    for (const line of part) length += digest(line).length;
    return length;
  };
  return { name, run, count: part.length };
}

function printTable(title: string, measures: readonly Measure[], rival: Measure): void {
  const rows = measures.map((each) => `| ${each.name} | ${each.nanoseconds.toFixed(0)} | ${ratio(rival, each).toFixed(2)} |`);
  console.log(`\n${title}\n\n| | ns | times as fast as \`${rival.name}\` |\n|---|---:|---:|\n${rows.join('\n')}`);
}

function benchUrls(): void {
  const ours: Contender[] = [
    { name: 'UrlHasher.hashLines', run: () => hasher.hashLines(text), count: lines.length },
    { name: 'UrlHasher.hashMany', run: () => hasher.hashMany(lines), count: lines.length },
    forEachLine('UrlHash.of(url).toHex()', 1, (url) => UrlHash.of(url).toHex()),
  ];
  const measures = measure([...ours, ...RIVALS.map(({ name, share, digest }) => forEachLine(name, share, digest))], ROUNDS);
  printTable(`A URL, of ${lines.length} real ones (${(text.length / lines.length).toFixed(1)} bytes a line)`, measures, measures.find(({ name }) => name === FASTEST_NODE)!);
}

/** One-block messages, kernels alone: 40 bytes, a full batch a call. */
function benchKernels(): void {
  const messages = Array.from({ length: ROW_CAPACITY }, (_, row) => Buffer.alloc(40, row));
  const kernels = (['simd', 'scalar', 'js'] as const).map((name): Contender => {
    const kernel = openKernel(name);
    messages.forEach((message, row) => {
      kernel.memory.bytes.set(message, TEXT + 40 * row);
      kernel.memory.setSpan(row, TEXT + 40 * row, 40);
    });
    const run = () => {
      kernel.hash(0, ROW_CAPACITY, 32);
      return kernel.memory.bytes[DIGESTS];
    };
    return { name: `kernel ${name}`, run, count: ROW_CAPACITY };
  });
  const hashWasm = { name: 'hash-wasm', run: () => messages.reduce((sum, message) => sum + hashWasmDigest(message)[0]!, 0), count: ROW_CAPACITY };
  const measures = measure([...kernels, hashWasm], isSmoke ? 1 : 100);
  printTable('A message of one block (40 bytes), SHA-256 alone', measures, measures.at(-1)!);
}

checkDigests();
console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, kernel ${kernelName()}, profile ${PROFILE}, ${ROUNDS} rounds, medians`);
benchUrls();
benchKernels();
