import { median } from '../bench/measure.ts';
import type { Absence, BenchmarkMessage, BenchmarkRow, BenchmarkTask } from './benchmark-message.ts';
import { CONTENDERS, type Contender } from './contender.ts';
import { generatedUrls } from './generated-urls.ts';

const ROUNDS = 7;

/** A round is at least so long, since browsers round their clocks, some to a millisecond. */
const ROUND_MS = 40;

/** A contender with what it hashes in a round. */
interface Entry {
  readonly contender: Contender;
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
  const able: Contender[] = [];
  for (const contender of CONTENDERS) {
    const reason = await obstacle(contender);
    if (reason === undefined) able.push(contender);
    else absent.push({ name: contender.name, reason });
  }
  const comparedCount = await compare(able, urls);
  const entries = await warmedUp(able, urls);
  await measure(entries);
  return { kind: 'done', rows: entries.map(rowOf), absent, comparedCount, roundCount: ROUNDS };
}

/** Why this browser does not run it: only trying tells. */
async function obstacle({ run }: Contender): Promise<string | undefined> {
  try {
    await run(['https://example.com/']);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Every digest of every contender against the first one's. @throws where one differs */
async function compare(contenders: readonly Contender[], urls: readonly string[]): Promise<number> {
  let expected: Uint8Array | undefined;
  for (const [index, { name, run }] of contenders.entries()) {
    say({ kind: 'progress', share: (0.3 * index) / contenders.length, doing: `comparing digests: ${name}` });
    const digests = await run(urls);
    const at = expected === undefined ? -1 : digests.findIndex((byte, byteIndex) => byte !== expected![byteIndex]);
    if (at !== -1) throw new Error(`${name} and ${contenders[0]!.name} differ on ${urls[at >> 5]}`);
    if (digests.length !== 32 * urls.length) throw new Error(`${name} gave ${digests.length} bytes`);
    expected ??= digests;
  }
  return urls.length;
}

/** Runs each twice and says how often a round has to. */
async function warmedUp(contenders: readonly Contender[], urls: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const contender of contenders) {
    const part = urls.slice(0, contender.urlLimit);
    await elapsed(contender, part, 1);
    const once = await elapsed(contender, part, 1);
    entries.push({ contender, urls: part, repeats: Math.max(1, Math.ceil(ROUND_MS / Math.max(once, 0.1))), times: [] });
  }
  return entries;
}

/** In turn, round after round, so that a machine whose speed drifts slows them alike. */
async function measure(entries: readonly Entry[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    say({ kind: 'progress', share: 0.3 + (0.7 * round) / ROUNDS, doing: `round ${round + 1} of ${ROUNDS}` });
    for (const { contender, urls, repeats, times } of entries) {
      const ms = await elapsed(contender, urls, repeats);
      times.push((ms * 1e6) / (repeats * urls.length));
    }
  }
}

async function elapsed({ run }: Contender, urls: readonly string[], repeats: number): Promise<number> {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) await run(urls);
  return performance.now() - start;
}

function rowOf({ contender: { name, isOurs }, times }: Entry): BenchmarkRow {
  return { name, isOurs, median: median(times), fastest: Math.min(...times), slowest: Math.max(...times) };
}
