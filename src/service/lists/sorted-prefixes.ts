import { mustBeBytes } from '../../core/argument.ts';
import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { UrlsumError } from '../../core/error.ts';
import {
  HASH_BYTES,
  headAt,
  mustBePrefixWidth,
  SHORTEST_PREFIX,
  sha256,
} from '../../specs/safe-browsing/hash-prefix.ts';

/** Bytes of a prefix's head, as `headAt` reads it. */
export const HEAD_BYTES = 4;

/**
 * Sorts packed prefixes of `width` bytes, in any order, in n log n steps.
 *
 * @returns the prefixes ascending, each once, in memory of their own
 */
export function sortedPrefixes(prefixes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  if (isAscending(prefixes, width)) return new Uint8Array(prefixes);
  return width === HEAD_BYTES ? sortedHeads(prefixes) : reordered(prefixes, width);
}

/** Whether each prefix is greater than the one before it. */
function isAscending(prefixes: Uint8Array, width: number): boolean {
  for (let at = width; at < prefixes.length; at += width) {
    if (compareAt(prefixes, at - width, prefixes, at, width) >= 0) return false;
  }
  return true;
}

function sortedHeads(prefixes: Uint8Array): Uint8Array<ArrayBuffer> {
  const heads = headsOf(prefixes, HEAD_BYTES).sort();
  let count = 0;
  for (const head of heads) if (count === 0 || heads[count - 1] !== head) heads[count++] = head;
  return packed(heads.subarray(0, count));
}

/** Returns the head of each prefix, as `headAt` reads it. */
export function headsOf(prefixes: Uint8Array, width: number): Uint32Array<ArrayBuffer> {
  const view = new DataView(prefixes.buffer, prefixes.byteOffset, prefixes.byteLength);
  const heads = new Uint32Array(prefixes.length / width);
  for (let row = 0; row < heads.length; row++) heads[row] = view.getUint32(row * width);
  return heads;
}

/** Returns prefixes of four bytes, which their heads are. */
export function packed(heads: Uint32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(HEAD_BYTES * heads.length));
  for (let row = 0; row < heads.length; row++) view.setUint32(HEAD_BYTES * row, heads[row]!);
  return new Uint8Array(view.buffer);
}

/** Sorts head and row as one 64-bit number, which takes no call per comparison. Equal heads are few. */
function reordered(prefixes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const keys = BigUint64Array.from({ length: prefixes.length / width }, (_, row) => {
    return (BigInt(headAt(prefixes, row * width)) << 32n) | BigInt(row);
  }).sort();
  const rows = new Uint32Array(keys.buffer).filter((_, index) => index % 2 === 0);
  sortEqualHeads(prefixes, width, rows);
  return withoutDuplicates(prefixes, width, rows);
}

function sortEqualHeads(prefixes: Uint8Array, width: number, rows: Uint32Array): void {
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const head = headAt(prefixes, rows[start]! * width);
    do end++;
    while (end < rows.length && headAt(prefixes, rows[end]! * width) === head);
    if (end - start === 1) continue;
    rows.subarray(start, end).sort((one, other) => compareAt(prefixes, one * width, prefixes, other * width, width));
  }
}

function withoutDuplicates(prefixes: Uint8Array, width: number, rows: Uint32Array): Uint8Array<ArrayBuffer> {
  const kept = new Uint8Array(prefixes.length);
  let end = 0;
  for (const row of rows) {
    kept.set(prefixes.subarray(row * width, (row + 1) * width), end);
    if (end === 0 || compareAt(kept, end - width, kept, end, width) !== 0) end += width;
  }
  return end === kept.length ? kept : kept.slice(0, end);
}

/** Returns less than 0 if the `width` bytes at `at` come before those of `other` at `otherAt`, 0 if they are equal. */
function compareAt(bytes: Uint8Array, at: number, other: Uint8Array, otherAt: number, width: number): number {
  for (let byte = 0; byte < width; byte++) {
    const difference = bytes[at + byte]! - other[otherAt + byte]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @throws {TypeError} where they are not a Uint8Array @throws {RangeError} where `width` does not fit them */
export function mustBeWholePrefixes(prefixes: Uint8Array, width: number): void {
  mustBeBytes('prefixes', prefixes);
  mustBePrefixWidth(width);
  if (prefixes.length % width === 0) return;
  throw new RangeError(`prefixes must be whole: ${prefixes.length} bytes are not a multiple of ${width}`);
}

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

/** @throws {ListError} where the prefixes do not have `width` bytes each */
function mustBeWhole(prefixes: Uint8Array, width: number, place: ListPlace): void {
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
function rowsUnder(group: PrefixGroup, others: PrefixGroup, beginning: boolean): number[] {
  const rows: number[] = [];
  const { prefixes, width } = group;
  for (let row = 0, at = 0; row * width < prefixes.length; ) {
    const isPast = at === others.prefixes.length;
    const order = isPast ? -1 : compareAt(prefixes, row * width, others.prefixes, at, others.width);
    if (order > 0) at += others.width;
    else if ((order === 0) === beginning) rows.push(row++);
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
    const sorted: PrefixGroup = { width, prefixes: sortedPrefixes(prefixes, width) };
    const last = merged.at(-1)?.width === width ? merged.pop() : undefined;
    const own = merged.reduce((group, shorter) => without(group, rowsUnder(group, shorter, true)), sorted);
    merged.push(last === undefined ? own : union(last, own));
  }
  return merged;
}

/** Computes the SHA-256 of all entries, from the shortest prefixes to the longest. */
export function checksumOf(groups: readonly PrefixGroup[]): Uint8Array {
  return sha256(groups.length === 1 ? groups[0]!.prefixes : concatBytes(groups.map(({ prefixes }) => prefixes)));
}

/**
 * The reason why a list, an update or a message is refused:
 *
 * - `message`: it is not such a message, or cannot say what it is to say
 * - `rice-parameter`, `rice-count`, `rice-truncated`, `rice-overflow`: its Rice-Golomb code has a parameter or a count
 *   out of range, ends too early, or has a number that is too large
 * - `prefix-length`: prefixes are of a width that they cannot have there
 * - `repeated-entry`: prefixes do not ascend, each once, or are on the list already
 * - `removal-index`: an index to remove is not that of an entry, or does not ascend
 * - `other-list`: an update is of a list with another name
 * - `checksum`, `checksum-missing`: the SHA-256 is another, or there is none
 * - `not-a-list`, `unknown-version`, `wrong-size`: a file is not a list, of another version of the format, or cut
 */
export type ListReason =
  | 'message'
  | 'rice-parameter'
  | 'rice-count'
  | 'rice-truncated'
  | 'rice-overflow'
  | 'prefix-length'
  | 'repeated-entry'
  | 'removal-index'
  | 'other-list'
  | 'checksum'
  | 'checksum-missing'
  | 'not-a-list'
  | 'unknown-version'
  | 'wrong-size';

/** The part with the fault. */
export type ListPlace = 'message' | 'name' | 'additions' | 'removals' | 'checksum' | 'file';

/** A list, an update or a message that cannot be what its sender meant. It changed nothing. */
export class ListError extends UrlsumError<'ERR_INVALID_LIST', ListReason, undefined, ListPlace> {
  /** @internal */
  static override readonly name = 'ListError';

  /** @internal */
  constructor(place: ListPlace, reason: ListReason, message: string) {
    super('ERR_INVALID_LIST', `${place}: ${message}`, { reason, place });
  }
}
