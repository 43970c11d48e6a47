import { HASH_BYTES, SHORTEST_PREFIX } from '../../specs/safe-browsing/hashes.ts';
import { ListError, type ListPlace } from './error.ts';
import { compareAt, isAscending, mustBeWholePrefixes, packed, sortedPrefixes } from './sorted-prefixes.ts';

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

/** Sorts additions into a group. @throws {ListError} where they are not whole, or one occurs twice */
export function sortedGroup(prefixes: Uint8Array, width: number): PrefixGroup {
  mustBeWhole(prefixes, width, 'additions');
  const sorted = packed(sortedPrefixes(prefixes, width), width);
  if (sorted.length === prefixes.length) return { width, prefixes: sorted };
  throw new ListError('additions', 'repeated-entry', `a prefix of ${width} bytes is there twice`);
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

/** Returns the number of prefixes in all groups. */
export function sizeOf(groups: readonly PrefixGroup[]): number {
  return groups.reduce((sum, group) => sum + countOf(group), 0);
}

/** Merges two groups of one width; each prefix occurs once. */
export function union(one: PrefixGroup, other: PrefixGroup): PrefixGroup {
  const { width } = one;
  const [left, right] = [one.prefixes, other.prefixes];
  const prefixes = new Uint8Array(left.length + right.length);
  let end = 0;
  for (let at = 0, otherAt = 0; at < left.length || otherAt < right.length; end += width) {
    const order = at === left.length ? 1 : otherAt === right.length ? -1 : compareAt(left, at, right, otherAt, width);
    prefixes.set(order <= 0 ? left.subarray(at, at + width) : right.subarray(otherAt, otherAt + width), end);
    if (order <= 0) at += width;
    if (order >= 0) otherAt += width;
  }
  return { width, prefixes: end === prefixes.length ? prefixes : prefixes.slice(0, end) };
}

/** Returns the rows of `one` that `other` lacks, ascending. */
export function missingRows(one: PrefixGroup, other: PrefixGroup): number[] {
  return rowsUnder(one, other, false);
}

/** Returns the rows that begin with one of `others`, which are no longer, or those that do not. */
function rowsUnder(group: PrefixGroup, others: PrefixGroup, isUnder: boolean): number[] {
  const rows: number[] = [];
  const { prefixes, width } = group;
  for (let row = 0, at = 0; row * width < prefixes.length; ) {
    const isPast = at === others.prefixes.length;
    const order = isPast ? -1 : compareAt(prefixes, row * width, others.prefixes, at, others.width);
    if (order > 0) at += others.width;
    else if ((order === 0) === isUnder) rows.push(row++);
    else row++;
  }
  return rows;
}

/** Returns the group without `rows`, which ascend. */
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

/** Returns the prefixes of `rows` alone. */
export function only({ prefixes, width }: PrefixGroup, rows: readonly number[]): PrefixGroup {
  const kept = new Uint8Array(rows.length * width);
  for (const [index, row] of rows.entries()) kept.set(prefixes.subarray(row * width, (row + 1) * width), index * width);
  return { width, prefixes: kept };
}

/**
 * Returns a caller's groups, of any widths, as one group per width, the shortest first. A prefix that begins with
 * another is left out: it finds nothing that the other does not, and Google's client refuses a list with both.
 *
 * @throws {TypeError} @throws {RangeError} where a group is not whole prefixes of 4 to 32 bytes
 */
export function shortestPrefixGroups(given: readonly PrefixGroup[]): PrefixGroup[] {
  const merged: PrefixGroup[] = [];
  for (const { prefixes, width } of [...given].sort((one, other) => one.width - other.width)) {
    mustBeWholePrefixes(prefixes, width);
    const sorted = { width, prefixes: packed(sortedPrefixes(prefixes, width), width) };
    const last = merged.at(-1)?.width === width ? merged.pop() : undefined;
    const own = merged.reduce(
      (group, shorter) => without(group, rowsUnder(group, shorter, true)),
      sorted as PrefixGroup,
    );
    merged.push(last === undefined ? own : union(last, own));
  }
  return merged;
}

// Web Risk mixes widths in a list. It counts and hashes its entries in the order of all of their bytes.

/** The group and row of each entry in that order, in which a prefix comes before those that begin with it. */
interface MergedOrder {
  readonly groups: Uint8Array; // there are at most 29 widths
  readonly rows: Uint32Array;
}

function mergedOrder(groups: readonly PrefixGroup[]): MergedOrder {
  const size = sizeOf(groups);
  const order = { groups: new Uint8Array(size), rows: new Uint32Array(size) };
  const next = groups.map(() => 0);
  for (let index = 0; index < size; index++) {
    const first = firstOf(groups, next);
    order.groups[index] = first;
    order.rows[index] = next[first]!++;
  }
  return order;
}

/** Returns the group whose next row comes first. */
function firstOf(groups: readonly PrefixGroup[], rows: readonly number[]): number {
  let first = -1;
  for (let index = 0; index < groups.length; index++) {
    if (rows[index] === countOf(groups[index]!)) continue;
    if (first === -1 || isBefore(groups[index]!, rows[index]!, groups[first]!, rows[first]!)) first = index;
  }
  return first;
}

function isBefore(group: PrefixGroup, row: number, other: PrefixGroup, otherRow: number): boolean {
  const width = Math.min(group.width, other.width);
  const order = compareAt(group.prefixes, row * group.width, other.prefixes, otherRow * other.width, width);
  return order < 0 || (order === 0 && group.width < other.width);
}

/** Returns the rows of each group for ascending `indices` of that order. */
export function rowsAt(groups: readonly PrefixGroup[], indices: Uint32Array): ArrayLike<number>[] {
  if (groups.length === 1) return [indices];
  const order = mergedOrder(groups);
  const rows = groups.map((): number[] => []);
  for (const index of indices) rows[order.groups[index]!]!.push(order.rows[index]!);
  return rows;
}

/** Returns the indices in that order of the given ascending rows of each group. */
export function indicesOf(
  groups: readonly PrefixGroup[],
  rows: readonly (readonly number[])[],
): Uint32Array<ArrayBuffer> {
  if (groups.length === 1) return Uint32Array.from(rows[0]!);
  const order = mergedOrder(groups);
  const found = groups.map(() => 0);
  const indices: number[] = [];
  for (const [index, group] of order.groups.entries()) {
    if (rows[group]![found[group]!] !== order.rows[index]) continue;
    indices.push(index);
    found[group]!++;
  }
  return Uint32Array.from(indices);
}

/** Returns all prefixes, packed in that order. */
export function inOrder(groups: readonly PrefixGroup[]): Uint8Array {
  if (groups.length === 1) return groups[0]!.prefixes;
  const order = mergedOrder(groups);
  const bytes = new Uint8Array(groups.reduce((sum, { prefixes }) => sum + prefixes.length, 0));
  let end = 0;
  for (const [index, group] of order.groups.entries()) {
    const { prefixes, width } = groups[group]!;
    const start = order.rows[index]! * width;
    bytes.set(prefixes.subarray(start, start + width), end);
    end += width;
  }
  return bytes;
}
