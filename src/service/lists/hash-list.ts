import {
  isBytes,
  mustBeBytes,
  mustBeNumber,
  mustBeOneOf,
  mustBeOptions,
  mustBeString,
  ownProperties,
  wrongKind,
} from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { areSameBytes } from '../../core/bytes/order.ts';
import { mustBeColumn } from '../../core/digest/column.ts';
import { quote } from '../../core/quote.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import type { ExpressionColumn } from '../../specs/safe-browsing/hasher.ts';
import type { Profile } from '../../specs/safe-browsing/host.ts';
import { PROFILES } from '../../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { decodeList, encodeList, type StoredList, versionOf } from './list-file.ts';
import { PrefixSet } from './prefix-set.ts';
import { checksumOf, ListError, type PrefixGroup, shortestPrefixGroups, sizeOf } from './sorted-prefixes.ts';
import {
  changesNothing,
  groupsAfter,
  type ListUpdate,
  mustBeGroup,
  mustBeUpdate,
  updateBetween,
  wholeUpdate,
} from './update.ts';

/** Options of `HashList.from`. */
export interface HashListOptions {
  /** Default: none. */
  readonly name?: string | undefined;
  /** Default: the first 16 bytes of the checksum, so that equal lists have equal versions. */
  readonly version?: Uint8Array | undefined;
  /** The page whose expressions the prefixes are of: `v5` (default), or `web-risk`. */
  readonly profile?: Profile | undefined;
  /** The edition of the Public Suffix List that look-ups have to use; default: any. Of `v5` only. */
  readonly suffixList?: string | undefined;
}

/** Zero would ask clients to come back at once. */
const DEFAULT_WAIT_MS = 1_800_000;

/** Parts that are not given are derived from the prefixes. */
interface Parts extends Omit<StoredList, 'version' | 'checksum'> {
  readonly version?: Uint8Array | undefined;
  readonly checksum?: Uint8Array | undefined;
  readonly mergedCount?: number | undefined;
}

/**
 * A list of hash prefixes under a name, in one version. It does not change: an update gives another list.
 *
 * @example
 * const list = HashList.from(Uint8Array.of(0x73, 0xd9, 0x86, 0xe0), 4, { name: 'ours' });
 * list.has(hashes('http://example.com/')[0]!); //=> true
 * const newer = HashList.from(Uint8Array.of(1, 2, 3, 4), 4, { name: 'ours' });
 * const update = list.updateTo(newer); // one prefix is removed, another is added
 * list.updated(update).has(hashes('http://example.com/')[0]!); //=> false
 */
export class HashList {
  /** @internal */
  static readonly name = 'HashList';
  /** The name that its sender gives it; empty where it has none. */
  readonly name: string;
  /** The version, which its sender chooses; empty for a list that was never fetched. */
  readonly version: Uint8Array;
  /** The page whose expressions the prefixes are of. */
  readonly profile: Profile;
  /** The edition of the Public Suffix List that look-ups have to use (`SuffixList.edition`); undefined for any. */
  readonly suffixList: string | undefined;
  /** The prefixes: one group per width, the shortest first. Version 5 has one width per list. */
  readonly groups: readonly PrefixGroup[];
  /** SHA-256 (FIPS 180-4) of the sorted list: 32 bytes. */
  readonly checksum: Uint8Array;
  /**
   * The number of the prefixes that `from` was given and that are not entries of their own, as an equal or a shorter
   * one finds all that they find; 0 for a list that was made otherwise.
   */
  readonly mergedCount: number;
  #sets: readonly PrefixSet[] | undefined;

  private constructor(parts: Parts) {
    const own = ownProperties<Parts>(parts);
    const { name, version, profile, suffixList, groups, checksum = checksumOf(groups), mergedCount = 0 } = own;
    this.name = name;
    this.mergedCount = mergedCount;
    this.profile = profile;
    this.suffixList = suffixList;
    this.groups = groups.filter(({ prefixes }) => prefixes.length > 0);
    this.checksum = checksum;
    this.version = version ?? versionOf(checksum);
  }

  /**
   * A list without entries and version, to which the first update is applied.
   *
   * @param name the list's
   * @param profile which page's expressions its prefixes will be of
   * @throws {TypeError} where the name is not a string
   * @throws {RangeError} on a profile that does not exist
   */
  static empty(name = '', profile: Profile = 'v5'): HashList {
    mustBeString('name', name);
    mustBeOneOf('profile', profile, PROFILES);
    return new HashList({ name, version: new Uint8Array(0), profile, groups: [] });
  }

  /**
   * A list of packed prefixes, in any order; duplicates count once.
   *
   * @param prefixes `width` bytes per prefix, copied
   * @param width bytes per prefix, 4 to 32
   * @param options its name, version, profile and suffix list
   * @throws {TypeError} where `prefixes` or the version is not a Uint8Array, or the name or the suffix list not a
   * string
   * @throws {RangeError} where `width` is not a whole number from 4 to 32, or does not divide the number of bytes, or the
   * name says another (`mw-4b`), on a suffix list with the profile `web-risk`, and on an option that does not exist
   */
  static from(prefixes: Uint8Array, width: number, options?: HashListOptions): HashList;
  /**
   * A list of prefixes of several widths. One that begins with another is merged into that, which finds all that it
   * finds: Google's clients refuse a list with both. `mergedCount` says how many were.
   *
   * @param groups packed prefixes of one width each, in any order, copied
   * @param options its name, version, profile and suffix list
   * @throws {TypeError} where prefixes or the version are not a Uint8Array, or the name or the suffix list not a string
   * @throws {RangeError} where a width is not a whole number from 4 to 32, or does not divide its number of bytes, or the
   * name says another (`mw-4b`), on a suffix list with the profile `web-risk`, and on an option that does not exist
   */
  static from(groups: readonly PrefixGroup[], options?: HashListOptions): HashList;
  static from(given: Uint8Array | readonly PrefixGroup[], ...rest: unknown[]): HashList {
    if (!Array.isArray(given)) {
      const [width, options] = rest as [number, HashListOptions?];
      return HashList.#ofGroups([{ prefixes: given as Uint8Array, width }], options);
    }
    for (const [index, group] of given.entries()) mustBeGroup(`groups[${index}]`, group as PrefixGroup);
    return HashList.#ofGroups(given as readonly PrefixGroup[], rest[0] as HashListOptions);
  }

  static #ofGroups(given: readonly PrefixGroup[], options: HashListOptions = {}): HashList {
    const own = mustBeOptions('options', options, ['name', 'version', 'profile', 'suffixList']);
    const { name = '', version, profile = 'v5', suffixList } = own;
    mustBeString('name', name);
    mustBeOneOf('profile', profile, PROFILES);
    mustBeEdition(suffixList, profile);
    const ownVersion = version === undefined ? version : Uint8Array.from(mustBeBytes('version', version));
    const groups = shortestPrefixGroups(given);
    mustHaveNamedWidth(name, groups);
    const mergedCount = sizeOf(given) - sizeOf(groups);
    return new HashList({ name, version: ownVersion, profile, suffixList, groups, mergedCount });
  }

  /**
   * The list that `toBytes` wrote.
   *
   * @param bytes all that it wrote; they are not copied, and must stay as they are
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {ListError} where the bytes are cut, damaged, of another version of the format, or not a list
   */
  static fromBytes(bytes: Uint8Array): HashList {
    return new HashList(decodeList(mustBeBytes('bytes', bytes)));
  }

  /** The number of prefixes. */
  get size(): number {
    return sizeOf(this.groups);
  }

  /** One set per width, the shortest first, made at first use. */
  get prefixSets(): readonly PrefixSet[] {
    return (this.#sets ??= this.groups.map((group) => PrefixSet.ofGroup(group)));
  }

  /**
   * Says whether a hash begins with one of the prefixes.
   *
   * @param hash 32 bytes
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {RangeError} on any other number of bytes
   */
  has(hash: Uint8Array): boolean {
    if (mustBeBytes('hash', hash).length !== HASH_BYTES)
      throw new RangeError(`hash must have ${HASH_BYTES} bytes, got ${hash.length}`);
    return this.hasAt(hash, 0);
  }

  /** @internal Whether the hash at `at`, of at least the longest prefix's width, begins with one of the prefixes. */
  hasAt(bytes: Uint8Array, at: number): boolean {
    for (const set of this.prefixSets) if (set.hasAt(bytes, at)) return true; // `some` would call a function per set
    return false;
  }

  /**
   * The rows of which the hash of some expression begins with one of the prefixes, ascending.
   *
   * @param column hashes at least as wide as the longest prefix
   * @throws {TypeError} on anything but an ExpressionColumn
   * @throws {RangeError} where the column's hashes are shorter, of another profile than the list's, or of another
   * Public Suffix List than the list is for
   */
  matches(column: ExpressionColumn): Uint32Array<ArrayBuffer> {
    this.#mustFit(column);
    const found = this.prefixSets.map((set) => set.matches(column));
    if (found.length === 1) return found[0]!;
    return Uint32Array.from(new Set(found.flatMap((rows) => [...rows]))).sort();
  }

  /**
   * Returns the expressions of a row that match, as positions in the order of `expressions`.
   *
   * @param row from 0 to the column's `length - 1`
   * @param column the column that `row` counts in
   * @throws {TypeError} where `row` is not a number, or `column` not an ExpressionColumn
   * @throws {RangeError} where the column's hashes are shorter than a prefix, of another profile than the list's, or of
   * another Public Suffix List than the list is for
   */
  matchesOf(row: number, column: ExpressionColumn): number[] {
    this.#mustFit(column);
    const found = this.prefixSets.flatMap((set) => set.matchesOf(row, column));
    return [...new Set(found)].sort((one, other) => one - other);
  }

  /**
   * The list that an update makes of this one: removals first, then additions, then the checksum is compared. What that
   * covers is taken as it is, also a prefix that begins with another: without it, later indices would be of other
   * entries.
   *
   * @param update a decoded message
   * @returns another list; this one where a partial update was applied before, which its version and checksum tell,
   * and where it has no checksum and changes nothing, as the end of a message may be missing: the version stays as
   * well, so that the next request asks for what has changed since
   * @throws {TypeError} where a part of the update is of the wrong kind
   * @throws {ListError} where the update is of another list, removes or adds what cannot be, has prefixes of other
   * widths alone, or the checksum differs; a client then fetches the whole list, by a request without version, for an
   * empty one
   */
  updated(update: ListUpdate): HashList {
    mustBeUpdate('update', update);
    const name = this.#nameAfter(update);
    if (name === this.name && this.#isMadeBy(update)) return this;
    const groups = groupsAfter(this.groups, update);
    if (update.checksum === undefined) return this.#withoutChange(update);
    const { profile, suffixList } = this;
    const list = new HashList({ name, version: Uint8Array.from(update.version), profile, suffixList, groups });
    mustHaveChecksum(list, update.checksum);
    return list;
  }

  /**
   * The partial update that makes another version of this one.
   *
   * @param newer the list to come to
   * @param minimumWaitMs how long clients wait before the next request; default 1,800,000: half an hour
   * @throws {TypeError} where `newer` is not a list, or the wait not a number
   * @throws {ListError} where both have names, and they differ
   * @throws {RangeError} where its prefixes are of another profile or for another suffix list: an update names neither
   */
  updateTo(newer: HashList, minimumWaitMs = DEFAULT_WAIT_MS): ListUpdate {
    mustBeHashList(newer);
    if (newer.name !== this.name && newer.name !== '' && this.name !== '')
      throw new ListError('name', 'other-list', `the newer list is ${quote(newer.name)}, not ${quote(this.name)}`);
    if (newer.profile !== this.profile)
      throw new RangeError(`the newer list has profile ${newer.profile}, not ${this.profile}`);
    if (newer.suffixList !== this.suffixList)
      throw new RangeError(
        `the newer list is for ${editionOf(newer)} of the Public Suffix List, not ${editionOf(this)}`,
      );
    return { ...updateBetween(this, newer), minimumWaitMs: mustBeNumber('minimumWaitMs', minimumWaitMs) };
  }

  /**
   * The update that makes this list of any other version.
   *
   * @param minimumWaitMs how long clients wait before the next request; default 1,800,000: half an hour
   * @throws {TypeError} where it is not a number
   */
  toUpdate(minimumWaitMs = DEFAULT_WAIT_MS): ListUpdate {
    return { ...wholeUpdate(this), minimumWaitMs: mustBeNumber('minimumWaitMs', minimumWaitMs) };
  }

  /** The list as a file: a header, a checksum of all that follows, and the prefixes as they are. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeList(this);
  }

  /** Under another profile or with other suffixes, a listed host would have no match. */
  #mustFit(column: ExpressionColumn): void {
    const { profile } = mustBeColumn('column', column, 'an ExpressionColumn', 'offsets');
    if (!profile.startsWith(`${this.profile}/`))
      throw new RangeError(`the profile of the list is ${this.profile}, that of the column ${profile}`);
    if (this.suffixList === undefined || profile.endsWith(`+${this.suffixList}`)) return;
    throw new RangeError(`the list is for ${editionOf(this)} of the Public Suffix List, not for ${profile}`);
  }

  /** A whole update is applied again, as its prefixes may have other widths: the checksum does not tell. */
  #isMadeBy({ isPartial, version, checksum }: ListUpdate): boolean {
    return (
      isPartial &&
      version.length > 0 &&
      checksum !== undefined &&
      areSameBytes(version, this.version) &&
      areSameBytes(checksum, this.checksum)
    );
  }

  #withoutChange(update: ListUpdate): HashList {
    if (changesNothing(update)) return this;
    throw new ListError('checksum', 'checksum-missing', 'the update changes the list, and has no checksum');
  }

  #nameAfter(update: ListUpdate): string {
    if (update.name === '' || this.name === '' || update.name === this.name) return this.name || update.name;
    throw new ListError('name', 'other-list', `the update is of ${quote(update.name)}, not of ${quote(this.name)}`);
  }
}

/** Checks a list by its parts, as another copy of this package has a class of its own. */
function mustBeHashList(list: HashList): void {
  const { groups, checksum, profile } = Object(list) as HashList;
  if (!Array.isArray(groups) || !isBytes(checksum) || typeof profile !== 'string')
    throw wrongKind('newer', 'a HashList', list);
}

function mustHaveChecksum({ checksum, size }: HashList, expected: Uint8Array): void {
  if (areSameBytes(checksum, expected)) return;
  const [own, other] = [checksum, expected].map((bytes) => hexOfBytes(bytes));
  throw new ListError('checksum', 'checksum', `the SHA-256 of the ${size} prefixes is ${own}, not ${other}`);
}

function mustHaveNamedWidth(name: string, groups: readonly PrefixGroup[]): void {
  const widths = groups.filter(({ prefixes }) => prefixes.length > 0).map(({ width }) => width);
  const problem = widthProblem(name, widths);
  if (problem !== undefined) throw new RangeError(`the name ${quote(name)} ${problem}`);
}

/**
 * Says that prefixes are not as long as the name of their list says. Safe Browsing v5 calls its lists so: a client would
 * ask for `mw-4b`, and get what the name denies.
 */
export function widthProblem(name: string, widths: readonly number[]): string | undefined {
  const named = /-(\d+)b$/.exec(name)?.[1];
  const other = widths.find((width) => width !== Number(named));
  if (named === undefined || other === undefined) return undefined;
  return `says that prefixes have ${named} bytes, but some have ${other}`;
}

/**
 * Says that a list was built with another edition of the Public Suffix List, which could take the host of an entry for a
 * public suffix, and miss the hosts under it. @param remedy completes the sentence
 */
export function editionProblem({ suffixList }: HashList, { edition }: SuffixList, remedy: string): string | undefined {
  if (suffixList === undefined || suffixList === edition) return undefined;
  return `it was built with the Public Suffix List ${suffixList}, not ${edition}: pass that one ${remedy}`;
}

function mustBeEdition(suffixList: string | undefined, profile: Profile): void {
  if (suffixList === undefined) return;
  mustBeString('suffixList', suffixList);
  if (profile !== 'v5') throw new RangeError(`suffixList goes with the profile v5, not with ${profile}`);
}

function editionOf({ suffixList }: HashList): string {
  return suffixList === undefined ? 'any edition' : `edition ${suffixList}`;
}
