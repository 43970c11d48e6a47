import { TEXT } from '../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import { decodeLine } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { Batch } from './batch.ts';
import { ColumnBuilder } from './column-builder.ts';

/** Bytes of text a batch: with what the rows take, all of it stays in a core's second-level cache. */
const BATCH_BYTES = 128 * 1024;

export function hashLines(kernel: Kernel, text: Uint8Array, width: Width): HashColumn {
  const column = new ColumnBuilder(width);
  let at = 0;
  while (at < text.length) at = addBatch(kernel, text, at, width, column);
  return column.build();
}

/** Adds the lines of one batch and returns where the next begins. */
function addBatch(kernel: Kernel, text: Uint8Array, at: number, width: Width, column: ColumnBuilder): number {
  const end = batchEnd(text, at);
  if (end - at > BATCH_BYTES) return addLongLine(kernel, text, at, end, width, column);
  const textEnd = bringIn(kernel, text.subarray(at, end));
  const rowCount = kernel.scan(TEXT, textEnd);
  const { pending, pendingCount, rewrittenCount, spans, bytes, scannedEnd, roomEnd } = kernel.memory;
  const batch = new Batch(kernel, width, roomEnd);
  for (let index = 0; index < pendingCount; index++) {
    const row = pending[index]!;
    const line = spans[2 * row]!;
    batch.resolve(row, column.rowCount + row, decodeLine(bytes.subarray(line, line + spans[2 * row + 1]!)));
  }
  column.add(batch.digests(rowCount), batch.invalidRows, rowCount - pendingCount - rewrittenCount, rewrittenCount);
  return Math.min(end, at + scannedEnd - TEXT);
}

/** Behind the last line feed that fits in a batch, or behind the line that fits in none. */
function batchEnd(text: Uint8Array, at: number): number {
  if (text.length - at <= BATCH_BYTES) return text.length;
  const lastFeed = text.lastIndexOf(LINE_FEED, at + BATCH_BYTES - 1);
  if (lastFeed >= at) return lastFeed + 1;
  const feed = text.indexOf(LINE_FEED, at + BATCH_BYTES);
  return feed === -1 ? text.length : feed + 1;
}

/** Copies lines to TEXT, gives the last its line feed where it has none, and returns their end. */
function bringIn(kernel: Kernel, lines: Uint8Array): number {
  const { bytes } = kernel.memory;
  bytes.set(lines, TEXT);
  const end = TEXT + lines.length;
  if (lines[lines.length - 1] === LINE_FEED) return end;
  bytes[end] = LINE_FEED;
  return end + 1;
}

function addLongLine(
  kernel: Kernel,
  text: Uint8Array,
  at: number,
  end: number,
  width: Width,
  column: ColumnBuilder,
): number {
  let lineEnd = text[end - 1] === LINE_FEED ? end - 1 : end;
  if (lineEnd < end && text[lineEnd - 1] === CARRIAGE_RETURN) lineEnd--;
  const batch = new Batch(kernel, width, TEXT);
  batch.resolve(0, column.rowCount, decodeLine(text.subarray(at, lineEnd)));
  column.add(batch.digests(1), batch.invalidRows, 0, 0);
  return end;
}
