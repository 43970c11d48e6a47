import { mustBeWholePrefixes, PrefixSet } from '../prefix-set/prefix-set.ts';
import { packed, sortedPrefixes } from '../prefix-set/sorted-prefixes.ts';
import { type PrefixGroup, union, without } from './prefix-group.ts';

/**
 * Groups of a caller, of any widths, as one group per width, the shortest first. A prefix that begins with another
 * finds nothing that the other does not, and Google's client refuses a list with both: it is left out.
 *
 * @throws {TypeError} @throws {RangeError} where a group is not whole prefixes of 4 to 32 bytes
 */
export function shortestPrefixGroups(given: readonly PrefixGroup[]): PrefixGroup[] {
  const merged: PrefixGroup[] = [];
  for (const group of [...given].sort((one, other) => one.width - other.width)) {
    const sorted = sortedPrefixGroup(group.prefixes, group.width);
    const last = merged.at(-1);
    if (last?.width !== sorted.width) merged.push(withoutLonger(sorted, merged));
    else merged.splice(-1, 1, union(last, withoutLonger(sorted, merged.slice(0, -1))));
  }
  return merged;
}

/** The prefixes that do not begin with one of `shorter`, each of which is of another width. */
function withoutLonger(group: PrefixGroup, shorter: readonly PrefixGroup[]): PrefixGroup {
  const sets = shorter.map(({ prefixes, width }) => PrefixSet.from(prefixes, width));
  const { prefixes, width } = group;
  const rows: number[] = [];
  for (let at = 0; at < prefixes.length; at += width)
    if (sets.some((set) => set.has(prefixes.subarray(at, at + set.width)))) rows.push(at / width);
  return without(group, rows);
}

/** A caller's prefixes, where duplicates count once. @throws {TypeError} @throws {RangeError} */
function sortedPrefixGroup(prefixes: Uint8Array, width: number): PrefixGroup {
  mustBeWholePrefixes(prefixes, width);
  return { width, prefixes: packed(sortedPrefixes(prefixes, width), width) };
}
