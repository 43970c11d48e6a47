import { compareBytes } from '../../../bytes/compare.ts';
import type { Key } from '../key-table.ts';
import type { KeyRunReader } from './key-run.ts';

/** Each different key of sorted runs, in order. */
export function* mergedRuns(runs: readonly KeyRunReader[]): Generator<Key> {
  const heap = runs.filter((run) => run.next());
  for (let at = heap.length >> 1; at-- > 0; ) siftDown(heap, at);
  while (heap.length > 0) {
    const least = heap[0]!;
    // a key that another run also has is left to that run
    if (!isSame(least, heap[1]) && !isSame(least, heap[2])) yield least;
    if (!least.next()) replaceFirst(heap);
    siftDown(heap, 0);
  }
}

function replaceFirst(heap: KeyRunReader[]): void {
  const last = heap.pop()!;
  if (heap.length > 0) heap[0] = last;
}

/** No child of a run in the heap has a lesser key than the run, once `heap[at]` is where it belongs. */
function siftDown(heap: KeyRunReader[], at: number): void {
  for (let child = leastChild(heap, at); child !== -1; child = leastChild(heap, at)) {
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}

/** The child with the least key, where that is less than the parent's, or -1. */
function leastChild(heap: readonly KeyRunReader[], at: number): number {
  let least = at;
  for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
    if (compare(heap[child]!, heap[least]!) < 0) least = child;
  return least === at ? -1 : least;
}

function isSame(key: Key, other: Key | undefined): boolean {
  return other !== undefined && compare(key, other) === 0;
}

function compare(left: Key, right: Key): number {
  return compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
}
