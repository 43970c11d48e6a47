/** The fewest entries per bucket: an offset of 4 bytes for 14 to 28 entries adds 0.14 to 0.29 bytes to each. */
const BUCKET_ENTRIES = 14;
const MAX_BUCKET_BITS = 24;

/**
 * Hashes do not make longer buckets, so the entries of one may be spread unevenly: it takes a binary search, without a
 * guess.
 */
const GUESSED_ENTRIES = 64;

/** Heads that are looked up together. */
export const HEADS_BLOCK = 512;

/**
 * Finds a number among ascending unsigned 32-bit numbers, the heads of hash prefixes. Its upper bits name a bucket, its
 * lower bits the place there, since SHA-256 spreads its values evenly: one or two cache lines per look-up.
 */
export class HeadIndex {
  readonly #heads: Uint32Array;
  /** Bucket b has the entries from starts[b] to starts[b + 1]. */
  readonly #starts: Uint32Array;
  readonly #shift: number;
  /** The lower bits that give the place: at most 16, so that their product with an entry count is an int32. */
  readonly #guessMask: number;
  readonly #guessDrop: number;
  readonly #guessBits: number;
  /** The state of each head of a block. */
  readonly #block = {
    starts: new Uint32Array(HEADS_BLOCK),
    ends: new Uint32Array(HEADS_BLOCK),
    guesses: new Uint32Array(HEADS_BLOCK),
    guessed: new Uint32Array(HEADS_BLOCK),
  };

  constructor(heads: Uint32Array) {
    const bits = Math.max(1, Math.min(MAX_BUCKET_BITS, Math.floor(Math.log2(heads.length / BUCKET_ENTRIES))));
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

  /** Returns the index of the first entry equal to `head`, or -1. */
  indexOf(head: number): number {
    const bucket = head >>> this.#shift;
    const start = this.#starts[bucket]!;
    const end = this.#starts[bucket + 1]!;
    const guess = this.#guess(head, start, end);
    return start === end ? -1 : this.#indexFrom(guess, this.#heads[guess]!, head, start, end);
  }

  /**
   * Finds the first `count` of `heads`, up to HEADS_BLOCK, in steps. Within a step no load waits for another, so the
   * processor has several cache misses under way at once.
   */
  indexesOf(heads: Uint32Array, count: number, indexes: Int32Array): void {
    const { starts, ends, guesses, guessed } = this.#block;
    for (let at = 0; at < count; at++) {
      const bucket = heads[at]! >>> this.#shift;
      starts[at] = this.#starts[bucket]!;
      ends[at] = this.#starts[bucket + 1]!;
    }
    const last = Math.max(0, this.#heads.length - 1); // in an empty bucket the guess may be after the last entry
    for (let at = 0; at < count; at++) {
      const guess = Math.min(last, this.#guess(heads[at]!, starts[at]!, ends[at]!));
      guesses[at] = guess;
      guessed[at] = this.#heads[guess]!;
    }
    for (let at = 0; at < count; at++) {
      const [start, end] = [starts[at]!, ends[at]!];
      indexes[at] = start === end ? -1 : this.#indexFrom(guesses[at]!, guessed[at]!, heads[at]!, start, end);
    }
  }

  #guess(head: number, start: number, end: number): number {
    const lower = (head >>> this.#guessDrop) & this.#guessMask;
    return start + ((lower * (end - start)) >>> this.#guessBits);
  }

  /** Searches from the index `guess`, whose entry is `entry`. */
  #indexFrom(guess: number, entry: number, head: number, start: number, end: number): number {
    if (end - start > GUESSED_ENTRIES) return this.#binarySearch(head, start, end);
    const heads = this.#heads;
    let at = guess;
    if (entry < head) while (++at < end && heads[at]! < head);
    else while (at > start && heads[at - 1]! >= head) at--;
    return at < end && heads[at] === head ? at : -1;
  }

  #binarySearch(head: number, start: number, end: number): number {
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
