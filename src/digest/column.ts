import { hexOfBytes } from '../bytes/hex.ts';
import { indexOfSorted } from '../bytes/sorted.ts';
import type { Width } from '../kernel/kernel.ts';
import { UrlError } from '../url/error.ts';
import { failure, type UrlReason } from '../url/failure.ts';
import { type HashOfWidth, hashOfWidth } from './hash.ts';

/** A row that is not a URL. */
export interface InvalidRow {
  readonly row: number;
  readonly input: string;
  readonly reason: UrlReason;
}

/** Row r is [starts[r], ends[r]) of the bytes that were given. */
export interface Bounds {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/**
 * What a column is made of, and what a thread posts: `bytes` is whole rows of `width`, which the column takes over;
 * `invalidRows` ascend.
 */
export interface ColumnParts<W extends Width> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: W;
  readonly profile: string;
  readonly bounds?: Bounds | undefined;
  readonly invalidRows: readonly InvalidRow[];
  readonly provenCount: number;
  readonly rewrittenCount: number;
  readonly strippedCount: number;
}

/**
 * The hashes of many URLs: one row per input, in order, packed. Iterating returns `at(row)` for each row.
 *
 * @example
 * const column = new UrlHasher().hashMany(['https://example.com/', 'not a url']);
 * column.hex(0); //=> '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7'
 * [...column]; //=> [UrlHash(0f115db0…), undefined]
 */
export class HashColumn<W extends Width = Width> {
  /** @internal */
  static readonly name = 'HashColumn';
  /** Rows, the invalid ones included. */
  readonly length: number;
  /** Bytes per row. */
  readonly width: W;
  /** The canonical form that was hashed, as `profileOf` names it for the options of the hasher. */
  readonly profile: string;
  /** `length * width` bytes, this column's own; an invalid row is zero. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Rows that are not a URL, ascending. */
  readonly invalid: Uint32Array<ArrayBuffer>;
  /** Of `hashLines` and `hashRows` with the option `rowBounds`: where each row begins in the bytes given. */
  readonly rowStarts: Uint32Array<ArrayBuffer> | undefined;
  /** Under the same option: where each row ends, without its line end. */
  readonly rowEnds: Uint32Array<ArrayBuffer> | undefined;
  /** @internal Each invalid row with its input and reason, ascending. */
  readonly invalidRows: readonly InvalidRow[];
  readonly #parts: ColumnParts<W>;

  private constructor(parts: ColumnParts<W>) {
    const { bytes, width, profile, bounds, invalidRows } = parts;
    this.length = bytes.length / width;
    this.width = width;
    this.profile = profile;
    this.rowStarts = bounds?.starts;
    this.rowEnds = bounds?.ends;
    this.bytes = bytes;
    this.invalid = Uint32Array.from(invalidRows, ({ row }) => row);
    this.invalidRows = invalidRows;
    this.#parts = parts;
  }

  /** @internal */
  static from<W extends Width>(parts: ColumnParts<W>): HashColumn<W> {
    return new this(parts);
  }

  /** @internal */
  get parts(): ColumnParts<W> {
    return this.#parts;
  }

  /** Rows that were proven canonical and hashed in place. It says how a column came about, not what it holds. */
  get provenCount(): number {
    return this.#parts.provenCount;
  }

  /** Rows that the kernel brought to their canonical form, without the parser. */
  get rewrittenCount(): number {
    return this.#parts.rewrittenCount;
  }

  /** Rows whose query lost a parameter to `dropParams` or `dropList`. */
  get strippedCount(): number {
    return this.#parts.strippedCount;
  }

  /** The same bytes as little-endian unsigned 64-bit words: `width / 8` per row. */
  get words(): BigUint64Array<ArrayBuffer> {
    return new BigUint64Array(this.bytes.buffer);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the hash of that row, in the class of this column's width; undefined for an invalid row, and where there
   *   is none
   */
  at(row: number): HashOfWidth<W> | undefined {
    if (!this.#isValid(row)) return undefined;
    return hashOfWidth(this.bytes.subarray(row * this.width, (row + 1) * this.width), this.width);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns two lower-case hex digits per byte of that row; undefined for an invalid row, and where there is none
   */
  hex(row: number): string | undefined {
    return this.#isValid(row) ? hexOfBytes(this.bytes, row * this.width, (row + 1) * this.width) : undefined;
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns why that row is invalid; undefined for a valid row, and where there is none
   */
  errorAt(row: number): UrlError | undefined {
    const index = indexOfSorted(this.invalid, row);
    if (index === -1) return undefined;
    const { input, reason } = this.invalidRows[index]!;
    return UrlError.from(input, failure(reason));
  }

  /** What `at` gives for each row, in order. */
  *[Symbol.iterator](): Generator<HashOfWidth<W> | undefined, void, undefined> {
    for (let row = 0; row < this.length; row++) yield this.at(row);
  }

  #isValid(row: number): boolean {
    return Number.isInteger(row) && row >= 0 && row < this.length && indexOfSorted(this.invalid, row) === -1;
  }
}
