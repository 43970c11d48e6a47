import { HASH_BYTES, SHORTEST_PREFIX } from '../hashes.ts';
import { mustBeWholePrefixes, PrefixSet } from '../prefix-set/prefix-set.ts';
import { compareAt, isAscending, packed, sortedPrefixes } from '../prefix-set/sorted-prefixes.ts';
import { ListError, type ListPlace } from './error.ts';

/** Hash prefixes of one length. */
export interface PrefixGroup {
  /** Bytes per prefix, 4 to 32. */
  readonly length: number;
  /** Packed, ascending, without duplicates. */
  readonly prefixes: Uint8Array;
}

/** @throws {ListError} where the prefixes are not whole, or do not ascend */
export function checkedGroup(prefixes: Uint8Array, length: number, place: ListPlace = 'additions'): PrefixGroup {
  mustBeWhole(prefixes, length, place);
  if (isAscending(prefixes, length)) return { length, prefixes };
  throw new ListError(place, 'repeated-entry', `the prefixes of ${length} bytes do not ascend, each once`);
}

/** The same of prefixes in any order. @throws {ListError} where they are not whole, or one is there twice */
export function sortedGroup(prefixes: Uint8Array, length: number, place: ListPlace): PrefixGroup {
  mustBeWhole(prefixes, length, place);
  const sorted = packed(sortedPrefixes(prefixes, length), length);
  if (sorted.length === prefixes.length) return { length, prefixes: sorted };
  throw new ListError(place, 'repeated-entry', `a prefix of ${length} bytes is there twice`);
}

/** The same of a caller's prefixes, where duplicates count once. @throws {TypeError} @throws {RangeError} */
function sortedPrefixGroup(prefixes: Uint8Array, length: number): PrefixGroup {
  mustBeWholePrefixes(prefixes, length);
  return { length, prefixes: packed(sortedPrefixes(prefixes, length), length) };
}

/**
 * Groups of a caller, of any lengths, as one group per length, the shortest first. A prefix that begins with another
 * finds nothing that the other does not, and Google's client refuses a list with both: it is left out.
 *
 * @throws {TypeError} @throws {RangeError} where a group is not whole prefixes of 4 to 32 bytes
 */
export function shortestPrefixGroups(given: readonly PrefixGroup[]): PrefixGroup[] {
  const merged: PrefixGroup[] = [];
  for (const group of [...given].sort((one, other) => one.length - other.length)) {
    const sorted = sortedPrefixGroup(group.prefixes, group.length);
    const last = merged.at(-1);
    if (last?.length !== sorted.length) merged.push(withoutLonger(sorted, merged));
    else merged.splice(-1, 1, union(last, withoutLonger(sorted, merged.slice(0, -1))));
  }
  return merged;
}

/** The prefixes that do not begin with one of `shorter`, each of which is of another length. */
function withoutLonger(group: PrefixGroup, shorter: readonly PrefixGroup[]): PrefixGroup {
  const sets = shorter.map(({ prefixes, length }) => PrefixSet.from(prefixes, length));
  const { prefixes, length } = group;
  const rows: number[] = [];
  for (let at = 0; at < prefixes.length; at += length)
    if (sets.some((set) => set.has(prefixes.subarray(at, at + set.length)))) rows.push(at / length);
  return without(group, rows);
}

/** @throws {ListError} where the prefixes do not have `length` bytes each */
export function mustBeWhole(prefixes: Uint8Array, length: number, place: ListPlace): void {
  if (!Number.isInteger(length) || length < SHORTEST_PREFIX || length > HASH_BYTES) {
    const text = `prefixes have ${length} bytes, not ${SHORTEST_PREFIX} to ${HASH_BYTES}`;
    throw new ListError(place, 'prefix-length', text);
  }
  if (prefixes.length % length === 0) return;
  const text = `prefixes of ${length} bytes do not fill ${prefixes.length} bytes`;
  throw new ListError(place, 'wrong-size', text);
}

export function countOf({ prefixes, length }: PrefixGroup): number {
  return prefixes.length / length;
}

/** The prefixes of both, each once. `onBoth` is called for one that both have. */
export function union(one: PrefixGroup, other: PrefixGroup, onBoth: () => void = () => undefined): PrefixGroup {
  const { length } = one;
  const prefixes = new Uint8Array(one.prefixes.length + other.prefixes.length);
  let end = 0;
  eachOfBoth(one, other, (group, at, isInBoth) => {
    if (isInBoth) onBoth();
    prefixes.set(group.prefixes.subarray(at, at + length), end);
    end += length;
  });
  return { length, prefixes: end === prefixes.length ? prefixes : prefixes.slice(0, end) };
}

/** Rows of `one` that `other` lacks, ascending. */
export function missingRows(one: PrefixGroup, other: PrefixGroup): number[] {
  const rows: number[] = [];
  eachOfBoth(one, other, (group, at, isInBoth) => {
    if (group === one && !isInBoth) rows.push(at / one.length);
  });
  return rows;
}

/** The prefixes without those of `rows`, which ascend. */
export function without(group: PrefixGroup, rows: ArrayLike<number>): PrefixGroup {
  const { prefixes, length } = group;
  if (rows.length === 0) return group;
  const kept = new Uint8Array(prefixes.length - rows.length * length);
  let end = 0;
  for (let index = 0, start = 0; index <= rows.length; index++) {
    const stop = index < rows.length ? rows[index]! * length : prefixes.length;
    kept.set(prefixes.subarray(start, stop), end);
    end += stop - start;
    start = stop + length;
  }
  return { length, prefixes: kept };
}

/** Those of `rows` alone. */
export function only({ prefixes, length }: PrefixGroup, rows: readonly number[]): PrefixGroup {
  const kept = new Uint8Array(rows.length * length);
  for (const [index, row] of rows.entries())
    kept.set(prefixes.subarray(row * length, (row + 1) * length), index * length);
  return { length, prefixes: kept };
}

/** Every prefix of two groups of one length in ascending order; one that both have is shown once, as `one`'s. */
function eachOfBoth(
  one: PrefixGroup,
  other: PrefixGroup,
  visit: (group: PrefixGroup, at: number, isInBoth: boolean) => void,
): void {
  const { length } = one;
  let [at, otherAt] = [0, 0];
  while (at < one.prefixes.length || otherAt < other.prefixes.length) {
    const order =
      at >= one.prefixes.length
        ? 1
        : otherAt >= other.prefixes.length
          ? -1
          : compareAt(one.prefixes, at, other.prefixes, otherAt, length);
    if (order <= 0) visit(one, at, order === 0);
    else visit(other, otherAt, false);
    if (order <= 0) at += length;
    if (order >= 0) otherAt += length;
  }
}
