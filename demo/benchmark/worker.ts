import { median } from '../../bench/measure.ts';
import { kernelName } from '../../src/index.ts';
import { generatedUrls } from './generated-urls.ts';
import type { Absence, BenchmarkMessage, BenchmarkRow, BenchmarkTask } from './message.ts';
import { type HashMethod, OURS, SUBTLE } from './method.ts';

const ROUNDS = 7;

/** A round is at least so long, since browsers round their clocks, some to a millisecond. */
const ROUND_MS = 40;

/** A method with what it hashes in a round. */
interface Entry {
  readonly method: HashMethod;
  readonly urls: readonly string[];
  readonly repeats: number;
  readonly times: number[];
}

addEventListener('message', ({ data }: MessageEvent<BenchmarkTask>) => {
  void run(data).then(say, (error: unknown) => say({ kind: 'failed', reason: reasonOf(error) }));
});

function say(message: BenchmarkMessage): void {
  postMessage(message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function run({ seed, urlCount }: BenchmarkTask): Promise<BenchmarkMessage> {
  const urls = generatedUrls(seed, urlCount);
  const absent: Absence[] = [];
  const able: HashMethod[] = [];
  for (const method of [...OURS, ...(await loadedRivals(absent)), ...SUBTLE]) {
    const reason = await obstacle(method);
    if (reason === undefined) able.push(method);
    else absent.push({ name: method.name, reason });
  }
  const comparedCount = await compare(able, urls);
  const entries = await warmedUp(able, urls);
  await measure(entries);
  return { kind: 'done', rows: entries.map(rowOf), absent, comparedCount, roundCount: ROUNDS };
}

/** Without WebAssembly hash-wasm does not load. */
async function loadedRivals(absent: Absence[]): Promise<HashMethod[]> {
  const { HASH_WASM, hashWasm, noble } = await import('./rivals.ts');
  try {
    return [await hashWasm(), noble()];
  } catch (error) {
    absent.push({ name: HASH_WASM, reason: reasonOf(error) });
    return [noble()];
  }
}

/** Why this browser does not run it: only trying tells. */
async function obstacle({ run }: HashMethod): Promise<string | undefined> {
  try {
    await run(['https://example.com/']);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Every digest of every method against the first one's. @throws where one differs */
async function compare(methods: readonly HashMethod[], urls: readonly string[]): Promise<number> {
  let expected: Uint8Array | undefined;
  for (const [index, { name, run }] of methods.entries()) {
    say({ kind: 'progress', share: (0.3 * index) / methods.length, doing: `comparing digests: ${name}` });
    const digests = await run(urls);
    const at = expected === undefined ? -1 : digests.findIndex((byte, byteIndex) => byte !== expected![byteIndex]);
    if (at !== -1) throw new Error(`${name} and ${methods[0]!.name} differ on ${urls[at >> 5]}`);
    if (digests.length !== 32 * urls.length) throw new Error(`${name} gave ${digests.length} bytes`);
    expected ??= digests;
  }
  return urls.length;
}

/** Runs each twice and says how often a round has to. */
async function warmedUp(methods: readonly HashMethod[], urls: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const method of methods) {
    const part = urls.slice(0, method.urlLimit);
    await elapsed(method, part, 1);
    const once = await elapsed(method, part, 1);
    entries.push({ method, urls: part, repeats: Math.max(1, Math.ceil(ROUND_MS / Math.max(once, 0.1))), times: [] });
  }
  return entries;
}

/** Measures in turn, round after round, so that a machine whose speed drifts slows them alike. */
async function measure(entries: readonly Entry[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    say({ kind: 'progress', share: 0.3 + (0.7 * round) / ROUNDS, doing: `round ${round + 1} of ${ROUNDS}` });
    for (const { method, urls, repeats, times } of entries) {
      const ms = await elapsed(method, urls, repeats);
      times.push((ms * 1e6) / (repeats * urls.length));
    }
  }
}

async function elapsed({ run }: HashMethod, urls: readonly string[], repeats: number): Promise<number> {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) await run(urls);
  return performance.now() - start;
}

function rowOf({ method: { name, isOurs, kernel }, times }: Entry): BenchmarkRow {
  const isUsed = kernel === kernelName();
  return { name, isOurs, isUsed, median: median(times), fastest: Math.min(...times), slowest: Math.max(...times) };
}
