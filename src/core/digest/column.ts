import {
  isBytes,
  mustBeBoolean,
  mustBeBytes,
  mustBeNumber,
  mustBeNumbers,
  mustBeString,
  wrongKind,
} from '../argument.ts';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { indexOfSorted } from '../bytes/order.ts';
import type { Width } from '../kernel/kernel.ts';
import { failure, UrlError, type UrlReason } from '../url/failure.ts';
import { type HashOfWidth, hashOfWidth, mustBeWidth } from './hash.ts';

/**
 * Results: a row for each row that was given, in order, in one of Arrow's two layouts. HashColumn and ExpressionColumn
 * are such columns.
 *
 * @see https://arrow.apache.org/docs/format/Columnar.html
 */
export interface Column {
  /** Rows, the invalid ones included. */
  readonly length: number;
  /** The values, packed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * If the number of values varies: row r has those from offsets[r] to offsets[r + 1], counted in values. Undefined if
   * each row has one.
   */
  readonly offsets?: Uint32Array<ArrayBuffer> | undefined;
  /** The rows without a value, ascending. If each row has one value, theirs is zero. */
  readonly invalid: Uint32Array<ArrayBuffer>;
}

/** Offsets begin with a 0, as fresh memory does. */
const FIRST_OFFSET_BYTES = 4;

/** Collects any number of values per row, `width` bytes each: lists of hashes, and texts, whose values are bytes. */
export class ListColumn {
  /** The values of a row are written here; then the row is ended. */
  readonly values: GrowingBytes;
  readonly #width: number;
  readonly #offsets = new GrowingBytes(1 << 7);
  #invalid: number[] = [];

  constructor(width: number, values = new GrowingBytes()) {
    this.#width = width;
    this.values = values;
    this.#offsets.length = FIRST_OFFSET_BYTES;
  }

  get length(): number {
    return this.#offsets.length / 4 - 1;
  }

  endRow(): void {
    this.#offsets.uint32(this.values.length / this.#width);
  }

  endInvalid(): void {
    this.#invalid.push(this.length);
    this.endRow();
  }

  /** Ends many rows before their values are written: `ends` has the number of new values up to the end of each. */
  endRows(ends: Uint32Array): void {
    this.#offsets.uint32s(ends, this.values.length / this.#width);
  }

  /** Returns the rows so far, valid until the next is added, which begins another column. */
  take(): Column {
    const { length } = this;
    const offsets = this.#offsets.numbers;
    const invalid = Uint32Array.from(this.#invalid);
    this.#invalid = [];
    this.#offsets.length = FIRST_OFFSET_BYTES;
    return { length, bytes: this.values.take(), offsets, invalid };
  }
}

/**
 * Checks a column of hashes by its parts, as another copy of this package has classes of its own.
 *
 * @param part the one that tells its kind
 */
export function mustBeColumn<T extends Pick<Column, 'length' | 'bytes'> & { width: number; profile: string }>(
  name: string,
  column: T,
  expected: string,
  part: 'invalid' | 'offsets',
): T {
  const { bytes, length, width, profile, [part]: view } = Object(column) as T & Record<typeof part, unknown>;
  const isColumn = isBytes(bytes) && ArrayBuffer.isView(view) && typeof width === 'number';
  if (isColumn && typeof length === 'number' && typeof profile === 'string') return column;
  throw wrongKind(name, expected, column);
}

/** A row that is not a URL. */
export interface InvalidRow {
  readonly row: number;
  readonly input: string;
  readonly reason: UrlReason;
}

/** The bounds of each row in the bytes that were given. */
type RowBounds = 'rowStarts' | 'rowEnds';

/**
 * The parts that a hasher makes a column of: `bytes` is whole rows of `width`, which it takes over; `invalidRows`
 * ascend.
 */
export type ColumnParts<W extends Width> = Pick<
  HashColumn<W>,
  'bytes' | 'width' | 'profile' | 'invalidRows' | 'strippedCount' | 'hasUnicodeHosts'
> &
  Partial<Pick<HashColumn<W>, RowBounds>>;

/**
 * The hashes of many URLs: one row per input, in order, packed. Iterating returns `at(row)` for each row.
 *
 * `postMessage` and `structuredClone` carry over what it holds, but not its methods: `HashColumn.from` makes it a column
 * again.
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
  /** The start of each row in the bytes given: of `hashLines` and `hashRows` with the option `rowBounds`. */
  readonly rowStarts: Uint32Array<ArrayBuffer> | undefined;
  /** Under the same option: where each row ends, without its line end. */
  readonly rowEnds: Uint32Array<ArrayBuffer> | undefined;
  /** The number of rows that lost a parameter of their path or query, by any option. */
  readonly strippedCount: number;
  /**
   * Whether some row came from a host beyond ASCII. Without one, the hashes are right under every version of Unicode: two
   * profiles that differ only by that.
   */
  readonly hasUnicodeHosts: boolean;
  /** @internal Each invalid row with its input and reason, ascending. */
  readonly invalidRows: readonly InvalidRow[];

  private constructor(parts: ColumnParts<W>, invalid: Uint32Array<ArrayBuffer>) {
    this.length = parts.bytes.length / parts.width;
    this.width = parts.width;
    this.profile = parts.profile;
    this.bytes = parts.bytes;
    this.invalid = invalid;
    this.rowStarts = parts.rowStarts;
    this.rowEnds = parts.rowEnds;
    this.strippedCount = parts.strippedCount;
    this.hasUnicodeHosts = parts.hasUnicodeHosts;
    this.invalidRows = parts.invalidRows;
  }

  /** @internal */
  static of<W extends Width>(parts: ColumnParts<W>): HashColumn<W> {
    return new this(
      parts,
      Uint32Array.from(parts.invalidRows, ({ row }) => row),
    );
  }

  /**
   * A column again, from what `postMessage` or `structuredClone` left of one. Its arrays are taken over, not copied.
   *
   * @param parts what arrived; of its members `bytes`, `width`, `profile` and `invalid` are enough, but for the reasons
   *   that `errorAt` gives; without `hasUnicodeHosts` the column counts as one that has some
   * @throws {TypeError} on what is not a column's parts
   * @throws {RangeError} where they do not fit each other, as bytes that are not whole rows
   * @example
   * const column = new UrlHasher().hashMany(['https://example.com/']);
   * HashColumn.from(structuredClone(column)).at(0)?.equals(column.at(0)!); //=> true
   */
  static from<W extends Width>(
    parts: Pick<HashColumn<W>, 'bytes' | 'width' | 'profile' | 'invalid'> &
      Partial<Pick<HashColumn<W>, RowBounds>> & {
        /** The count of the column. Default: 0. */
        readonly strippedCount?: number | undefined;
        /** Whether the column may have such hosts. Default: true. */
        readonly hasUnicodeHosts?: boolean | undefined;
      },
  ): HashColumn<W> {
    mustBeParts(parts);
    const { invalidRows = [], strippedCount = 0, hasUnicodeHosts = true } = parts as Partial<ColumnParts<W>>;
    mustBeNumber('strippedCount', strippedCount);
    mustBeBoolean('hasUnicodeHosts', hasUnicodeHosts);
    return new this({ ...parts, strippedCount, hasUnicodeHosts, invalidRows }, parts.invalid);
  }

  /** The hashes as little-endian unsigned 64-bit words: `width / 8` per row. */
  get words(): BigUint64Array<ArrayBuffer> {
    return new BigUint64Array(this.bytes.buffer);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the hash of that row, in the class of this column's width; undefined for an invalid row, and where there
   *   is none
   * @throws {TypeError} where the column's memory was transferred
   */
  at(row: number): HashOfWidth<W> | undefined {
    const hex = this.hex(row);
    return hex === undefined ? undefined : hashOfWidth(hex, this.width);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns two lower-case hex digits per byte of that row; undefined for an invalid row, and where there is none
   * @throws {TypeError} where the column's memory was transferred
   */
  hex(row: number): string | undefined {
    if (!this.#isValid(row)) return undefined;
    return hexOfBytes(mustBeBytes('bytes', this.bytes), row * this.width, (row + 1) * this.width);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns why that row is invalid; undefined for a valid row, and where there is none
   */
  errorAt(row: number): UrlError | undefined {
    const invalid = this.invalidRows[indexOfSorted(this.invalid, row)];
    return invalid && UrlError.from(invalid.input, failure(invalid.reason));
  }

  /** Yields what `at` gives for each row, in order. */
  *[Symbol.iterator](): Generator<HashOfWidth<W> | undefined, void, undefined> {
    for (let row = 0; row < this.length; row++) yield this.at(row);
  }

  #isValid(row: number): boolean {
    return Number.isInteger(row) && row >= 0 && row < this.length && indexOfSorted(this.invalid, row) === -1;
  }
}

type Parts = Pick<HashColumn, 'bytes' | 'width' | 'profile' | 'invalid'> & Partial<Pick<HashColumn, RowBounds>>;

function mustBeParts(parts: Parts): void {
  const { bytes, width, profile, invalid, rowStarts, rowEnds } = Object(parts) as Parts;
  const { byteLength } = mustBeBytes('bytes', bytes);
  mustBeWidth(width);
  mustBeString('profile', profile);
  if (byteLength % width !== 0 || byteLength !== bytes.buffer.byteLength)
    throw new RangeError(`bytes must be all of their memory, in rows of ${width}, got ${byteLength}`);
  const rowCount = byteLength / width;
  for (let index = 0; index < mustBeNumbers('invalid', invalid).length; index++) {
    const row = invalid[index]!;
    if (row >= rowCount || row <= (invalid[index - 1] ?? -1))
      throw new RangeError(`invalid must be ascending rows of ${rowCount}, got ${row} at index ${index}`);
  }
  for (const [name, bounds] of Object.entries({ rowStarts, rowEnds })) {
    if (bounds !== undefined && mustBeNumbers(name, bounds).length !== rowCount)
      throw new RangeError(`${name} must have ${rowCount} numbers, got ${bounds.length}`);
  }
}
