import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';

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
    if (this.#byteLength + digests.length <= this.#room.length) this.#room.set(digests, this.#byteLength);
    else this.#pieces.push(digests.slice());
    this.#byteLength += digests.length;
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
    const inPieces = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    return joined([this.#room.subarray(0, this.#byteLength - inPieces), ...this.#pieces], this.#byteLength);
  }
}

function joined(pieces: readonly Uint8Array[], byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
