import { mustBeBytes, mustBeNumber } from '../../core/argument.ts';
import { mustBeColumn } from '../../core/digest/column.ts';
import { HASH_BYTES, headAt, SHORTEST_PREFIX, sha256 } from '../../specs/safe-browsing/hash-prefix.ts';
import type { ExpressionColumn } from '../../specs/safe-browsing/hasher.ts';
import { decodeList, encodeList, versionOf } from './list-file.ts';
import {
  HEAD_BYTES,
  headsOf,
  ListError,
  mustBeWholePrefixes,
  type PrefixGroup,
  packed,
  sortedPrefixes,
} from './sorted-prefixes.ts';

/** The fewest entries per bucket: an offset of 4 bytes for 14 to 28 entries adds 0.14 to 0.29 bytes to each. */
const BUCKET_ENTRIES = 14;
const MAX_BUCKET_BITS = 24;

/**
 * Hashes do not make longer buckets, so the entries of one may be spread unevenly: it takes a binary search, without a
 * guess.
 */
const GUESSED_ENTRIES = 64;

/**
 * Finds a number among ascending unsigned 32-bit numbers, the heads of hash prefixes. Its upper bits name a bucket, its
 * lower bits the place there, since SHA-256 spreads its values evenly: one or two cache lines per look-up.
 */
export class HeadIndex {
  /** Ascending. */
  readonly heads: Uint32Array;
  /** Bucket b has the entries from starts[b] to starts[b + 1]. */
  readonly #starts: Uint32Array;
  readonly #shift: number;
  /** The lower bits that give the place: at most 16, so that their product with an entry count is an int32. */
  readonly #guessMask: number;
  readonly #guessDrop: number;
  readonly #guessBits: number;

  constructor(heads: Uint32Array) {
    const bits = Math.max(1, Math.min(MAX_BUCKET_BITS, Math.floor(Math.log2(heads.length / BUCKET_ENTRIES))));
    this.heads = heads;
    this.#shift = 32 - bits;
    this.#guessBits = Math.min(16, this.#shift);
    this.#guessDrop = this.#shift - this.#guessBits;
    this.#guessMask = 2 ** this.#guessBits - 1;
    this.#starts = bucketStarts(heads, 2 ** bits, this.#shift);
  }

  get byteLength(): number {
    return this.heads.byteLength + this.#starts.byteLength;
  }

  /** Returns the index of the first entry equal to `head`, or -1. */
  indexOf(head: number): number {
    const bucket = head >>> this.#shift;
    const start = this.#starts[bucket]!;
    const end = this.#starts[bucket + 1]!;
    if (start === end) return -1;
    if (end - start > GUESSED_ENTRIES) return this.#binarySearch(head, start, end);
    const heads = this.heads;
    const lower = (head >>> this.#guessDrop) & this.#guessMask;
    let at = start + ((lower * (end - start)) >>> this.#guessBits);
    if (heads[at]! < head) while (++at < end && heads[at]! < head);
    else while (at > start && heads[at - 1]! >= head) at--;
    return at < end && heads[at] === head ? at : -1;
  }

  #binarySearch(head: number, start: number, end: number): number {
    const heads = this.heads;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (heads[middle]! < head) low = middle + 1;
      else high = middle;
    }
    return low < end && heads[low] === head ? low : -1;
  }
}

function bucketStarts(heads: Uint32Array, bucketCount: number, shift: number): Uint32Array {
  const starts = new Uint32Array(bucketCount + 1);
  for (const head of heads) starts[(head >>> shift) + 1]!++;
  for (let bucket = 0; bucket < bucketCount; bucket++) starts[bucket + 1]! += starts[bucket]!;
  return starts;
}

/**
 * Hash prefixes of one width, to ask whether a hash begins with one of them: a list of unsafe URLs as it lies in
 * memory. 4.1 to 4.3 bytes per prefix of 4 bytes; the same in Node, Workers and browsers.
 *
 * @example
 * const blocked = new ExpressionHasher({ width: 4 }).hashMany(['http://evil.example/']);
 * const set = PrefixSet.from(blocked.bytes, 4);
 * const visited = new ExpressionHasher().hashMany(['http://good.example/', 'http://evil.example/login']);
 * set.matches(visited); //=> Uint32Array(1) [1]
 */
export class PrefixSet {
  /** @internal */
  static readonly name = 'PrefixSet';
  /** Bytes per prefix: 4 to 32. */
  readonly width: number;
  readonly #index: HeadIndex;
  /** Packed, ascending, each once; undefined where the heads are all of them. */
  readonly #prefixes: Uint8Array | undefined;
  #lastColumn: ExpressionColumn | undefined;

  private constructor({ prefixes, width }: PrefixGroup) {
    this.width = width;
    this.#index = new HeadIndex(headsOf(prefixes, width));
    this.#prefixes = width === HEAD_BYTES ? undefined : prefixes;
  }

  /** @internal The set of a group, whose bytes it shares. */
  static ofGroup(group: PrefixGroup): PrefixSet {
    return new PrefixSet(group);
  }

  /**
   * A set of packed prefixes, in any order; duplicates count once.
   *
   * @param prefixes `width` bytes per prefix, copied
   * @param width bytes per prefix, 4 to 32
   * @throws {TypeError} where `prefixes` is not a Uint8Array
   * @throws {RangeError} where `width` is not a whole number from 4 to 32, or does not divide the number of bytes
   */
  static from(prefixes: Uint8Array, width: number): PrefixSet {
    mustBeWholePrefixes(prefixes, width);
    return new PrefixSet({ width, prefixes: sortedPrefixes(prefixes, width) });
  }

  /**
   * The set that `toBytes` wrote, or that of a `HashList` whose prefixes are of one width.
   *
   * @param bytes all that it wrote
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {ListError} where the bytes are cut, damaged, of another version of the format or no list, and where the
   * prefixes are of several widths; a list without prefixes has the width 4
   */
  static fromBytes(bytes: Uint8Array): PrefixSet {
    const { groups } = decodeList(mustBeBytes('bytes', bytes));
    const { prefixes, width } = groups[0] ?? { prefixes: new Uint8Array(0), width: SHORTEST_PREFIX };
    if (groups.length <= 1) return PrefixSet.from(prefixes, width);
    const widths = groups.map((group) => group.width).join(' and ');
    throw new ListError('file', 'prefix-length', `not a prefix set: its prefixes have ${widths} bytes; use HashList`);
  }

  /** @internal The first four bytes of each prefix as a big-endian number, ascending. */
  get heads(): Uint32Array {
    return this.#index.heads;
  }

  /** The number of prefixes, each counted once. */
  get size(): number {
    return this.#index.heads.length;
  }

  /** Bytes of memory: the prefixes and their index. */
  get byteLength(): number {
    return this.#index.byteLength + (this.#prefixes?.length ?? 0);
  }

  /**
   * Says whether a hash begins with one of the prefixes.
   *
   * @param hash 32 bytes, or a prefix of exactly this set's width
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {RangeError} on any other number of bytes: a shorter prefix cannot be told from what it might become
   */
  has(hash: Uint8Array): boolean {
    mustBeBytes('hash', hash);
    if (hash.length !== HASH_BYTES && hash.length !== this.width) {
      throw new RangeError(`hash must have ${HASH_BYTES} or ${this.width} bytes, got ${hash.length}`);
    }
    return this.hasAt(hash, 0);
  }

  /**
   * The rows of which the hash of some expression begins with one of the prefixes, ascending.
   *
   * @param column hashes at least as wide as the prefixes
   * @throws {TypeError} on anything but an ExpressionColumn
   * @throws {RangeError} where the column's hashes are shorter than the prefixes
   */
  matches(column: ExpressionColumn): Uint32Array<ArrayBuffer> {
    this.#mustBeWide(column);
    this.#lastColumn = column;
    return this.rowsOf(column.bytes, column.width, column.offsets.subarray(1));
  }

  /**
   * Returns the rows of which some hash begins with one of the prefixes, ascending.
   *
   * @param bytes packed hashes of `width` bytes, at least the set's width
   * @param ends the number of hashes up to the end of each row
   * @internal
   */
  rowsOf(bytes: Uint8Array, width: number, ends: Uint32Array): Uint32Array<ArrayBuffer> {
    const rows = new Uint32Array(ends.length);
    let [count, row] = [0, 0];
    for (let hash = 0; hash * width < bytes.length; hash++) {
      if (!this.hasAt(bytes, hash * width)) continue;
      while (ends[row]! <= hash) row++;
      if (rows[count - 1] !== row) rows[count++] = row;
    }
    return rows.slice(0, count);
  }

  /**
   * Returns the expressions of a row that match, as positions in the order of `expressions`; none for a row that does
   * not.
   *
   * @param row from 0 to the column's `length - 1`
   * @param column the column that `row` counts in; by default the one that `matches` was given last
   * @throws {TypeError} where `row` is not a number, or `column` not an ExpressionColumn
   * @throws {RangeError} where there is neither, or the column's hashes are shorter than the prefixes
   */
  matchesOf(row: number, column: ExpressionColumn | undefined = this.#lastColumn): number[] {
    if (column === undefined) throw new RangeError('matchesOf needs a column, or a call of matches before it');
    this.#mustBeWide(column);
    const [start, end] = [column.offsets[mustBeNumber('row', row)] ?? 0, column.offsets[row + 1] ?? 0];
    const positions = Array.from({ length: Math.max(0, end - start) }, (_, position) => position);
    return positions.filter((position) => this.hasAt(column.bytes, (start + position) * column.width));
  }

  /**
   * The set as the file of a list without a name, of profile `v5`: a header, a checksum, and the prefixes as they are.
   */
  toBytes(): Uint8Array<ArrayBuffer> {
    const prefixes = this.#prefixes ?? packed(this.#index.heads);
    const checksum = sha256(prefixes);
    const groups = [{ width: this.width, prefixes }];
    return encodeList({ name: '', version: versionOf(checksum), profile: 'v5', groups, checksum });
  }

  /** @internal Whether the hash at `at`, of at least the set's width, begins with one of the prefixes. */
  hasAt(bytes: Uint8Array, at: number): boolean {
    return this.#isMatch(this.#index.indexOf(headAt(bytes, at)), bytes, at);
  }

  /** @internal Returns the prefixes that begin with the four bytes of a head. */
  withHead(head: number): Uint8Array[] {
    const { heads } = this.#index;
    const { width } = this;
    const first = this.#index.indexOf(head);
    if (first === -1) return [];
    let end = first + 1;
    while (heads[end] === head) end++;
    const found = this.#prefixes?.subarray(first * width, end * width) ?? packed(heads.subarray(first, end));
    return Array.from({ length: end - first }, (_, at) => found.subarray(at * width, (at + 1) * width));
  }

  /**
   * Prefixes with the same head are adjacent; among real hashes there is rarely a second.
   *
   * @param first the row of the first prefix with the hash's head, or -1
   */
  #isMatch(first: number, bytes: Uint8Array, at: number): boolean {
    const { width } = this;
    const prefixes = this.#prefixes;
    const { heads } = this.#index;
    if (first === -1 || prefixes === undefined) return first !== -1;
    for (let row = first; heads[row] === heads[first]; row++) {
      let byte = HEAD_BYTES;
      while (byte < width && prefixes[row * width + byte] === bytes[at + byte]) byte++;
      if (byte === width) return true;
    }
    return false;
  }

  #mustBeWide(column: ExpressionColumn): void {
    const { width } = mustBeColumn('column', column, 'an ExpressionColumn', 'offsets');
    if (width < this.width) throw new RangeError(`the column's hashes have ${width} bytes, fewer than ${this.width}`);
  }
}
