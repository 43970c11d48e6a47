import type { HashedRows } from '../stage/hashes.ts';
import type { Selection } from './selection.ts';
import type { SortedWords } from './sorted-words.ts';

/** The rows whose first word is in a file of words, or with `--not` the others; a row without a hash is in none. */
export class Membership implements Selection<HashedRows> {
  readonly #words: SortedWords;
  readonly #isWanted: boolean;

  constructor(words: SortedWords, isWanted: boolean) {
    this.#words = words;
    this.#isWanted = isWanted;
  }

  isWanted({ column }: HashedRows, row: number, hasResult: boolean): boolean {
    const { bytes, width } = column;
    return (
      (hasResult && this.#words.has(wordAt(bytes, row * width), wordAt(bytes, row * width + 4))) === this.#isWanted
    );
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
