// Compares the canonical forms of generated and mutated lines with those of the `URL` of Node 26, which has the same
// Unicode, and is fast. Every line goes through the kernel's scan first, as in a file, and through the parser if the scan
// leaves it. Where the two differ, whatwg-url decides: Node 26 takes some hosts that the standard refuses (bidi rules
// and leading marks of the latest code points). For 10^9 lines and more: it counts in a file, and goes on from there.
//
//   node-26 build/forms.mjs [--lines N] [--seconds N] [--threads N] [--state FILE] [--seed N]
//
// FILE has each line that differs, with the number of its block, which the seed makes again. Status 1 if one is ours.
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { TEXT } from '../assembly/layout.ts';
import { LINE_FEED } from '../src/core/bytes/code-points.ts';
import { openKernel } from '../src/core/kernel/open.ts';
import { classify } from '../src/core/kernel/row-messages.ts';
import { canonicalForm } from '../src/core/url/canonicalize.ts';
import { formOf } from '../src/core/url/options.ts';
import { oracleOf } from './core/url/unicode-oracles.ts';
import { randomFrom } from './support/random.ts';
import { assembled, mutated, SAMPLE_URLS } from './support/samples.ts';

/** Lines that are counted together: some 2 MB of text. */
const BLOCK_LINES = 40_000;
const BATCH_LINES = 500;
const UNICODE = '17.0';

interface Difference {
  readonly block: number;
  readonly line: string;
  readonly form: string | undefined;
  readonly host: string | undefined;
  /** Whether whatwg-url has the host's form, or its refusal, and not ours. */
  readonly isOurs: boolean;
}

/** The state that is kept between runs. Blocks before `nextBlock` are done, and those in `doneBlocks`. */
interface State {
  readonly seed: number;
  readonly node: string;
  nextBlock: number;
  lineCount: number;
  /** Lines whose form the scan knew. */
  provenCount: number;
  /** Lines that are URLs. */
  validCount: number;
  readonly differences: Difference[];
}

interface BlockResult {
  readonly block: number;
  readonly provenCount: number;
  readonly validCount: number;
  readonly differences: readonly Difference[];
}

/** A block's lines: half of them put together from pieces, half of them URLs with a few edits. */
function* batchesOf(seed: number, block: number): Generator<string[]> {
  const next = randomFrom((seed + Math.imul(block, 0x9e3779b1)) >>> 0);
  for (let left = BLOCK_LINES; left > 0; left -= BATCH_LINES)
    yield Array.from({ length: BATCH_LINES }, () => {
      const line = next(2) === 0 ? assembled(next) : mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
      // as lines of a file are: without their ends, and with U+FFFD for a surrogate alone
      return line.replaceAll('\n', '').replace(/\r$/, '').toWellFormed();
    });
}

function compare(seed: number, block: number): BlockResult {
  const kernel = openKernel('simd');
  const { memory } = kernel;
  const form = formOf({ unicode: 17 });
  const differences: Difference[] = [];
  let [provenCount, validCount] = [0, 0];
  for (const lines of batchesOf(seed, block)) {
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    memory.bytes.set(text, TEXT);
    const rowCount = kernel.findLines(TEXT, TEXT + text.length, LINE_FEED);
    if (rowCount !== lines.length) throw new Error(`${rowCount} rows of ${lines.length} in block ${block}`);
    classify(kernel, { form }, rowCount, TEXT + text.length);
    const pending = new Set(memory.pending.subarray(0, memory.pendingCount));
    provenCount += rowCount - pending.size;
    for (const [row, line] of lines.entries()) {
      const [at, byteLength] = [memory.spans[2 * row]!, memory.spans[2 * row + 1]!];
      const known = pending.has(row)
        ? canonicalForm(line, undefined, form)
        : Buffer.from(memory.bytes.buffer, at, byteLength).toString('latin1');
      const found = typeof known === 'string' ? known : undefined;
      const host = URL.parse(line)?.href;
      if (host !== undefined) validCount++;
      if (found !== host) differences.push({ block, line, form: found, host, isOurs: parsed(line) !== found });
    }
  }
  return { block, provenCount, validCount, differences };
}

/** Parses by whatwg-url of the same version. */
function parsed(line: string): string | undefined {
  const { basicURLParse, serializeURL } = oracleOf(17).whatwgUrl;
  const record = basicURLParse(line);
  return record === null ? undefined : serializeURL(record);
}

function readState(path: string, seed: number): State {
  if (!existsSync(path))
    return { seed, node: process.version, nextBlock: 0, lineCount: 0, provenCount: 0, validCount: 0, differences: [] };
  const state: State = JSON.parse(readFileSync(path, 'utf8'));
  if (state.node !== process.version) throw new Error(`${path} was begun with Node ${state.node}`);
  return state;
}

function writeState(path: string, state: State): void {
  writeFileSync(`${path}.new`, JSON.stringify(state, null, 1));
  renameSync(`${path}.new`, path);
}

/** Gives each thread a block at a time; a block that is lost with a run is done again by the next. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      lines: { type: 'string', default: '1e9' },
      seconds: { type: 'string', default: 'Infinity' },
      threads: { type: 'string', default: '1' },
      state: { type: 'string', default: 'forms.json' },
      seed: { type: 'string', default: '20261124' },
    },
  });
  if (process.versions['unicode'] !== UNICODE || URL.parse === undefined)
    throw new Error(`needs a Node whose URL has Unicode ${UNICODE}, such as 26: this is ${process.version}`);
  const state = readState(values.state, Number(values.seed));
  const isOver = endOf(Number(values.lines), Number(values.seconds) * 1000, state);
  const done = new Map<number, BlockResult>();
  let given = state.nextBlock;
  const include = (result: BlockResult): void => {
    done.set(result.block, result);
    for (let next = done.get(state.nextBlock); next !== undefined; next = done.get(++state.nextBlock)) {
      done.delete(next.block);
      state.lineCount += BLOCK_LINES;
      state.provenCount += next.provenCount;
      state.validCount += next.validCount;
      state.differences.push(...next.differences);
    }
    if (state.nextBlock % 25 === 0) writeState(values.state, state);
  };
  await Promise.all(
    Array.from({ length: Number(values.threads) }, async () => {
      const worker = new Worker(process.argv[1]!, { workerData: { seed: state.seed } });
      while (!isOver(given)) include(await answerOf(worker, given++));
      await worker.terminate();
    }),
  );
  writeState(values.state, state);
  const { lineCount, provenCount, validCount, differences, seed } = state;
  const ours = differences.filter(({ isOurs }) => isOurs);
  for (const difference of ours.slice(0, 20)) console.log(JSON.stringify(difference));
  console.log(`${lineCount} lines, seed ${seed}: ${provenCount} known without parsing, ${validCount} URLs`);
  console.log(
    `${differences.length} differ from Node ${process.version}; ${ours.length} of these from whatwg-url, too`,
  );
  process.exitCode = ours.length === 0 ? 0 : 1;
}

function endOf(lineCount: number, timeMs: number, { nextBlock }: State): (block: number) => boolean {
  const end = nextBlock + Math.ceil(lineCount / BLOCK_LINES);
  const stopAtMs = performance.now() + timeMs;
  return (block) => block >= end || performance.now() >= stopAtMs;
}

async function answerOf(worker: Worker, block: number): Promise<BlockResult> {
  const answer = once(worker, 'message');
  worker.postMessage(block);
  return (await answer)[0];
}

if (isMainThread) await main();
else parentPort!.on('message', (block: number) => parentPort!.postMessage(compare(workerData.seed, block)));
