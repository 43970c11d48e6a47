import {
  mustBeArray,
  mustBeBoolean,
  mustBeBytes,
  mustBeNumber,
  mustBeRecord,
  mustBeString,
  wrongKind,
} from '../../argument.ts';
import type { PrefixGroup } from './prefix-group.ts';

/** What a message says of a list: all of it, or what has changed since another version. */
export interface ListUpdate {
  /** The list; empty where the message does not say. */
  readonly name: string;
  /** Of the list when this is applied: for the next request, and for nothing else. */
  readonly version: Uint8Array;
  /** Does it change the version that the request named? Otherwise it is the whole list. */
  readonly isPartial: boolean;
  /** New prefixes, one group per width. Version 5 has one width per list. */
  readonly additions: readonly PrefixGroup[];
  /** Entries to remove first, as indices into the sorted list, ascending. */
  readonly removals: Uint32Array;
  /** SHA-256 of the sorted list when this is applied; undefined where the message does not say. */
  readonly checksum: Uint8Array | undefined;
  /** How long to wait before the next request, in milliseconds; 0: there is more to fetch. */
  readonly minimumWaitMs: number;
  /** Web Risk: the time of the next request, in milliseconds since 1970; undefined where the message does not say. */
  readonly nextRequestTime: number | undefined;
}

/** Then the message may do without a checksum. */
export function changesNothing({ isPartial, additions, removals }: ListUpdate): boolean {
  return isPartial && removals.length === 0 && additions.every(({ prefixes }) => prefixes.length === 0);
}

/** @throws {TypeError} on an update, an argument of that name, that is not one */
export function mustBeUpdate(name: string, update: ListUpdate): void {
  const { removals, checksum, nextRequestTime, ...rest } = mustBeRecord(name, update);
  mustBeString(`${name}.name`, rest.name);
  mustBeBytes(`${name}.version`, rest.version);
  mustBeBoolean(`${name}.isPartial`, rest.isPartial);
  mustBeArray(`${name}.additions`, rest.additions);
  for (const [index, group] of rest.additions.entries()) mustBeGroup(`${name}.additions[${index}]`, group);
  if (Object.prototype.toString.call(removals) !== '[object Uint32Array]')
    throw wrongKind(`${name}.removals`, 'a Uint32Array', removals);
  if (checksum !== undefined) mustBeBytes(`${name}.checksum`, checksum);
  mustBeNumber(`${name}.minimumWaitMs`, rest.minimumWaitMs);
  if (nextRequestTime !== undefined) mustBeNumber(`${name}.nextRequestTime`, nextRequestTime);
}

/** The same of several. */
export function mustBeUpdates(name: string, updates: readonly ListUpdate[]): void {
  mustBeArray(name, updates);
  for (const [index, update] of updates.entries()) mustBeUpdate(`${name}[${index}]`, update);
}

function mustBeGroup(name: string, group: PrefixGroup): void {
  const { width, prefixes } = mustBeRecord(name, group);
  mustBeNumber(`${name}.width`, width);
  mustBeBytes(`${name}.prefixes`, prefixes);
}
