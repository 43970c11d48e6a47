import type { Width } from '../../kernel/index.ts';
import { type BatchColumn, type ColumnSchema, ROW_LIMIT, Validity } from './batch.ts';

/** Returns the schema of a hash's three columns, called `urlsum`, `urlsum_u64` and `urlsum_i64` in records. */
export function hashSchema(hash: string, u64: string, i64: string): ColumnSchema[] {
  return [
    { name: hash, type: 'hash', isNullable: true },
    { name: u64, type: 'u64', isNullable: true },
    { name: i64, type: 'i64', isNullable: true },
  ];
}

/** Collects hashes, and the first eight bytes of each as a word. */
export class HashColumns {
  readonly #width: Width;
  readonly #hashes: Uint8Array<ArrayBuffer>;
  #validity = new Validity();

  constructor(width: Width) {
    this.#width = width;
    this.#hashes = new Uint8Array(ROW_LIMIT * width);
  }

  get rowCount(): number {
    return this.#validity.rowCount;
  }

  /** Adds the hash at `start` in `bytes`. */
  add(bytes: Uint8Array, start: number): void {
    const [hashes, width] = [this.#hashes, this.#width];
    for (let at = 0, to = this.rowCount * width; at < width; at++, to++) hashes[to] = bytes[start + at]!;
    this.#validity.add(true);
  }

  addNull(): void {
    this.#hashes.fill(0, this.rowCount * this.#width, (this.rowCount + 1) * this.#width);
    this.#validity.add(false);
  }

  /** Returns the hash, u64 and i64 columns so far; the next hash begins another batch. */
  take(): BatchColumn[] {
    const { rowCount, nullCount, bits: validity } = this.#validity;
    const hashes = this.#hashes.subarray(0, rowCount * this.#width);
    const words = wordsOf(hashes, this.#width);
    this.#validity = new Validity();
    return [hashes, words, words].map((values) => ({ nullCount, validity, values }));
  }
}

function wordsOf(hashes: Uint8Array, width: Width): Uint8Array<ArrayBuffer> {
  const units = new Uint32Array(hashes.buffer, hashes.byteOffset, hashes.length / 4);
  const halves = new Uint32Array((2 * hashes.length) / width);
  for (let row = 0, from = 0; 2 * row < halves.length; row++, from += width / 4) {
    halves[2 * row] = units[from]!;
    halves[2 * row + 1] = units[from + 1]!;
  }
  return new Uint8Array(halves.buffer);
}
