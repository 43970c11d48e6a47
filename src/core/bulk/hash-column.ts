import { concatBytes } from '../bytes/concat.ts';
import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { profileOfForm } from '../url/profile.ts';
import type { Hashing, UrlBatch } from './url-batch.ts';

/** Where each row is in the bytes given. */
export interface RowBounds {
  readonly rowStarts: ArrayLike<number>;
  readonly rowEnds: ArrayLike<number>;
}

/**
 * Hashes the rows of batches, one batch after another, and makes a column of their digests, with `bounds` as they are
 * after the last batch.
 */
export function hashColumn<W extends Width>(
  { width, form }: Hashing<W>,
  batches: Iterable<UrlBatch>,
  bounds?: RowBounds,
): HashColumn<W> {
  const digests: Uint8Array[] = [];
  const invalidRows: InvalidRow[] = [];
  let [rowCount, strippedCount, hasUnicodeHosts] = [0, 0, false];
  for (const batch of batches) {
    digests.push(batch.hash(width).slice());
    for (const each of batch.invalidRows) invalidRows.push({ ...each, row: rowCount + each.row });
    rowCount += batch.rowCount;
    strippedCount += batch.strippedCount;
    hasUnicodeHosts ||= batch.unicodeHostRows.length > 0;
  }
  return HashColumn.of({
    bytes: concatBytes(digests),
    width,
    profile: profileOfForm(form),
    rowStarts: bounds && new Uint32Array(bounds.rowStarts),
    rowEnds: bounds && new Uint32Array(bounds.rowEnds),
    invalidRows,
    strippedCount,
    hasUnicodeHosts,
  });
}
