// The thread of a UrlHashPool: a block of whole lines, or a range of a file, in; a column out.

import { parentPort, workerData } from 'node:worker_threads';
import { hashLines } from '../bulk/lines.ts';
import { withoutByteOrderMark } from '../bulk/text.ts';
import type { Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { type ColumnMessage, messageOfColumn } from './message.ts';
import type { Answer } from './workers.ts';
import { type Range, RangeReader } from './range.ts';

/** Text that starts an input loses its byte order mark. */
export type PoolJob = { readonly lines: Uint8Array<ArrayBuffer>; readonly isStart: boolean } | { readonly range: Range };

const { width } = workerData as { readonly width: Width };
const reader = new RangeReader();

function answer(job: PoolJob): Answer<ColumnMessage> {
  try {
    const text = 'range' in job ? reader.lines(job.range) : job.lines;
    const isStart = 'range' in job ? job.range.start === 0 : job.isStart;
    return { result: messageOfColumn(hashLines(openKernel(), isStart ? withoutByteOrderMark(text) : text, width)) };
  } catch (error) {
    return { error };
  }
}

parentPort!.on('message', (job: PoolJob) => {
  const message = answer(job);
  parentPort!.postMessage(message, 'result' in message ? [message.result.bytes.buffer] : []);
});
