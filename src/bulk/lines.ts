import { TEXT } from '../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import { endOfLines } from '../bytes/lines.ts';
import { decodeLine } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { scanLines } from '../kernel/scan.ts';
import type { Hashing } from './batch.ts';
import { ColumnBuilder } from './column-builder.ts';
import type { RowBounds } from './row-bounds.ts';
import type { FormSink, RowSink, Scanning } from './row-sink.ts';

/** Bytes of text per batch: with what the rows take, all of it stays in a core's second-level cache. */
export const BATCH_BYTES = 128 * 1024;

/** `forms` is given each line's canonical form, `bounds` its place in the text. */
export function hashLines<W extends Width>(
  hashing: Hashing<W>,
  text: Uint8Array,
  forms?: FormSink,
  bounds?: RowBounds,
): HashColumn<W> {
  const column = new ColumnBuilder(hashing, 0, forms);
  addLines(hashing, text, column, bounds);
  return column.build(bounds);
}

/** Scans lines batch by batch and gives each to `sink`. */
export function addLines(scanning: Scanning, text: Uint8Array, sink: RowSink, bounds?: RowBounds): void {
  for (let at = 0; at < text.length; ) at = addBatch(scanning, text, at, sink, bounds);
}

/** Adds the lines of one batch and returns where the next begins. */
function addBatch(
  { kernel, form }: Scanning,
  text: Uint8Array,
  at: number,
  sink: RowSink,
  bounds: RowBounds | undefined,
): number {
  const end = endOfLines(text, at, BATCH_BYTES);
  if (end - at > BATCH_BYTES) {
    const line = withoutLineEnd(text.subarray(at, end));
    sink.addLong(line);
    bounds?.add(at, at + line.length);
    return end;
  }
  const { memory } = kernel;
  const rowCount = scanLines(kernel, form, copyToWasm(kernel, text.subarray(at, end)));
  const { scannedEnd } = memory;
  const isWhole = at + scannedEnd - TEXT >= end;
  // The line feed that copyToWasm adds makes a line end of a last CR, which is not one.
  if (isWhole && text[end - 1] === CARRIAGE_RETURN) memory.rowEnds[rowCount - 1]!++;
  bounds?.addScanned(memory, rowCount, TEXT - at);
  sink.addScanned(rowCount, (row) => {
    const line = memory.spans[2 * row]!;
    return decodeLine(memory.bytes.subarray(line, line + memory.spans[2 * row + 1]!));
  });
  return isWhole ? end : at + scannedEnd - TEXT;
}

/** Copies lines to TEXT, gives the last its line feed where it has none, and returns their end. */
function copyToWasm({ memory }: Kernel, lines: Uint8Array): number {
  memory.bytes.set(lines, TEXT);
  const end = TEXT + lines.length;
  if (lines[lines.length - 1] === LINE_FEED) return end;
  memory.bytes[end] = LINE_FEED;
  return end + 1;
}

function withoutLineEnd(line: Uint8Array): Uint8Array {
  let end = line.length;
  if (line[end - 1] === LINE_FEED && line[--end - 1] === CARRIAGE_RETURN) end--;
  return line.subarray(0, end);
}
