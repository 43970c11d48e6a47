export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/**
 * Compares bytes [start, end) with [otherStart, otherEnd): negative, zero or positive.
 *
 * @param rankOf returns the place of a byte among all others: their number, unless texts have another order
 */
export function compareBytes(
  left: Uint8Array,
  start: number,
  end: number,
  right: Uint8Array,
  otherStart: number,
  otherEnd: number,
  rankOf = (byte: number) => byte,
): number {
  const common = Math.min(end - start, otherEnd - otherStart);
  for (let at = 0; at < common; at++) {
    const [one, other] = [left[start + at]!, right[otherStart + at]!];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return end - start - (otherEnd - otherStart);
}

/** Returns the index of `value` in ascending `values`, or -1. */
export function indexOfSorted(values: Uint32Array, value: number): number {
  const index = indexOfLeast(values, value);
  return values[index] === value ? index : -1;
}

/** Returns the index of the first of ascending `values` that is not less than `least`, or their number. */
export function indexOfLeast(values: Uint32Array, least: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A sorted source, which stands at one of its items until `next` is called. No two of its items are the same. */
export interface Cursor {
  /** Goes on to the next item, at first to the first one; false where there is none. */
  next(): boolean;
}

/**
 * The union of sorted sources in ascending order, an item at a time, each different item once: a binary heap of cursors,
 * which takes log2(sources) steps per item.
 */
export class Merge<Source extends Cursor> {
  readonly #heap: Source[];
  readonly #compare: (one: Source, other: Source) => number;

  /** @param compare the items that two sources stand at: negative where that of `one` comes first */
  constructor(sources: readonly Source[], compare: (one: Source, other: Source) => number) {
    this.#compare = compare;
    this.#heap = sources.filter((source) => source.next());
    for (let root = Math.floor(this.#heap.length / 2) - 1; root >= 0; root--) this.#sink(root);
    this.#skipSame();
  }

  /** The source that stands at the least item; undefined after the last. */
  get current(): Source | undefined {
    return this.#heap.at(0); // not what somebody has added to Object.prototype as 0
  }

  /** Goes on to the next item that differs. */
  advance(): void {
    this.#advanceFirst();
    this.#skipSame();
  }

  /** Drops the root's item if another source has it, too. Equal items are next to the root, so two children are enough. */
  #skipSame(): void {
    while (this.#isFirstIn(1) || this.#isFirstIn(2)) this.#advanceFirst();
  }

  #isFirstIn(child: number): boolean {
    return child < this.#heap.length && this.#compare(this.#heap[0]!, this.#heap[child]!) === 0;
  }

  /** Advances the first source; one that has ended is replaced by the last of the heap. */
  #advanceFirst(): void {
    const heap = this.#heap;
    if (!heap[0]!.next()) {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    }
    this.#sink(0);
  }

  /** Restores the order below `root`: no source is after one of its children. */
  #sink(root: number): void {
    const heap = this.#heap;
    for (let parent = root, child; (child = 2 * parent + 1) < heap.length; parent = child) {
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) < 0) child++;
      if (this.#compare(heap[child]!, heap[parent]!) >= 0) return;
      const moved = heap[parent]!;
      heap[parent] = heap[child]!;
      heap[child] = moved;
    }
  }
}
