// A thread of -j: carries out the plan on blocks of whole rows, and writes output that depends on no other block.

import { workerData } from 'node:worker_threads';
import { type Range, RangeReader } from '../store/pool/range.ts';
import { answerEach } from '../store/pool/workers.ts';
import { Diagnostics } from './arguments/diagnostics.ts';
import { planOf } from './commands/commands.ts';
import { givePlanFiles, type PlanFiles } from './read/inputs.ts';
import { BlockReport, type Results } from './work/results.ts';
import { buffersOf, copyIn, detached, type FramedBlock, ResultWriter, resultsOf } from './work/work.ts';

/** A block that the main thread has read, or a range of a plain file of lines. */
export type WorkerTask = FramedBlock | { readonly range: Range };

/** A task, with memory for its output. */
export type WorkerJob = WorkerTask & { readonly spare: ArrayBuffer | undefined };

/** The output of a block, or its results if the main thread writes them, in order. */
export type WorkerAnswer = {
  readonly report: BlockReport;
  /** Memory of the block that the main thread has read, for another one: here it would wait for a collection. */
  readonly blockMemory: ArrayBuffer | undefined;
} & ({ readonly output: Uint8Array<ArrayBuffer> } | { readonly batches: readonly Results[] });

/** What a thread makes its plan of: the command line, and what the main thread has read for it. */
export interface PlanSource {
  readonly args: readonly string[];
  readonly files: PlanFiles;
}

const { args, files } = workerData as PlanSource;
givePlanFiles(files);
const plan = await planOf(args, new Diagnostics());
const writer = plan.isOrdered === true ? undefined : new ResultWriter(plan, await plan.openFormat());
const reader = new RangeReader();

function answerTo(job: WorkerJob): WorkerAnswer {
  const framed = 'block' in job ? job : { block: reader.lines(job.range), state: undefined, rowsBefore: 0 };
  const report = new BlockReport(framed.block.length);
  const blockMemory = 'block' in job ? (job.block.buffer as ArrayBuffer) : undefined;
  const results = resultsOf(plan, framed, report);
  if (writer === undefined) return { batches: Array.from(results, detached), report, blockMemory };
  for (const batch of results) writer.write(batch);
  return { report, output: copyIn(job.spare, writer.take()), blockMemory };
}

function transferredIn(answer: WorkerAnswer): ArrayBuffer[] {
  const own = 'output' in answer ? [answer.output.buffer] : answer.batches.flatMap(buffersOf);
  return answer.blockMemory === undefined ? own : [...own, answer.blockMemory];
}

answerEach(answerTo, transferredIn);
