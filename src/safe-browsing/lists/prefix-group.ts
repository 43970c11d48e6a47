import { HASH_BYTES, SHORTEST_PREFIX } from '../hashes.ts';
import { compareAt, isAscending, packed, sortedPrefixes } from '../prefix-set/sorted-prefixes.ts';
import { ListError, type ListPlace } from './error.ts';

/** Hash prefixes of one width. */
export interface PrefixGroup {
  /** Bytes per prefix, 4 to 32. */
  readonly width: number;
  /** Packed, ascending, without duplicates. */
  readonly prefixes: Uint8Array;
}

/** @throws {ListError} where the prefixes are not whole, or do not ascend */
export function checkedGroup(prefixes: Uint8Array, width: number, place: ListPlace = 'additions'): PrefixGroup {
  mustBeWhole(prefixes, width, place);
  if (isAscending(prefixes, width)) return { width, prefixes };
  throw new ListError(place, 'repeated-entry', `the prefixes of ${width} bytes do not ascend, each once`);
}

/** The same of prefixes in any order. @throws {ListError} where they are not whole, or one is there twice */
export function sortedGroup(prefixes: Uint8Array, width: number, place: ListPlace): PrefixGroup {
  mustBeWhole(prefixes, width, place);
  const sorted = packed(sortedPrefixes(prefixes, width), width);
  if (sorted.length === prefixes.length) return { width, prefixes: sorted };
  throw new ListError(place, 'repeated-entry', `a prefix of ${width} bytes is there twice`);
}

/** @throws {ListError} where the prefixes do not have `width` bytes each */
export function mustBeWhole(prefixes: Uint8Array, width: number, place: ListPlace): void {
  if (!Number.isInteger(width) || width < SHORTEST_PREFIX || width > HASH_BYTES) {
    const text = `prefixes have ${width} bytes, not ${SHORTEST_PREFIX} to ${HASH_BYTES}`;
    throw new ListError(place, 'prefix-length', text);
  }
  if (prefixes.length % width === 0) return;
  const text = `prefixes of ${width} bytes do not fill ${prefixes.length} bytes`;
  throw new ListError(place, 'wrong-size', text);
}

export function countOf({ prefixes, width }: PrefixGroup): number {
  return prefixes.length / width;
}

/** The prefixes of both, each once. `onBoth` is called for one that both have. */
export function union(one: PrefixGroup, other: PrefixGroup, onBoth: () => void = () => undefined): PrefixGroup {
  const { width } = one;
  const prefixes = new Uint8Array(one.prefixes.length + other.prefixes.length);
  let end = 0;
  eachOfBoth(one, other, (group, at, isInBoth) => {
    if (isInBoth) onBoth();
    prefixes.set(group.prefixes.subarray(at, at + width), end);
    end += width;
  });
  return { width, prefixes: end === prefixes.length ? prefixes : prefixes.slice(0, end) };
}

/** Rows of `one` that `other` lacks, ascending. */
export function missingRows(one: PrefixGroup, other: PrefixGroup): number[] {
  const rows: number[] = [];
  eachOfBoth(one, other, (group, at, isInBoth) => {
    if (group === one && !isInBoth) rows.push(at / one.width);
  });
  return rows;
}

/** The prefixes without those of `rows`, which ascend. */
export function without(group: PrefixGroup, rows: ArrayLike<number>): PrefixGroup {
  const { prefixes, width } = group;
  if (rows.length === 0) return group;
  const kept = new Uint8Array(prefixes.length - rows.length * width);
  let end = 0;
  for (let index = 0, start = 0; index <= rows.length; index++) {
    const stop = index < rows.length ? rows[index]! * width : prefixes.length;
    kept.set(prefixes.subarray(start, stop), end);
    end += stop - start;
    start = stop + width;
  }
  return { width, prefixes: kept };
}

/** Those of `rows` alone. */
export function only({ prefixes, width }: PrefixGroup, rows: readonly number[]): PrefixGroup {
  const kept = new Uint8Array(rows.length * width);
  for (const [index, row] of rows.entries()) kept.set(prefixes.subarray(row * width, (row + 1) * width), index * width);
  return { width, prefixes: kept };
}

/** Every prefix of two groups of one width in ascending order; one that both have is shown once, as `one`'s. */
function eachOfBoth(
  one: PrefixGroup,
  other: PrefixGroup,
  visit: (group: PrefixGroup, at: number, isInBoth: boolean) => void,
): void {
  const { width } = one;
  let [at, otherAt] = [0, 0];
  while (at < one.prefixes.length || otherAt < other.prefixes.length) {
    const order =
      at >= one.prefixes.length
        ? 1
        : otherAt >= other.prefixes.length
          ? -1
          : compareAt(one.prefixes, at, other.prefixes, otherAt, width);
    if (order <= 0) visit(one, at, order === 0);
    else visit(other, otherAt, false);
    if (order <= 0) at += width;
    if (order >= 0) otherAt += width;
  }
}
