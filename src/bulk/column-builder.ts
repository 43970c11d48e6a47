import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { joined, lengthOf } from './joined.ts';

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder {
  readonly #width: Width;
  /** Room for the rows that were foretold; what is beyond them, or foretold by nobody, is kept in pieces. */
  readonly #room: Uint8Array<ArrayBuffer>;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #invalidRows: InvalidRow[] = [];
  #byteLength = 0;
  #provenCount = 0;
  #rewrittenCount = 0;

  /** `rowCount`: how many rows will come, where it is known: they are then copied once. */
  constructor(width: Width, rowCount = 0) {
    this.#width = width;
    this.#room = new Uint8Array(rowCount * width);
  }

  /** Rows so far: the number of the next batch's first row. */
  get rowCount(): number {
    return this.#byteLength / this.#width;
  }

  /** Copies the digests, which lie in a kernel's memory. */
  add(digests: Uint8Array<ArrayBuffer>, invalidRows: readonly InvalidRow[], provenCount: number, rewrittenCount: number): void {
    const end = this.#byteLength + digests.length;
    if (end > this.#room.length) this.#pieces.push(digests.slice());
    else this.#room.set(digests, this.#byteLength);
    this.#byteLength = end;
    for (const invalid of invalidRows) this.#invalidRows.push(invalid);
    this.#provenCount += provenCount;
    this.#rewrittenCount += rewrittenCount;
  }

  build(): HashColumn {
    return new HashColumn(this.#bytes(), this.#width, this.#invalidRows, this.#provenCount, this.#rewrittenCount);
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#byteLength === this.#room.length) return this.#room;
    const [first] = this.#pieces;
    if (first?.length === this.#byteLength) return first;
    return joined([this.#room.subarray(0, this.#byteLength - lengthOf(this.#pieces)), ...this.#pieces]);
  }
}
