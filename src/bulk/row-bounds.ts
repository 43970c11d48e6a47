import { GrowingNumbers } from '../bytes/growing-numbers.ts';
import type { Memory } from '../kernel/memory.ts';

/** Where the rows of a text are in it, without their line ends. */
export class RowBounds {
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  /** What was left out before the text. */
  readonly #before: number;

  constructor(before: number) {
    this.#before = before;
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return this.#starts.numbers.slice();
  }

  get ends(): Uint32Array<ArrayBuffer> {
    return this.#ends.numbers.slice();
  }

  /** Adds the rows that the kernel scanned last; `address` is where the text would begin in its memory. */
  addScanned({ rowStarts, rowEnds }: Memory, rowCount: number, address: number): void {
    this.#starts.pushAll(rowStarts.subarray(0, rowCount), this.#before - address);
    this.#ends.pushAll(rowEnds.subarray(0, rowCount), this.#before - address);
  }

  /** Adds the row [start, end) of the text. */
  add(start: number, end: number): void {
    this.#starts.push(start + this.#before);
    this.#ends.push(end + this.#before);
  }
}
