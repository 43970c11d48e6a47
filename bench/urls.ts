// How long does one URL take, beside what a user of Node would write instead? `npm run bench -- urls`.

import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { canonicalize, kernelName, PROFILE, UrlHash, UrlHasher } from '../src/index.ts';
import { corpusLines, extentOf, isSmoke, LINE_COUNT, textOf } from './corpus.ts';
import { byProcessor, measured, type Turn, turn } from './measure.ts';
import { Report } from './report.ts';
import { FASTEST_NODE, FORM_RIVALS, HREF, URL_RIVALS } from './rivals/packages.ts';

const ALLOCATION = '--allocation';
const ALLOCATION_LINES = 20_000;

// Only lines on which this host's URL agrees with the standard: all do the same work.
const hasher = new UrlHasher();
const lines = corpusLines('main').filter(isAgreedOn).slice(0, LINE_COUNT);

function isAgreedOn(line: string): boolean {
  return URL.canParse(line) && !line.includes('^');
}

interface Way {
  readonly name: string;
  readonly share: number;
  run(some: readonly string[]): unknown;
}

const forEachOf = (of: (url: string) => string | Uint8Array) => (some: readonly string[]) =>
  some.reduce((length, line) => length + of(line).length, 0);
const OF_ONE: Way = { name: 'UrlHash.of(url).hex', share: 1, run: forEachOf((url) => UrlHash.of(url).hex) };
const HASH_MANY: Way = { name: 'hashMany', share: 1, run: (some) => hasher.hashMany(some) };
const RIVALS = URL_RIVALS.map(({ of, ...rival }): Way => ({ ...rival, run: forEachOf(of) }));

function turnOf({ name, share, run }: Way, all: readonly string[], group?: string): Turn {
  const some = all.slice(0, Math.ceil(all.length / share));
  return turn(name, some.length, () => run(some), group);
}

function hashLines(all: readonly string[], group?: string): Turn {
  const text = textOf(all);
  return turn('hashLines', all.length, () => hasher.hashLines(text), group);
}

/** Every way must give the same digests before any is timed. */
function checkDigests(): void {
  const columns = [hasher.hashLines(textOf(lines)), hasher.hashMany(lines)] as const;
  for (let row = 0; row < lines.length; row += isSmoke ? 1 : 20) {
    const line = lines[row]!;
    const ours = [...columns.map((column) => column.hex(row)), UrlHash.of(line).hex];
    const theirs = URL_RIVALS.map(({ of }) => of(line)).map((digest) =>
      typeof digest === 'string' ? digest : Buffer.from(digest).toString('hex'),
    );
    for (const other of [...ours, ...theirs])
      if (other !== ours[0]) throw new Error(`${line}: ${other} is not ${ours[0]}`);
  }
}

/** hashLines and the fastest idiom on one part of the lines after the other. */
async function addParts(name: string, title: string, parts: Readonly<Record<string, readonly string[]>>) {
  const turns = Object.entries(parts)
    .filter(([, part]) => part.length > 0)
    .flatMap(([group, part]) => [hashLines(part, group), turnOf(RIVALS[0]!, part, group)]);
  await report.time(name, title, turns, FASTEST_NODE, { seconds: 8, headlines: [] });
}

function byLength(): Record<string, string[]> {
  const blockCount = (line: string) => ((canonicalize(line).length + 8) >> 6) + 1;
  return {
    'one block': lines.filter((line) => blockCount(line) === 1),
    'two blocks': lines.filter((line) => blockCount(line) === 2),
    'three blocks and more': lines.filter((line) => blockCount(line) > 2),
  };
}

/** Tells the bytes by the growth of the heap: the young generation is so large that nothing is collected. */
async function tellAllocation(): Promise<void> {
  const some = lines.slice(0, ALLOCATION_LINES);
  const text = textOf(some);
  const ways = [{ name: 'hashLines', run: () => hasher.hashLines(text) }, HASH_MANY, OF_ONE, ...RIVALS];
  const results: [name: string, bytes: number][] = [];
  for (const { name, run } of ways) results.push([name, (await allocatedBytes(() => run(some))) / some.length]);
  console.log(JSON.stringify(results));
}

async function allocatedBytes(run: () => unknown): Promise<number> {
  run(); // tables, buffers and compiled code that stay
  for (let round = 0; round < 3; round++) {
    globalThis.gc!();
    await setTimeout(20); // buffers are counted as freed some time after they are
  }
  const before = process.memoryUsage();
  const result = run();
  const after = process.memoryUsage();
  if (result === allocatedBytes) throw new Error('never: it only keeps the result in use');
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

function addAllocation(): void {
  const flags = ['--expose-gc', '--max-semi-space-size=512', '--min-semi-space-size=512'];
  const { stdout } = spawnSync(process.execPath, [...flags, process.argv[1]!, ALLOCATION]);
  const measures = (JSON.parse(stdout.toString()) as [string, number][]).map(([name, bytes]) => measured(name, bytes));
  report.add('allocation', 'Memory allocated for one URL', measures, FASTEST_NODE, { unit: 'bytes' });
}

if (process.argv.includes(ALLOCATION)) {
  await tellAllocation();
  process.exit();
}
checkDigests();
const report = new Report('urls', [], `kernel ${kernelName()}, profile ${PROFILE}, `);
const turns = [hashLines(lines), ...[HASH_MANY, OF_ONE, ...RIVALS].map((way) => turnOf(way, lines))].map(byProcessor);
const headlines = turns.slice(0, 3).map(({ name }) => name);
await report.time('urls', `Hash one URL: ${extentOf(lines)}`, turns, FASTEST_NODE, { seconds: 12, headlines });
const forms = [{ name: 'canonicalize(url)', of: (url: string) => canonicalize(url), share: 1 }, ...FORM_RIVALS].map(
  ({ of, ...way }) => turnOf({ ...way, run: forEachOf(of) }, lines),
);
await report.time('forms', 'The canonical form of one URL', forms, HREF, { seconds: 8 });
await addParts('lengths', 'Hash one URL, by its length in blocks of SHA-256', byLength());
addAllocation();
report.write();
