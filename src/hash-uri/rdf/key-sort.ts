// Multikey quicksort (Bentley and Sedgewick, 1997): keys that share a beginning are compared at what follows it, so
// that the beginning is read once for a step and not once for a comparison. A step is six bytes, kept in a double
// beside the key's number.

/** Keys of fewer than this many are sorted by insertion. */
const FEW = 12;
const STEP_BYTES = 6;
/** Below the 48 bits of a step, the number of bytes that the key still had for it: 51 of the 53 bits of a double. */
const COUNT_BITS = 3;

/** Packed keys: key k is bytes [starts[k], starts[k + 1]). */
export interface PackedKeys {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly count: number;
}

/** The numbers of the keys in ascending order of their bytes, a shorter key before one that it begins. */
export function sortedKeys(keys: PackedKeys): Uint32Array {
  return new KeySort(keys).sorted();
}

/** The order of two keys: negative, zero or positive. */
export function compareKeys({ bytes, starts }: PackedKeys, a: number, b: number, depth = 0): number {
  return compareBytes(bytes, starts[a]! + depth, starts[a + 1]!, bytes, starts[b]! + depth, starts[b + 1]!);
}

export function compareBytes(
  left: Uint8Array,
  start: number,
  end: number,
  right: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const common = Math.min(end - start, otherEnd - otherStart);
  for (let at = 0; at < common; at++) {
    const difference = left[start + at]! - right[otherStart + at]!;
    if (difference !== 0) return difference;
  }
  return end - start - (otherEnd - otherStart);
}

class KeySort {
  readonly #keys: PackedKeys;
  readonly #order: Uint32Array;
  readonly #words: Float64Array;

  constructor(keys: PackedKeys) {
    this.#keys = keys;
    this.#order = new Uint32Array(keys.count);
    for (let key = 0; key < keys.count; key++) this.#order[key] = key;
    this.#words = new Float64Array(keys.count);
  }

  sorted(): Uint32Array {
    this.#readWords(0, this.#order.length, 0);
    this.#sort(0, this.#order.length, 0);
    return this.#order;
  }

  /** Sorts [low, high), whose keys agree in `depth` bytes. */
  #sort(low: number, high: number, depth: number): void {
    while (high - low >= FEW) {
      const pivot = this.#pivot(low, high);
      const [less, greater] = this.#partition(low, high, pivot);
      this.#sort(low, less, depth);
      this.#sort(greater, high, depth);
      if (pivot % 2 ** COUNT_BITS < STEP_BYTES) return; // the keys between have ended, and are the same
      [low, high] = [less, greater];
      depth += STEP_BYTES;
      this.#readWords(low, high, depth);
    }
    this.#sortFew(low, high, depth);
  }

  /** The middle one of three, at random: no order of the keys is a bad one. */
  #pivot(low: number, high: number): number {
    const some = () => this.#words[low + Math.floor(Math.random() * (high - low))]!;
    const [a, b, c] = [some(), some(), some()];
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** Returns where the words equal to `pivot` begin and end. */
  #partition(low: number, high: number, pivot: number): readonly [number, number] {
    const words = this.#words;
    let at = low;
    while (at < high) {
      const word = words[at]!;
      if (word < pivot) this.#swap(low++, at++);
      else if (word > pivot) this.#swap(at, --high);
      else at++;
    }
    return [low, high];
  }

  #swap(a: number, b: number): void {
    const order = this.#order;
    const words = this.#words;
    const key = order[a]!;
    const word = words[a]!;
    order[a] = order[b]!;
    words[a] = words[b]!;
    order[b] = key;
    words[b] = word;
  }

  #sortFew(low: number, high: number, depth: number): void {
    const order = this.#order;
    for (let next = low + 1; next < high; next++) {
      const key = order[next]!;
      let at = next;
      for (; at > low && compareKeys(this.#keys, order[at - 1]!, key, depth) > 0; at--) order[at] = order[at - 1]!;
      order[at] = key;
    }
  }

  /** Six bytes from `depth` on, and how many there are up to six: an end is before a zero byte. */
  #readWords(low: number, high: number, depth: number): void {
    const { bytes, starts } = this.#keys;
    for (let at = low; at < high; at++) {
      const key = this.#order[at]!;
      const start = starts[key]! + depth;
      const count = Math.min(STEP_BYTES, starts[key + 1]! - start);
      this.#words[at] = count === STEP_BYTES ? wholeWord(bytes, start) : partWord(bytes, start, count);
    }
  }
}

/** In two halves: a shift is of 32 bits at most. */
function wholeWord(bytes: Uint8Array, at: number): number {
  const upper = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  const lower = (bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!;
  return upper * 2 ** (24 + COUNT_BITS) + lower * 2 ** COUNT_BITS + STEP_BYTES;
}

function partWord(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < STEP_BYTES; index++) word = word * 256 + (index < count ? bytes[at + index]! : 0);
  return word * 2 ** COUNT_BITS + count;
}
