import {
  mustBeArray,
  mustBeBoolean,
  mustBeBytes,
  mustBeNumber,
  mustBeNumbers,
  mustBeRecord,
  mustBeString,
} from '../../core/argument.ts';
import { counted } from '../../core/quote.ts';
import {
  checkedGroup,
  countOf,
  ListError,
  missingRows,
  only,
  type PrefixGroup,
  sizeOf,
  union,
  without,
} from './sorted-prefixes.ts';

/** A message about a list: all of it, or what has changed since another version. */
export interface ListUpdate {
  /** The name of the list; empty where the message does not say. */
  readonly name: string;
  /** The version of the list when this is applied, which the next request names. It has no other use. */
  readonly version: Uint8Array;
  /** Whether it changes the version that the request named. Otherwise it is the whole list. */
  readonly isPartial: boolean;
  /** New prefixes, one group per width. Version 5 has one width per list. */
  readonly additions: readonly PrefixGroup[];
  /** Entries to remove first, as indices into the sorted list, ascending. Shorter prefixes come before longer ones. */
  readonly removals: Uint32Array;
  /** SHA-256 of the sorted list when this is applied; undefined where the message does not say. */
  readonly checksum: Uint8Array | undefined;
  /** The time to wait before the next request, in milliseconds; 0: there is more to fetch. */
  readonly minimumWaitMs: number;
}

/** Whether an update changes nothing: its message may then lack a checksum. */
export function changesNothing({ isPartial, additions, removals }: ListUpdate): boolean {
  return isPartial && removals.length === 0 && additions.every(({ prefixes }) => prefixes.length === 0);
}

/** @throws {TypeError} where `update`, an argument of that name, is not an update */
export function mustBeUpdate(name: string, update: ListUpdate): void {
  const { checksum, ...rest } = mustBeRecord(name, update);
  mustBeString(`${name}.name`, rest.name);
  mustBeBytes(`${name}.version`, rest.version);
  mustBeBoolean(`${name}.isPartial`, rest.isPartial);
  mustBeArray(`${name}.additions`, rest.additions);
  for (const [index, group] of rest.additions.entries()) mustBeGroup(`${name}.additions[${index}]`, group);
  mustBeNumbers(`${name}.removals`, rest.removals);
  if (checksum !== undefined) mustBeBytes(`${name}.checksum`, checksum);
  mustBeNumber(`${name}.minimumWaitMs`, rest.minimumWaitMs);
}

/** @throws {TypeError} where `updates`, an argument of that name, are not updates */
export function mustBeUpdates(name: string, updates: readonly ListUpdate[]): void {
  mustBeArray(name, updates);
  for (const [index, update] of updates.entries()) mustBeUpdate(`${name}[${index}]`, update);
}

/** @throws {TypeError} where `group`, an argument of that name, is not one */
export function mustBeGroup(name: string, group: PrefixGroup): void {
  const { width, prefixes } = mustBeRecord(name, group);
  mustBeNumber(`${name}.width`, width);
  mustBeBytes(`${name}.prefixes`, prefixes);
}

/** The parts of a list from which its updates are made. */
interface ListParts {
  readonly name: string;
  readonly version: Uint8Array;
  readonly groups: readonly PrefixGroup[];
  readonly checksum: Uint8Array;
}

/** Returns the prefixes after an update. @throws {ListError} where a removal or an addition is not possible */
export function groupsAfter(groups: readonly PrefixGroup[], update: ListUpdate): PrefixGroup[] {
  const kept = update.isPartial ? afterRemovals(groups, update.removals) : afterReset(groups, update);
  return update.additions.reduce(afterAddition, kept).sort((one, other) => one.width - other.width);
}

/**
 * Returns no groups, as a whole list replaces all; refuses one meant for an empty list. Checksums do not cover widths:
 * those of 40 prefixes of 16 bytes and of 20 of 32 are equal if their bytes are.
 */
function afterReset(groups: readonly PrefixGroup[], { removals, additions }: ListUpdate): PrefixGroup[] {
  if (removals.length > 0)
    throw new ListError(
      'removals',
      'removal-index',
      `the update is a whole list but removes ${removals.length} entries`,
    );
  const known = widthsOf(groups);
  const added = widthsOf(additions.filter(({ prefixes }) => prefixes.length > 0));
  if (known.length === 0 || added.length === 0 || added.some((width) => known.includes(width))) return [];
  const widths = `prefixes of ${added.join(', ')} bytes follow those of ${known.join(', ')}`;
  throw new ListError('additions', 'prefix-length', `${widths}; is it meant for an empty list?`);
}

function widthsOf(groups: readonly PrefixGroup[]): number[] {
  return groups.map(({ width }) => width);
}

function afterRemovals(groups: readonly PrefixGroup[], removals: Uint32Array): PrefixGroup[] {
  const size = sizeOf(groups);
  for (let at = 0; at < removals.length; at++) {
    const index = removals[at]!;
    if (index >= size)
      throw new ListError('removals', 'removal-index', `the update removes entry ${index} of a list of ${size}`);
    if (at > 0 && index <= removals[at - 1]!)
      throw new ListError(
        'removals',
        'removal-index',
        `the indices to remove do not ascend: ${index} follows ${removals[at - 1]}`,
      );
  }
  let end = 0;
  return groups.map((group) => {
    const start = end;
    end += countOf(group);
    const own = removals.filter((index) => index >= start && index < end);
    return without(
      group,
      own.map((index) => index - start),
    );
  });
}

function afterAddition(groups: readonly PrefixGroup[], { prefixes, width }: PrefixGroup): PrefixGroup[] {
  const added = checkedGroup(prefixes, width);
  const others = groups.filter((group) => group.width !== width);
  const all = union(groupOf(groups, width), added);
  if (countOf(all) < countOf(groupOf(groups, width)) + countOf(added))
    throw new ListError('additions', 'repeated-entry', 'the update adds a prefix that the list already holds');
  return [...others, all];
}

export function updateBetween(older: ListParts, newer: ListParts): ListUpdate {
  let size = 0;
  const removed = older.groups.flatMap((group) => {
    const start = size;
    size += countOf(group);
    return missingRows(group, groupOf(newer.groups, group.width)).map((row) => start + row);
  });
  const added = newer.groups.map((group) => only(group, missingRows(group, groupOf(older.groups, group.width))));
  return {
    ...wholeUpdate(newer),
    isPartial: true,
    additions: added.filter(({ prefixes }) => prefixes.length > 0),
    removals: Uint32Array.from(removed),
  };
}

export function wholeUpdate({ name, version, groups, checksum }: ListParts): ListUpdate {
  return {
    name,
    version,
    isPartial: false,
    additions: groups,
    removals: new Uint32Array(0),
    checksum,
    minimumWaitMs: 0,
  };
}

function groupOf(groups: readonly PrefixGroup[], width: number): PrefixGroup {
  return groups.find((group) => group.width === width) ?? { width, prefixes: new Uint8Array(0) };
}

/** The longest wait that a message can name: google.protobuf.Duration, 10,000 years. */
export const MAX_DURATION_MS = 315_576_000_000_000;

/** The share of its entries that a list may lose at once, unless an option says otherwise. */
export const MAX_SHRINK = 0.5;

/**
 * Says how much a list lost, where that is more than it may: a truncated file would make every client drop the rest.
 */
export function shrinkProblem(size: number, before: number, maxShrink: number): string | undefined {
  if (size >= before * (1 - maxShrink)) return undefined;
  return `it has ${counted(size, 'entry', 'entries')} in place of ${before}, more than ${Math.round(100 * maxShrink)} % at once`;
}
