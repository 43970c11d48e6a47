import { compareHashes } from './word-order.ts';

/** Ascending hashes, or their first words: hash n begins at unit `start + n * stride`. */
export interface AscendingHashes {
  readonly units: Uint32Array;
  readonly start: number;
  readonly stride: number;
  readonly count: number;
}

/**
 * How many of `hashes` do not come after the hash at `at` of `key`, by the first `unitCount` units of both?
 *
 * Looks where the hash would be if all were spread evenly between `first` and `end` (of 2^32), and from there outward
 * in steps that double: hashes are spread evenly, so it ends within few steps, and these lie close together in memory.
 */
export function countNotAfter(
  { units, start, stride, count }: AscendingHashes,
  key: Uint32Array,
  at: number,
  unitCount: number,
  first = 0,
  end = 2 ** 32,
): number {
  const isAfter = (index: number) => compareHashes(units, start + index * stride, key, at, unitCount) > 0;
  const share = end > first ? (key[at + 1]! - first) / (end - first) : 0;
  const guess = Math.min(count, Math.max(0, Math.floor(share * count)));
  let [low, high] = [0, count];
  if (guess < count && !isAfter(guess)) {
    low = guess + 1;
    for (let step = 1; low + step < count; low += step, step *= 2) {
      if (isAfter(low + step)) {
        high = low + step;
        break;
      }
    }
  } else {
    high = guess;
    for (let step = 1; high - step >= 0; high -= step, step *= 2) {
      if (!isAfter(high - step)) {
        low = high - step + 1;
        break;
      }
    }
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
