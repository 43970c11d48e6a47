// Hashing URLs against what a user would pick instead, in one run: `npm run bench` prints the tables and writes them,
// as JSON and as charts too, to build/bench-results/. With --publish it writes to
// bench/results/, which the documents show; with --smoke it takes a few lines and one round, and writes nothing.

import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { DIGESTS, ROW_CAPACITY, TEXT } from '../assembly/layout.ts';
import { KERNEL_NAMES, openKernel } from '../src/core/kernel/open.ts';
import { canonicalize, kernelName, PROFILE, UrlHash, UrlHasher } from '../src/index.ts';
import { benchCommand } from './command.ts';
import { corpusLines, LINE_KIND } from './corpus.ts';
import { isPublished, isSmoke, LINE_COUNT, ROUNDS } from './extent.ts';
import { type Contender, type Measure, measure, single, timed } from './measure.ts';
import { type AddTable, Report, rowsOf } from './report.ts';
import { FASTEST_NODE, hashWasmDigest, RIVALS } from './rivals/node.ts';

const SIZES = isSmoke ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6, 1e7];

// Only lines on which this host's URL agrees with the standard: all contenders do the same work.
const hasher = new UrlHasher();
const lines = corpusLines('main').filter(isAgreedOn).slice(0, LINE_COUNT);
const text = textOf(lines);

function isAgreedOn(line: string): boolean {
  return URL.canParse(line) && !line.includes('^');
}

function textOf(some: readonly string[]): Buffer {
  return Buffer.from(`${some.join('\n')}\n`);
}

const OURS = ['UrlHasher.hashLines', 'UrlHasher.hashMany', 'UrlHash.of(url).hex'];
const isOurs = (name: string) => OURS.includes(name) || /^(?:UrlHasher|kernel|urlsum|--format|text)/.test(name);

/** Every contender must give the same digests before any is timed. */
function checkDigests(): void {
  const column = hasher.hashLines(text);
  const many = hasher.hashMany(lines);
  for (let row = 0; row < lines.length; row += isSmoke ? 1 : 20) {
    const line = lines[row]!;
    const expected = column.hex(row);
    const others = [many.hex(row), UrlHash.of(line).hex, ...RIVALS.map(({ digest }) => asHex(digest(line)))];
    for (const other of others) if (other !== expected) throw new Error(`${line}: ${other} is not ${expected}`);
  }
}

function asHex(digest: string | Uint8Array): string {
  return typeof digest === 'string' ? digest : Buffer.from(digest).toString('hex');
}

function forEachLine(name: string, some: readonly string[], digest: (url: string) => string | Uint8Array): Contender {
  const run = () => some.reduce((length, line) => length + digest(line).length, 0);
  return { name, run, count: some.length };
}

const report = new Report(
  `${cpus()[0]?.model.trim()} (${cpus().length} cores), Node ${process.versions.node}, kernel ${kernelName()}, profile ${PROFILE}, medians of ${ROUNDS} rounds`,
);

const add: AddTable = (name, title, measures, rival, { unit = 'ns', isSeries = false } = {}) =>
  report.add({ name, title, unit, rival, isSeries, rows: rowsOf(measures, rival, isOurs) });

function benchUrls(): void {
  const ours = [
    { name: OURS[0]!, run: () => hasher.hashLines(text), count: lines.length },
    { name: OURS[1]!, run: () => hasher.hashMany(lines), count: lines.length },
    forEachLine(OURS[2]!, lines, (url) => UrlHash.of(url).hex),
  ];
  const rivals = RIVALS.map(({ name, share, digest }) =>
    forEachLine(name, lines.slice(0, Math.ceil(lines.length / share)), digest),
  );
  const measures = measure([...ours, ...rivals], ROUNDS);
  const byteLength = (text.length / lines.length).toFixed(0);
  const title = `Hash one URL: ${lines.length.toLocaleString('en-US')} ${LINE_KIND} URLs, ${byteLength} bytes on average`;
  add('urls', title, measures, FASTEST_NODE);
}

/** Calls in one round of the kernels alone: after the rounds that warm up, V8 has optimised them. */
const KERNEL_CALLS = 50;

/** One-block messages, kernels alone: 40 bytes, a full batch per call. */
function benchKernels(): void {
  const messages = Array.from({ length: ROW_CAPACITY }, (_, row) => Buffer.alloc(40, row));
  const kernels = KERNEL_NAMES.map((name): Contender => {
    const kernel = openKernel(name);
    messages.forEach((message, row) => {
      kernel.memory.bytes.set(message, TEXT + 40 * row);
      kernel.memory.setSpan(row, TEXT + 40 * row, 40);
    });
    const run = () => {
      for (let call = 0; call < KERNEL_CALLS; call++) kernel.hash(0, ROW_CAPACITY, 32);
      return kernel.memory.bytes[DIGESTS];
    };
    return { name: `kernel ${name}`, run, count: KERNEL_CALLS * ROW_CAPACITY };
  });
  const repeated = Array.from({ length: KERNEL_CALLS }, () => messages).flat();
  const hashWasm = {
    name: 'hash-wasm',
    run: () => repeated.reduce((sum, message) => sum + hashWasmDigest(message)[0]!, 0),
    count: KERNEL_CALLS * ROW_CAPACITY,
  };
  const measures = measure([...kernels, hashWasm], ROUNDS);
  add('kernels', 'SHA-256 alone: a message of one block (40 bytes)', measures, hashWasm.name);
}

/** The same two contenders on one part of the corpus after the other. */
function benchParts(name: string, title: string, parts: Readonly<Record<string, readonly string[]>>): void {
  const contenders = Object.entries(parts)
    .filter(([, part]) => part.length > 0)
    .flatMap(([group, part]): Contender[] => {
      const partText = textOf(part);
      const idiom = forEachLine(FASTEST_NODE, part, RIVALS[0]!.digest);
      return [
        { name: OURS[0]!, group, run: () => hasher.hashLines(partText), count: part.length },
        { ...idiom, group },
      ];
    });
  add(name, title, measure(contenders, ROUNDS), FASTEST_NODE);
}

function benchLengths(): void {
  const blockCount = (line: string) => ((canonicalize(line).length + 8) >> 6) + 1;
  benchParts('lengths', 'Hash one URL, by its length in blocks of SHA-256', {
    'one block': lines.filter((line) => blockCount(line) === 1),
    'two blocks': lines.filter((line) => blockCount(line) === 2),
    'three blocks and more': lines.filter((line) => blockCount(line) > 2),
  });
}

function benchKinds(): void {
  const changed = [...lines, ...corpusLines('changed')].filter(isAgreedOn);
  const host = (line: string) => /^[a-z]+:\/\/([^/?#]*)/i.exec(line)?.[1] ?? '';
  benchParts('kinds', 'Hash one URL, by what it lacks to be canonical', {
    nothing: lines.filter((line) => canonicalize(line) === line),
    'the slash after the host': lines.filter((line) => canonicalize(line) === `${line}/`),
    escapes: changed.filter(
      (line) => canonicalize(line) !== line && /^[\w.-]+$/.test(host(line)) && /[ "<>`{}\x80-\uffff]/.test(line),
    ),
    'the ASCII form of its host': changed.filter((line) => /[^\0-\x7f]/.test(host(line))),
  });
}

/** Blocks of 1 MiB, as a stream or the command takes them: the cost of a line must not depend on their number. */
function benchSizes(): void {
  const measures = SIZES.map((size): Measure => {
    const part = lines.slice(0, Math.min(size, 10_000));
    const some = textOf(part);
    const repeats = Math.ceil(size / part.length);
    const rounds = Array.from({ length: size > 1e6 ? 1 : 3 }, () =>
      timed(() => Array.from({ length: repeats }, () => hasher.hashLines(some).length).length, part.length * repeats),
    );
    return single(`urlsum, ${size.toLocaleString('en-US')} lines`, Math.min(...rounds));
  });
  add('sizes', 'Hash one URL, by the number of lines', measures, measures.at(-1)!.name, { isSeries: true });
}

function benchAllocation(): void {
  const { stdout } = spawnSync(process.execPath, [
    '--expose-gc',
    '--max-semi-space-size=512',
    '--min-semi-space-size=512',
    'build/bench/allocation.mjs',
  ]);
  const measures = (JSON.parse(stdout.toString()) as [string, number][]).map(([name, bytes]) => single(name, bytes));
  add('allocation', 'Memory allocated for one URL', measures, FASTEST_NODE, { unit: 'bytes' });
}

checkDigests();
benchUrls();
benchKernels();
benchLengths();
benchKinds();
benchSizes();
benchAllocation();
benchCommand({ text, lineCount: lines.length, isSmoke }, add);
if (!isSmoke) report.write(isPublished ? 'bench/results' : 'build/bench-results');
