import { concatBytes } from '../bytes/concat.ts';
import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';

/** Some 32 000 digests. */
const SCRATCH_BYTES = 1 << 20;

/**
 * Where digests are collected, again and again: to touch fresh memory takes longer than to copy what lies in it. A
 * builder takes it and gives it back, since the strings of one column may come from a generator that makes another.
 */
let spareScratch: Uint8Array<ArrayBuffer> | undefined;

function takeScratch(): Uint8Array<ArrayBuffer> {
  const scratch = spareScratch ?? new Uint8Array(SCRATCH_BYTES);
  spareScratch = undefined;
  return scratch;
}

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder {
  readonly #width: Width;
  readonly #isForetold: boolean;
  /** Memory of the column's own for the rows that were foretold, or the scratch. */
  readonly #room: Uint8Array<ArrayBuffer>;
  /** What did not fit in it. */
  readonly #pieces: Uint8Array[] = [];
  #roomLength = 0;
  #byteLength = 0;
  readonly #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;

  /** `rowCount`: how many rows will come, where it is known: they are then copied once. */
  constructor(width: Width, rowCount = 0) {
    this.#width = width;
    this.#isForetold = rowCount > 0;
    this.#room = this.#isForetold ? new Uint8Array(rowCount * width) : takeScratch();
  }

  /** Rows so far: the number of the next batch's first row. */
  get rowCount(): number {
    return this.#byteLength / this.#width;
  }

  /** Copies the digests, which lie in a kernel's memory. */
  add(digests: Uint8Array, invalidRows: readonly InvalidRow[], provenCount: number, rewrittenCount: number): void {
    const end = this.#byteLength + digests.length;
    if (this.#pieces.length === 0 && end <= this.#room.length) {
      this.#room.set(digests, this.#byteLength);
      this.#roomLength = end;
    } else {
      this.#pieces.push(digests.slice());
    }
    this.#byteLength = end;
    for (const invalid of invalidRows) this.#invalidRows.push(invalid);
    this.#provenCount += provenCount;
    this.#rewrittenCount += rewrittenCount;
  }

  build(): HashColumn {
    return new HashColumn(this.#bytes(), this.#width, this.#invalidRows, this.#provenCount, this.#rewrittenCount);
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#isForetold && this.#byteLength === this.#room.length) return this.#room;
    const bytes = concatBytes([this.#room.subarray(0, this.#roomLength), ...this.#pieces]);
    if (!this.#isForetold) spareScratch = this.#room;
    return bytes;
  }
}
