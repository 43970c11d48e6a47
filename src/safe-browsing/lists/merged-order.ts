import { compareAt } from '../prefix-set/sorted-prefixes.ts';
import { countOf, type PrefixGroup } from './prefix-group.ts';

// Version 4 and Web Risk mix widths in a list, and count and hash its entries in the order of all of their bytes.

/**
 * Calls `visit` with each prefix of all groups in that order, a prefix before what begins with it, until it is false.
 */
function eachInOrder(groups: readonly PrefixGroup[], visit: (group: number, row: number) => boolean | void): void {
  const rows = groups.map(() => 0);
  for (let first = firstOf(groups, rows); first !== -1; first = firstOf(groups, rows)) {
    if (visit(first, rows[first]!++) === false) return;
  }
}

/** Of the groups' next rows, which comes first; -1 where there is none. */
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

/** The rows of each group that lie at `indices` of that order, which ascend. */
export function rowsAt(groups: readonly PrefixGroup[], indices: Uint32Array): ArrayLike<number>[] {
  if (groups.length === 1) return [indices];
  const rows = groups.map((): number[] => []);
  let index = 0;
  let next = 0;
  eachInOrder(groups, (group, row) => {
    if (index++ === indices[next]) rows[group]!.push(row);
    else return next < indices.length;
    return ++next < indices.length;
  });
  return rows;
}

/** Where the given rows of each group, which ascend, lie in that order. */
export function indicesOf(
  groups: readonly PrefixGroup[],
  rows: readonly (readonly number[])[],
): Uint32Array<ArrayBuffer> {
  if (groups.length === 1) return Uint32Array.from(rows[0]!);
  const next = groups.map(() => 0);
  const indices: number[] = [];
  let index = 0;
  eachInOrder(groups, (group, row) => {
    if (rows[group]![next[group]!] === row) {
      indices.push(index);
      next[group]!++;
    }
    index++;
  });
  return Uint32Array.from(indices);
}

/** All prefixes one after another in that order. */
export function inOrder(groups: readonly PrefixGroup[]): Uint8Array {
  if (groups.length === 1) return groups[0]!.prefixes;
  const bytes = new Uint8Array(groups.reduce((sum, { prefixes }) => sum + prefixes.length, 0));
  let end = 0;
  eachInOrder(groups, (group, row) => {
    const { prefixes, width } = groups[group]!;
    bytes.set(prefixes.subarray(row * width, (row + 1) * width), end);
    end += width;
  });
  return bytes;
}
