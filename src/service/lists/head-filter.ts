import type { PrefixSet } from './prefix-set.ts';

/** The most bits for each prefix, and half of it the fewest: one in 16 of other hashes passes at the most. */
const BITS_PER_PREFIX = 32;
/** The binary logarithm of the bits of a word. */
const WORD_SHIFT = 5;

/** Says of most hashes, by one look into memory, that no set has a prefix of them. */
export class HeadFilter {
  /** A bit for each range of heads, set where a prefix is in it. */
  readonly #words: Uint32Array;
  /** The lower bits of a head, which its range does not depend on. */
  readonly #shift: number;

  constructor(sets: readonly PrefixSet[]) {
    const prefixCount = sets.reduce((sum, { size }) => sum + size, 0);
    const rangeBits = Math.min(32, Math.floor(Math.log2(BITS_PER_PREFIX * (1 + prefixCount))));
    this.#shift = 32 - rangeBits;
    this.#words = new Uint32Array(2 ** (rangeBits - WORD_SHIFT));
    for (const { heads } of sets)
      for (const head of heads) {
        const range = head >>> this.#shift;
        this.#words[range >>> WORD_SHIFT]! |= 1 << range; // of the range, a shift takes the lower five bits
      }
  }

  /** Whether a set may have a prefix with a head; otherwise none has. */
  mayHave(head: number): boolean {
    const range = head >>> this.#shift;
    return ((this.#words[range >>> WORD_SHIFT]! >>> range) & 1) === 1;
  }
}
