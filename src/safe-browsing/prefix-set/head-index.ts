/** Entries per bucket, roughly: an offset of 4 bytes for 11 to 23 entries adds 0.18 to 0.36 bytes to each. */
const BUCKET_ENTRIES = 16;
const MOST_BUCKET_BITS = 24;

/**
 * A longer bucket is not what hashes give, so its entries need not lie evenly: it is searched by halves, without a
 * guess.
 */
const GUESSED_ENTRIES = 64;

/**
 * Finds a number among ascending unsigned 32-bit numbers, the heads of hash prefixes. Their upper bits name a bucket;
 * in it the lower bits say where to look, since SHA-256 spreads its values evenly: one or two cache lines a look-up.
 */
export class HeadIndex {
  readonly #heads: Uint32Array;
  /** Bucket b has the entries from starts[b] to starts[b + 1]. */
  readonly #starts: Uint32Array;
  readonly #shift: number;
  /**
   * The lower bits that say where to look: at most 16 of them, so that their product with an entry count is an int32.
   */
  readonly #guessMask: number;
  readonly #guessDrop: number;
  readonly #guessBits: number;

  constructor(heads: Uint32Array) {
    const bits = Math.max(1, Math.min(MOST_BUCKET_BITS, Math.round(Math.log2(heads.length / BUCKET_ENTRIES))));
    this.#heads = heads;
    this.#shift = 32 - bits;
    this.#guessBits = Math.min(16, this.#shift);
    this.#guessDrop = this.#shift - this.#guessBits;
    this.#guessMask = 2 ** this.#guessBits - 1;
    this.#starts = bucketStarts(heads, 2 ** bits, this.#shift);
  }

  get byteLength(): number {
    return this.#starts.byteLength;
  }

  /** The index of the first entry that is `head`, or -1. */
  indexOf(head: number): number {
    const bucket = head >>> this.#shift;
    const start = this.#starts[bucket]!;
    const end = this.#starts[bucket + 1]!;
    if (start === end) return -1;
    return end - start > GUESSED_ENTRIES ? this.#halved(head, start, end) : this.#guessed(head, start, end);
  }

  #guessed(head: number, start: number, end: number): number {
    const heads = this.#heads;
    const lower = (head >>> this.#guessDrop) & this.#guessMask;
    let at = start + ((lower * (end - start)) >>> this.#guessBits);
    if (heads[at]! < head) while (++at < end && heads[at]! < head);
    else while (at > start && heads[at - 1]! >= head) at--;
    return at < end && heads[at] === head ? at : -1;
  }

  #halved(head: number, start: number, end: number): number {
    const heads = this.#heads;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (heads[middle]! < head) low = middle + 1;
      else high = middle;
    }
    return low < end && heads[low] === head ? low : -1;
  }
}

function bucketStarts(heads: Uint32Array, bucketCount: number, shift: number): Uint32Array {
  const starts = new Uint32Array(bucketCount + 1);
  for (const head of heads) starts[(head >>> shift) + 1]!++;
  for (let bucket = 0; bucket < bucketCount; bucket++) starts[bucket + 1]! += starts[bucket]!;
  return starts;
}
