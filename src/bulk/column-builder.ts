import { HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder {
  readonly #width: Width;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #invalidRows: InvalidRow[] = [];
  #byteLength = 0;
  #provenCount = 0;

  constructor(width: Width) {
    this.#width = width;
  }

  /** Rows so far: the number of the next batch's first row. */
  get rowCount(): number {
    return this.#byteLength / this.#width;
  }

  add(digests: Uint8Array<ArrayBuffer>, invalidRows: readonly InvalidRow[], provenCount: number): void {
    for (const invalid of invalidRows) this.#invalidRows.push(invalid);
    this.#pieces.push(digests);
    this.#byteLength += digests.length;
    this.#provenCount += provenCount;
  }

  build(): HashColumn {
    return new HashColumn(this.#joined(), this.#width, this.#invalidRows, this.#provenCount);
  }

  #joined(): Uint8Array<ArrayBuffer> {
    if (this.#pieces.length === 1) return this.#pieces[0]!;
    const bytes = new Uint8Array(this.#byteLength);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
