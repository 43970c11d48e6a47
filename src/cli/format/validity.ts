import { ROW_LIMIT } from './batch.ts';

/** Which rows of a batch have a value: a bit each, the least significant first. */
export class Validity {
  readonly #bits = new Uint8Array(ROW_LIMIT / 8);
  #rowCount = 0;
  #validCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  get nullCount(): number {
    return this.#rowCount - this.#validCount;
  }

  get bits(): Uint8Array {
    return this.#bits.subarray(0, Math.ceil(this.#rowCount / 8));
  }

  add(hasValue: boolean): void {
    const row = this.#rowCount++;
    if (!hasValue) return;
    this.#bits[row >> 3]! |= 1 << (row & 7);
    this.#validCount++;
  }
}
