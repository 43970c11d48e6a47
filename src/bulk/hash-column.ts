import { concatBytes } from '../bytes/concat.ts';
import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { profileOfForm } from '../url/profile.ts';
import type { Hashing, UrlBatch } from './url-batch.ts';

/** Room for about 32,000 digests. */
const SCRATCH_BYTES = 1 << 20;

/**
 * Memory in which digests are collected, reused because touching fresh memory takes longer than copying. A column takes
 * it and gives it back, since the strings of one column may come from a generator that makes another.
 */
let spareScratch: Uint8Array<ArrayBuffer> | undefined;

function takeScratch(): Uint8Array<ArrayBuffer> {
  const scratch = spareScratch ?? new Uint8Array(SCRATCH_BYTES);
  spareScratch = undefined;
  return scratch;
}

type Bounds<W extends Width> = Pick<HashColumn<W>, 'rowStarts' | 'rowEnds'>;

/**
 * Hashes the rows of batches, one batch after another, and makes a column of their digests. `rowCount` is their number,
 * if it is known: they are then copied once.
 */
export function hashColumn<W extends Width>(
  { width, form }: Hashing<W>,
  batches: Iterable<UrlBatch>,
  rowCount = 0,
  boundsOf?: () => Bounds<W>,
): HashColumn<W> {
  const room = rowCount > 0 ? new Uint8Array(rowCount * width) : takeScratch();
  const pieces: Uint8Array[] = []; // of a column of unknown length: what does not fit in the room is copied once more
  let [filled, firstRow] = [0, 0];
  const invalidRows: InvalidRow[] = [];
  let [strippedCount, hasUnicodeHosts] = [0, false];
  for (const batch of batches) {
    const digests = batch.hash(width);
    if (pieces.length === 0 && filled + digests.length <= room.length) {
      room.set(digests, filled);
      filled += digests.length;
    } else {
      pieces.push(digests.slice());
    }
    for (const each of batch.invalidRows) invalidRows.push({ ...each, row: firstRow + each.row });
    firstRow += batch.rowCount;
    strippedCount += batch.strippedCount;
    hasUnicodeHosts ||= batch.unicodeHostRows.length > 0;
  }
  const isRoomAll = pieces.length === 0 && filled === room.length;
  const bytes = isRoomAll ? room : concatBytes([room.subarray(0, filled), ...pieces]);
  if (rowCount === 0 && bytes !== room) spareScratch = room;
  return HashColumn.of({
    bytes,
    width,
    profile: profileOfForm(form),
    ...boundsOf?.(),
    invalidRows,
    strippedCount,
    hasUnicodeHosts,
  });
}
