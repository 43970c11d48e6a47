import type { HashIndexHeader } from './header.ts';
import { IndexWriter } from './index-writer.ts';
import { compareHashes } from './word-order.ts';

/** Ascending hashes, one at a time: `units` holds one at `at` until the next is asked for. */
export type SortedHashes = Iterable<{ readonly units: Uint32Array; readonly at: number }>;

interface Cursor {
  readonly rest: Iterator<{ readonly units: Uint32Array; readonly at: number }>;
  units: Uint32Array;
  at: number;
}

/**
 * The pages of an index of the union of ascending hashes, each once. Takes a page of memory per source, and
 * log2(sources) steps per hash.
 */
export function* mergedIndex(header: HashIndexHeader, sources: readonly SortedHashes[]): Generator<Uint8Array> {
  const unitCount = header.width / 4;
  const writer = new IndexWriter(header);
  const heap = cursorsOf(sources);
  for (let root = Math.floor(heap.length / 2) - 1; root >= 0; root--) sink(heap, root, unitCount);
  const last = new Uint32Array(unitCount);
  for (let isFirst = true; heap.length > 0; isFirst = false) {
    const { units, at } = heap[0]!;
    if (isFirst || compareHashes(last, 0, units, at, unitCount) !== 0) writer.add(units, at);
    for (let unit = 0; unit < unitCount; unit++) last[unit] = units[at + unit]!;
    advance(heap);
    sink(heap, 0, unitCount);
    if (writer.isFull) yield writer.take();
  }
  yield* writer.end();
}

function cursorsOf(sources: readonly SortedHashes[]): Cursor[] {
  return sources.flatMap((source) => {
    const rest = source[Symbol.iterator]();
    const { done, value } = rest.next();
    return done === true ? [] : [{ rest, units: value.units, at: value.at }];
  });
}

/** Moves the first cursor on; one that has ended gives its place to the last. */
function advance(heap: Cursor[]): void {
  const first = heap[0]!;
  const { done, value } = first.rest.next();
  if (done === true) {
    const last = heap.pop()!;
    if (heap.length > 0) heap[0] = last;
  } else {
    first.units = value.units;
    first.at = value.at;
  }
}

/** Restores the order of a binary heap below `root`: no cursor is after one that hangs from it. */
function sink(heap: Cursor[], root: number, unitCount: number): void {
  for (let parent = root, child; (child = 2 * parent + 1) < heap.length; parent = child) {
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!, unitCount)) child++;
    if (!isBefore(heap[child]!, heap[parent]!, unitCount)) return;
    const moved = heap[parent]!;
    heap[parent] = heap[child]!;
    heap[child] = moved;
  }
}

function isBefore(one: Cursor, other: Cursor, unitCount: number): boolean {
  return compareHashes(one.units, one.at, other.units, other.at, unitCount) < 0;
}
