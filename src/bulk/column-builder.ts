import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { joined } from './joined.ts';

/** Some 32 000 digests. */
const SCRATCH_BYTES = 1 << 20;

/**
 * Where digests are collected, again and again: to touch fresh memory takes longer than to copy what lies in it. A
 * builder takes it and gives it back, since the strings of one column may come from a generator that makes another.
 */
let spareScratch: Uint8Array<ArrayBuffer> | undefined;

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder {
  readonly #width: Width;
  /** For the rows that were foretold: where they are all, it is the column. */
  readonly #room: Uint8Array<ArrayBuffer>;
  /** Copies of the room and of the scratch, each time they were full. */
  readonly #pieces: Uint8Array[] = [];
  /** The room, or the scratch. */
  #current: Uint8Array<ArrayBuffer>;
  #filled = 0;
  #byteLength = 0;
  readonly #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;

  /** `rowCount`: how many rows will come, where it is known: they are then copied once. */
  constructor(width: Width, rowCount = 0) {
    this.#width = width;
    this.#room = this.#current = new Uint8Array(rowCount * width);
  }

  /** Rows so far: the number of the next batch's first row. */
  get rowCount(): number {
    return this.#byteLength / this.#width;
  }

  /** Copies the digests, which lie in a kernel's memory. */
  add(digests: Uint8Array, invalidRows: readonly InvalidRow[], provenCount: number, rewrittenCount: number): void {
    if (this.#filled + digests.length > this.#current.length) this.#endPiece();
    this.#current.set(digests, this.#filled);
    this.#filled += digests.length;
    this.#byteLength += digests.length;
    for (const invalid of invalidRows) this.#invalidRows.push(invalid);
    this.#provenCount += provenCount;
    this.#rewrittenCount += rewrittenCount;
  }

  build(): HashColumn {
    return new HashColumn(this.#bytes(), this.#width, this.#invalidRows, this.#provenCount, this.#rewrittenCount);
  }

  #endPiece(): void {
    this.#pieces.push(this.#current.slice(0, this.#filled));
    this.#filled = 0;
    if (this.#current !== this.#room) return;
    this.#current = spareScratch ?? new Uint8Array(SCRATCH_BYTES);
    spareScratch = undefined;
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    const isScratch = this.#current !== this.#room;
    if (!isScratch && this.#filled === this.#room.length) return this.#room;
    const last = this.#current.slice(0, this.#filled);
    if (isScratch) spareScratch = this.#current;
    return last.length === this.#byteLength ? last : joined([...this.#pieces, last]);
  }
}
