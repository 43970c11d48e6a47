import { mustBeBytes, mustBeNumber } from '../../argument.ts';
import { type ExpressionColumn, mustBeColumn } from '../column.ts';
import { checkWidth, HASH_BYTES } from '../hashes.ts';
import { decodePrefixes, encodePrefixes } from './encoding.ts';
import { HEADS_BLOCK, HeadIndex } from './head-index.ts';
import { HEAD_BYTES, headAt, type SortedPrefixes, sortedPrefixes } from './sorted-prefixes.ts';

/**
 * Hash prefixes of one length, to ask whether a hash begins with one of them: a list of unsafe URLs as it lies in
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
  readonly length: number;
  readonly #sorted: SortedPrefixes;
  readonly #index: HeadIndex;
  #lastColumn: ExpressionColumn | undefined;

  private constructor(sorted: SortedPrefixes, length: number) {
    this.length = length;
    this.#sorted = sorted;
    this.#index = new HeadIndex(sorted.heads);
  }

  /**
   * A set of packed prefixes, in any order; duplicates count once.
   *
   * @param prefixes `length` bytes per prefix, copied
   * @param length bytes per prefix, 4 to 32
   * @throws {TypeError} where `prefixes` is not a Uint8Array
   * @throws {RangeError} where `length` is not a whole number from 4 to 32, or does not divide the number of bytes
   */
  static from(prefixes: Uint8Array, length: number): PrefixSet {
    mustBeWholePrefixes(prefixes, length);
    return new PrefixSet(sortedPrefixes(prefixes, length), length);
  }

  /**
   * The set that `toBytes` wrote.
   *
   * @param bytes all that it wrote
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {PrefixSetError} where the bytes are cut, damaged, of another version or not a prefix set
   */
  static fromBytes(bytes: Uint8Array): PrefixSet {
    const { prefixes, length } = decodePrefixes(mustBeBytes('bytes', bytes));
    return PrefixSet.from(prefixes, length);
  }

  /** Prefixes, each counted once. */
  get size(): number {
    return this.#sorted.heads.length;
  }

  /** Bytes of memory: the prefixes and their index. */
  get byteLength(): number {
    return this.#sorted.heads.byteLength + this.#sorted.tails.byteLength + this.#index.byteLength;
  }

  /**
   * Does a hash begin with one of the prefixes?
   *
   * @param hash 32 bytes, or a prefix of exactly this set's length
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {RangeError} on any other number of bytes: a shorter prefix cannot be told from what it might become
   */
  has(hash: Uint8Array): boolean {
    mustBeBytes('hash', hash);
    if (hash.length !== HASH_BYTES && hash.length !== this.length) {
      throw new RangeError(`hash must have ${HASH_BYTES} or ${this.length} bytes, got ${hash.length}`);
    }
    return this.#hasAt(hash, 0);
  }

  /**
   * The rows of which the hash of some expression begins with one of the prefixes, ascending.
   *
   * @param column hashes at least as wide as the prefixes
   * @throws {TypeError} on what is not an ExpressionColumn
   * @throws {RangeError} where the column's hashes are shorter than the prefixes
   */
  matches(column: ExpressionColumn): Uint32Array<ArrayBuffer> {
    this.#mustBeWide(column);
    this.#lastColumn = column;
    const rows = new Uint32Array(column.length);
    let count = 0;
    let row = 0;
    this.#eachMatch(column, (hash) => {
      while (column.offsets[row + 1]! <= hash) row++;
      if (rows[count - 1] !== row) rows[count++] = row;
    });
    return rows.slice(0, count);
  }

  /**
   * Which of a row's expressions match, as positions in the order of `expressions`; none for a row that does not.
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
    return positions.filter((position) => this.#hasAt(column.bytes, (start + position) * column.width));
  }

  /** The set with a header and a checksum: 64 bytes and `length` per prefix. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodePrefixes(this.#sorted, this.length);
  }

  /** Calls `visit` with the number of each of the column's hashes that begins with a prefix, ascending. */
  #eachMatch({ bytes, width }: ExpressionColumn, visit: (hash: number) => void): void {
    const heads = new Uint32Array(HEADS_BLOCK);
    const indexes = new Int32Array(HEADS_BLOCK);
    const hashCount = bytes.length / width;
    for (let first = 0; first < hashCount; first += HEADS_BLOCK) {
      const count = Math.min(HEADS_BLOCK, hashCount - first);
      for (let at = 0; at < count; at++) heads[at] = headAt(bytes, (first + at) * width);
      this.#index.indexesOf(heads, count, indexes);
      for (let at = 0; at < count; at++) {
        if (this.#isMatch(indexes[at]!, bytes, (first + at) * width)) visit(first + at);
      }
    }
  }

  #hasAt(bytes: Uint8Array, at: number): boolean {
    return this.#isMatch(this.#index.indexOf(headAt(bytes, at)), bytes, at);
  }

  /** `index`: of the first entry with the hash's head. */
  #isMatch(index: number, bytes: Uint8Array, at: number): boolean {
    return index !== -1 && (this.length === HEAD_BYTES || this.#hasTailAt(bytes, at, index));
  }

  /** Entries of one head follow each other; of real hashes there is rarely a second. */
  #hasTailAt(bytes: Uint8Array, at: number, first: number): boolean {
    const { heads, tails } = this.#sorted;
    const tailLength = this.length - HEAD_BYTES;
    for (let index = first; heads[index] === heads[first]; index++) {
      let byte = 0;
      while (byte < tailLength && tails[index * tailLength + byte] === bytes[at + HEAD_BYTES + byte]) byte++;
      if (byte === tailLength) return true;
    }
    return false;
  }

  #mustBeWide(column: ExpressionColumn): void {
    const { width } = mustBeColumn('column', column);
    if (width < this.length) throw new RangeError(`the column's hashes have ${width} bytes, fewer than ${this.length}`);
  }
}

/** @throws {TypeError} where they are not a Uint8Array @throws {RangeError} where `length` cannot be theirs */
export function mustBeWholePrefixes(prefixes: Uint8Array, length: number): void {
  mustBeBytes('prefixes', prefixes);
  checkWidth('length', length);
  if (prefixes.length % length === 0) return;
  throw new RangeError(`prefixes must be whole: ${prefixes.length} bytes are not a multiple of ${length}`);
}
