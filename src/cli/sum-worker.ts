// A thread of `urlsum -j`: hashes a block of whole lines, and writes its output where no other block has a say in it.

import { workerData } from 'node:worker_threads';
import { openKernel } from '../kernel/open.ts';
import { answerEach } from '../pool/answers.ts';
import { type ColumnMessage, messageOfColumn } from '../pool/message.ts';
import { type Range, RangeReader } from '../pool/range.ts';
import { BlockSum } from './block-sum.ts';
import { framingOf, type SumOptions, sinkOf } from './commands/sum-options.ts';

/** A block that the main thread has read, or a range of a plain file. */
export type SumJob = { readonly block: Uint8Array<ArrayBuffer> } | { readonly range: Range };

export interface SumAnswer {
  readonly byteLength: number;
  readonly column: ColumnMessage;
  /** What is to be written; or where the main thread writes (columns, or a selection in order), the rows it writes of. */
  readonly output?: Uint8Array<ArrayBuffer>;
  readonly block?: Uint8Array<ArrayBuffer>;
}

export interface SumWorkerData {
  readonly options: SumOptions;
  readonly isWriter: boolean;
}

const { options, isWriter } = workerData as SumWorkerData;
const sink = await sinkOf(isWriter ? options : { ...options, format: 'bin' });
const blocks = new BlockSum(openKernel(), await framingOf(options), options, undefined, sink);
const reader = new RangeReader();

function sumOf(job: SumJob): SumAnswer {
  const block = 'block' in job ? job.block : reader.lines(job.range);
  const rows = blocks.hash(block);
  const answer = { byteLength: block.length, column: messageOfColumn(rows.column) };
  if (!isWriter) return { ...answer, block: 'block' in job ? job.block : Uint8Array.from(block) };
  const output = blocks.write(rows);
  return { ...answer, output: output === rows.column.bytes ? rows.column.bytes : Uint8Array.from(output) };
}

/** Output that is the column itself goes once. */
function buffersOf({ column, output, block }: SumAnswer): ArrayBuffer[] {
  return [...new Set([column.bytes, output, block].flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer])))];
}

answerEach(sumOf, buffersOf);
