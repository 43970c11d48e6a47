// A thread of `urlsum -j`: hashes a block of whole lines, and writes its output where no other block has a say in it.

import { parentPort, workerData } from 'node:worker_threads';
import { withoutByteOrderMark } from '../bulk/text.ts';
import { openKernel } from '../kernel/open.ts';
import { type ColumnMessage, messageOfColumn } from '../pool/message.ts';
import { linesOfRange, type Range } from '../pool/range.ts';
import type { Answer } from '../pool/workers.ts';
import { BlockSum } from './block-sum.ts';
import { framingOf, sinkOf, type SumOptions } from './sum-options.ts';

/** A block that the main thread has read, or a range of a plain file. */
export type SumJob = { readonly block: Uint8Array<ArrayBuffer> } | { readonly range: Range };

export interface SumAnswer {
  readonly block: Uint8Array<ArrayBuffer>;
  readonly column: ColumnMessage;
  /** Left out where the main thread writes: columns are written as they are, and selections in order. */
  readonly output?: Uint8Array<ArrayBuffer>;
}

export interface SumWorkerData {
  readonly options: SumOptions;
  readonly isWriter: boolean;
}

const { options, isWriter } = workerData as SumWorkerData;
const sink = await sinkOf(isWriter ? options : { ...options, format: 'bin' });
const blocks = new BlockSum(openKernel(), await framingOf(options), options, undefined, sink);

function blockOf(job: SumJob): Uint8Array<ArrayBuffer> {
  if ('block' in job) return job.block;
  const lines = linesOfRange(job.range);
  return job.range.start === 0 ? (withoutByteOrderMark(lines) as Uint8Array<ArrayBuffer>) : lines;
}

function sumOf(job: SumJob): SumAnswer {
  const block = blockOf(job);
  const rows = blocks.hash(block);
  const column = messageOfColumn(rows.column);
  if (!isWriter) return { block, column };
  const output = blocks.write(rows);
  return output === column.bytes ? { block, column } : { block, column, output: Uint8Array.from(output) };
}

function answer(job: SumJob): Answer<SumAnswer> {
  try {
    return { result: sumOf(job) };
  } catch (error) {
    return { error };
  }
}

parentPort!.on('message', (job: SumJob) => {
  const message = answer(job);
  const buffers = 'result' in message ? [message.result.block, message.result.column.bytes, message.result.output] : [];
  parentPort!.postMessage(message, buffers.flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer])));
});
