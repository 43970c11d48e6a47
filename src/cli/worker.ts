// A thread of -j: does the work of a plan on a block of whole rows, and writes its output where no other block matters.

import { workerData } from 'node:worker_threads';
import { answerEach } from '../pool/answers.ts';
import { type Range, RangeReader } from '../pool/range.ts';
import { planOf } from './commands/commands.ts';
import { BlockWriter } from './format/block-writer.ts';
import type { BlockReport } from './stage/report.ts';
import { Diagnostics } from './terminal/diagnostics.ts';
import { resultsOf } from './work.ts';

/** A block that the main thread has read, or a range of a plain file of lines. */
export type WorkerTask =
  | { readonly block: Uint8Array<ArrayBuffer>; readonly rowsBefore: number; readonly state: unknown }
  | { readonly range: Range };

/** A task, and memory for its output. */
export type WorkerJob = WorkerTask & { readonly spare: ArrayBuffer | undefined };

/** The output of a block; or where the main thread writes, in order, its results and its rows. */
export type WorkerAnswer = { readonly report: BlockReport } & (
  | { readonly output: Uint8Array<ArrayBuffer> }
  | { readonly message: unknown; readonly block: Uint8Array<ArrayBuffer> }
);

const plan = await planOf(workerData as readonly string[], new Diagnostics());
const writer = plan.transfer === undefined ? new BlockWriter(await plan.openFormat(), plan.onError) : undefined;
const reader = new RangeReader();

function answerTo(job: WorkerJob): WorkerAnswer {
  if ('block' in job && job.state !== undefined) plan.framing.resume!(job.state);
  const [block, rowsBefore] = 'block' in job ? [job.block, job.rowsBefore] : [reader.lines(job.range), 0];
  const { report, results } = resultsOf(plan, block, rowsBefore);
  if (writer !== undefined) return { report, output: copyIn(job.spare, writer.written(results)) };
  return {
    report,
    message: plan.transfer!.messageOf(results),
    block: 'block' in job ? job.block : copyIn(job.spare, block),
  };
}

/**
 * A copy that can be transferred, in memory of an earlier output where that is large enough. Outputs of blocks differ
 * little: with an eighth to spare, it mostly is.
 */
function copyIn(spare: ArrayBuffer | undefined, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isLarge = spare !== undefined && spare.byteLength >= bytes.length;
  const copy = new Uint8Array(isLarge ? spare : new ArrayBuffer(Math.ceil(1.125 * bytes.length)), 0, bytes.length);
  copy.set(bytes);
  return copy;
}

function buffersOf(answer: WorkerAnswer): ArrayBuffer[] {
  if ('output' in answer) return [answer.output.buffer];
  return [answer.block.buffer, ...plan.transfer!.buffersOf(answer.message)];
}

answerEach(answerTo, buffersOf);
