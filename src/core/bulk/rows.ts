import { ROW_CAPACITY, ROWS } from '../../../assembly/layout.ts';
import { decodeLine } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { hashColumn } from './hash-column.ts';
import { BATCH_BYTES } from './lines.ts';
import { type Canonicalizing, type Hashing, UrlBatch } from './url-batch.ts';

/** Row r is bytes[offsets[r], offsets[r + 1]): `offsets` must be ascending and within `bytes`. */
export function hashRows<W extends Width>(
  hashing: Hashing<W>,
  bytes: Uint8Array,
  offsets: Uint32Array,
  rowBounds = false,
): HashColumn<W> {
  const bounds = rowBounds ? { rowStarts: offsets.subarray(0, -1), rowEnds: offsets.subarray(1) } : undefined;
  return hashColumn(hashing, batchesOfRows(hashing, bytes, offsets), bounds);
}

/** Yields the rows in batches of canonical forms; each is valid until the next. */
export function* batchesOfRows(
  canonicalizing: Canonicalizing,
  bytes: Uint8Array,
  offsets: Uint32Array,
): Generator<UrlBatch> {
  const rowCount = Math.max(0, offsets.length - 1);
  const { kernel } = canonicalizing;
  for (let first = 0, end = 0; first < rowCount; first = end) {
    const batch = new UrlBatch(canonicalizing);
    end = Math.max(first + 1, batchEnd(offsets, first, rowCount));
    const inputOf = (row: number) => decodeLine(bytes.subarray(offsets[first + row], offsets[first + row + 1]));
    const [start, bytesEnd] = [offsets[first]!, offsets[end]!];
    if (bytesEnd - start > BATCH_BYTES) {
      batch.parseLong(bytes.subarray(start, bytesEnd));
    } else if (kernel.separateRows === undefined) {
      batch.parse(end - first, inputOf);
    } else {
      kernel.memory.bytes.set(bytes.subarray(start, bytesEnd), ROWS);
      kernel.memory.rowEnds.set(offsets.subarray(first + 1, end + 1));
      batch.canonicalize(end - first, kernel.separateRows(start, end - first), inputOf);
    }
    yield batch;
  }
}

/** Returns the row at which a batch from row `first` on is full: `first` itself if that is too long for one. */
function batchEnd(offsets: Uint32Array, first: number, rowCount: number): number {
  const bytesEnd = offsets[first]! + BATCH_BYTES;
  const limit = Math.min(rowCount, first + ROW_CAPACITY);
  let end = first;
  while (end < limit && offsets[end + 1]! <= bytesEnd) end++;
  return end;
}
