import { madeUpLines } from '../../bench/made-up.ts';
import { type Measure, measure, type Turn } from '../../bench/measure.ts';
import { kernelName } from '../../src/index.ts';
import type { Absence, BenchmarkMessage, BenchmarkRow, BenchmarkTask } from './message.ts';
import { type HashMethod, OURS, SUBTLE } from './method.ts';

const ROUNDS = 7;

/** A round is at least so long, since browsers round their clocks, some to a millisecond. */
const ROUND_MS = 40;

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
  const urls = madeUpLines(urlCount, seed);
  const absent: Absence[] = [];
  const able: HashMethod[] = [];
  for (const method of [...OURS, ...(await loadedRivals(absent)), ...SUBTLE]) {
    const reason = await obstacle(method);
    if (reason === undefined) able.push(method);
    else absent.push({ name: method.name, reason });
  }
  const comparedCount = await compare(able, urls);
  const turns: Turn[] = [];
  for (const method of able) turns.push(await turnOf(method, urls));
  const measures = await measure(turns.map(tellingRound), { seconds: 0, rounds: ROUNDS, warmUps: 0 });
  return {
    kind: 'done',
    rows: measures.map((each, index) => rowOf(able[index]!, each)),
    absent,
    comparedCount,
    roundCount: ROUNDS,
  };
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

/** Runs the method twice, which tells how often a round has to. */
async function turnOf(method: HashMethod, urls: readonly string[]): Promise<Turn> {
  const part = urls.slice(0, method.urlLimit);
  await elapsedMs(method, part, 1);
  const onceMs = await elapsedMs(method, part, 1);
  const repeats = Math.max(1, Math.ceil(ROUND_MS / Math.max(onceMs, 0.1)));
  const round = async () => ({ elapsed: (1e6 * (await elapsedMs(method, part, repeats))) / (repeats * part.length) });
  return { name: method.name, round };
}

/** The first turn of a round says which round it is. */
function tellingRound({ name, round }: Turn, index: number): Turn {
  if (index > 0) return { name, round };
  let count = 0;
  const told = () => {
    say({ kind: 'progress', share: 0.3 + (0.7 * count) / ROUNDS, doing: `round ${++count} of ${ROUNDS}` });
    return round();
  };
  return { name, round: told };
}

async function elapsedMs({ run }: HashMethod, urls: readonly string[], repeats: number): Promise<number> {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) await run(urls);
  return performance.now() - start;
}

function rowOf({ name, isOurs, kernel }: HashMethod, { value: median, rounds }: Measure): BenchmarkRow {
  const isUsed = kernel === kernelName();
  return { name, isOurs, isUsed, median, fastest: Math.min(...rounds), slowest: Math.max(...rounds) };
}
