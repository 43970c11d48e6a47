import { ListError } from './error.ts';
import { indicesOf, rowsAt } from './merged-order.ts';
import { checkedGroup, countOf, missingRows, only, type PrefixGroup, union, without } from './prefix-group.ts';
import type { ListUpdate } from './update.ts';

/** The parts of a list that its updates are made of. */
interface Listed {
  readonly name: string;
  readonly version: Uint8Array;
  readonly groups: readonly PrefixGroup[];
  readonly checksum: Uint8Array;
}

/** The prefixes when an update is applied. @throws {ListError} where it removes or adds what cannot be */
export function groupsAfter(groups: readonly PrefixGroup[], update: ListUpdate): PrefixGroup[] {
  const kept = update.isPartial ? afterRemovals(groups, update.removals) : afterReset(groups, update);
  return update.additions.reduce(afterAddition, kept).sort((one, other) => one.width - other.width);
}

/** Checksums do not cover widths: those of 40 prefixes of 16 bytes and of 20 of 32, one after another, are equal. */
function afterReset(groups: readonly PrefixGroup[], { removals, additions }: ListUpdate): PrefixGroup[] {
  if (removals.length > 0)
    throw new ListError('removals', 'removal-index', `a whole list has ${removals.length} indices to remove`);
  const [known, added] = [groups, additions.filter(({ prefixes }) => prefixes.length > 0)].map(widthsOf);
  if (known!.length === 0 || added!.length === 0 || added!.some((width) => known!.includes(width))) return [];
  const widths = `prefixes of ${added!.join(', ')} bytes follow those of ${known!.join(', ')}`;
  throw new ListError('additions', 'prefix-length', `${widths}; is it meant for an empty list?`);
}

function widthsOf(groups: readonly PrefixGroup[]): number[] {
  return groups.map(({ width }) => width);
}

function afterRemovals(groups: readonly PrefixGroup[], removals: Uint32Array): PrefixGroup[] {
  const size = groups.reduce((sum, group) => sum + countOf(group), 0);
  for (let at = 0; at < removals.length; at++) {
    const index = removals[at]!;
    if (index >= size) throw new ListError('removals', 'removal-index', `there is no entry ${index} among ${size}`);
    if (at > 0 && index <= removals[at - 1]!)
      throw new ListError('removals', 'removal-index', `index ${index} comes after ${removals[at - 1]}`);
  }
  if (removals.length === 0) return [...groups];
  const rows = rowsAt(groups, removals);
  return groups.map((group, at) => without(group, rows[at]!));
}

function afterAddition(groups: readonly PrefixGroup[], { prefixes, width }: PrefixGroup): PrefixGroup[] {
  const added = checkedGroup(prefixes, width);
  const others = groups.filter((group) => group.width !== width);
  return [...others, union(groupOf(groups, width), added, refuseRepeated)];
}

function refuseRepeated(): void {
  throw new ListError('additions', 'repeated-entry', 'a prefix to add is on the list already');
}

export function updateBetween(older: Listed, newer: Listed): ListUpdate {
  const removed = older.groups.map((group) => missingRows(group, groupOf(newer.groups, group.width)));
  const added = newer.groups.map((group) => only(group, missingRows(group, groupOf(older.groups, group.width))));
  return {
    ...wholeUpdate(newer),
    isPartial: true,
    additions: added.filter(({ prefixes }) => prefixes.length > 0),
    removals: indicesOf(older.groups, removed),
  };
}

export function wholeUpdate({ name, version, groups, checksum }: Listed): ListUpdate {
  const additions = groups;
  const removals = new Uint32Array(0);
  return {
    name,
    version,
    isPartial: false,
    additions,
    removals,
    checksum,
    minimumWaitMs: 0,
    nextRequestTime: undefined,
  };
}

function groupOf(groups: readonly PrefixGroup[], width: number): PrefixGroup {
  return groups.find((group) => group.width === width) ?? { width, prefixes: new Uint8Array(0) };
}
