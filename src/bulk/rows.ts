import { ROW_CAPACITY, ROWS } from '../../assembly/layout.ts';
import { decodeLine } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { scanRows as scanBatch } from '../kernel/scan.ts';
import type { Hashing } from './batch.ts';
import { ColumnBuilder } from './column-builder.ts';
import { BATCH_BYTES } from './lines.ts';
import type { FormSink, RowSink, Scanning } from './row-sink.ts';

/**
 * Row r is bytes[offsets[r], offsets[r + 1]): `offsets` must be ascending and inside of `bytes`. `forms` is given each
 * row's canonical form.
 */
export function hashRows<W extends Width>(
  hashing: Hashing<W>,
  bytes: Uint8Array,
  offsets: Uint32Array,
  forms?: FormSink,
  rowBounds = false,
): HashColumn<W> {
  const rowCount = Math.max(0, offsets.length - 1);
  const column = new ColumnBuilder(hashing, rowCount, forms);
  addRows(hashing, bytes, offsets, column);
  return column.build(rowBounds ? { starts: offsets.slice(0, rowCount), ends: offsets.slice(1) } : undefined);
}

/** Scans rows batch by batch and gives each batch to `sink`. */
export function addRows(scanning: Scanning, bytes: Uint8Array, offsets: Uint32Array, sink: RowSink): void {
  const rowCount = Math.max(0, offsets.length - 1);
  const inputOf = (row: number) => decodeLine(bytes.subarray(offsets[row], offsets[row + 1]));
  for (let first = 0; first < rowCount; first = sink.rowCount) {
    const end = batchEnd(offsets, first, rowCount);
    if (end === first) sink.addLong(bytes.subarray(offsets[first], offsets[first + 1]));
    else addBatch(scanning, bytes, offsets.subarray(first, end + 1), sink, inputOf);
  }
}

/** The row at which a batch that begins with the row `first` is full: `first` itself where that fits in none. */
function batchEnd(offsets: Uint32Array, first: number, rowCount: number): number {
  const bytesEnd = offsets[first]! + BATCH_BYTES;
  const limit = Math.min(rowCount, first + ROW_CAPACITY);
  let end = first;
  while (end < limit && offsets[end + 1]! <= bytesEnd) end++;
  return end;
}

/** `offsets` are those of the batch alone. */
function addBatch(
  { kernel, form }: Scanning,
  bytes: Uint8Array,
  offsets: Uint32Array,
  sink: RowSink,
  inputOf: (row: number) => string,
): void {
  const first = sink.rowCount;
  const rowCount = offsets.length - 1;
  kernel.memory.bytes.set(bytes.subarray(offsets[0], offsets[rowCount]), ROWS);
  kernel.memory.pending.set(offsets.subarray(1));
  scanBatch(kernel, form, offsets[0]!, rowCount);
  sink.addScanned(rowCount, (row) => inputOf(first + row));
}
