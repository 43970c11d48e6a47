import { concatBytes } from '../bytes/concat.ts';
import { type ColumnParts, HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { profileOfForm } from '../url/profile.ts';
import type { Hashing, UrlBatch } from './url-batch.ts';

/** Room for about 32,000 digests. */
const SCRATCH_BYTES = 1 << 20;

/**
 * Memory in which digests are collected, reused because touching fresh memory takes longer than copying. A builder
 * takes it and gives it back, since the strings of one column may come from a generator that makes another.
 */
let spareScratch: Uint8Array<ArrayBuffer> | undefined;

function takeScratch(): Uint8Array<ArrayBuffer> {
  const scratch = spareScratch ?? new Uint8Array(SCRATCH_BYTES);
  spareScratch = undefined;
  return scratch;
}

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder<W extends Width = Width> {
  readonly #hashing: Hashing<W>;
  readonly #isCounted: boolean;
  /** The column's own memory if the number of rows is known in advance, otherwise the scratch. */
  readonly #room: Uint8Array<ArrayBuffer>;
  /** Digests that did not fit in the room. */
  readonly #pieces: Uint8Array[] = [];
  #roomLength = 0;
  #byteLength = 0;
  readonly #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;
  #strippedCount = 0;
  #hasUnicodeHosts = false;

  /** `rowCount` is the number of rows to come, if it is known: they are then copied once. */
  constructor(hashing: Hashing<W>, rowCount = 0) {
    this.#hashing = hashing;
    this.#isCounted = rowCount > 0;
    this.#room = this.#isCounted ? new Uint8Array(rowCount * hashing.width) : takeScratch();
  }

  /** Hashes the rows of a batch and copies their digests. */
  add(batch: UrlBatch): void {
    const { width } = this.#hashing;
    batch.hash(width);
    const firstRow = this.#byteLength / width;
    for (const { row, input, reason } of batch.invalidRows)
      this.#invalidRows.push({ row: firstRow + row, input, reason });
    this.#copy(batch.digests(width));
    this.#provenCount += batch.provenCount;
    this.#rewrittenCount += batch.rewrittenCount;
    this.#strippedCount += batch.strippedCount;
    this.#hasUnicodeHosts ||= batch.unicodeHostCount > 0;
  }

  /** `bounds` says where the rows are, if that is asked for. */
  build(bounds?: Pick<ColumnParts<W>, 'rowStarts' | 'rowEnds'>): HashColumn<W> {
    const { width, form } = this.#hashing;
    return HashColumn.of({
      bytes: this.#bytes(),
      width,
      profile: profileOfForm(form),
      rowStarts: bounds?.rowStarts,
      rowEnds: bounds?.rowEnds,
      invalidRows: this.#invalidRows,
      provenCount: this.#provenCount,
      rewrittenCount: this.#rewrittenCount,
      strippedCount: this.#strippedCount,
      hasUnicodeHosts: this.#hasUnicodeHosts,
    });
  }

  #copy(digests: Uint8Array): void {
    const end = this.#byteLength + digests.length;
    if (this.#pieces.length === 0 && end <= this.#room.length) {
      this.#room.set(digests, this.#byteLength);
      this.#roomLength = end;
    } else {
      this.#pieces.push(digests.slice());
    }
    this.#byteLength = end;
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#isCounted && this.#byteLength === this.#room.length) return this.#room;
    const bytes = concatBytes([this.#room.subarray(0, this.#roomLength), ...this.#pieces]);
    if (!this.#isCounted) spareScratch = this.#room;
    return bytes;
  }
}
