import { mustBeNumber } from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { indexOfSorted } from '../../core/bytes/order.ts';
import { type SafeBrowsingFailure, SafeBrowsingUrlError } from './failure.ts';
import type { UrlInput } from './url-bytes.ts';

/** A row that has nothing to look up. */
export interface RejectedRow<Input extends UrlInput = UrlInput> {
  readonly row: number;
  readonly input: Input;
  readonly failure: SafeBrowsingFailure;
}

/**
 * The expression hashes of many URLs: one row per URL, in order, packed.
 *
 * @example
 * const column = new ExpressionHasher({ width: 4 }).hashMany(['http://example.com/a', 'mailto:x']);
 * column.offsets; //=> Uint32Array(3) [0, 2, 2]
 * column.bytes.length; //=> 8
 * column.invalid; //=> Uint32Array(1) [1]
 */
export class ExpressionColumn {
  /** @internal */
  static readonly name = 'ExpressionColumn';
  /** URLs, the invalid ones included. */
  readonly length: number;
  /** Bytes per hash. */
  readonly width: number;
  /** The hashes one after another, `width` bytes each, this column's own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `length + 1` numbers: row r has the hashes from offsets[r] to offsets[r + 1], in the order of `expressions`. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** Rows without a host to look up, ascending; they have no hashes. */
  readonly invalid: Uint32Array<ArrayBuffer>;
  /** What the expressions were made by, as `urlsum serve` names it: `v5/1+tldts/7.5.4`, with the list's edition. */
  readonly profile: string;
  /** @internal Rows whose canonical form was proven, or made at once: they took none of the steps. */
  readonly provenCount: number;
  readonly #rejected: readonly RejectedRow[];

  /** @internal Keeps the arrays that it is given; `rejected` must be ascending. */
  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    width: number,
    offsets: Uint32Array<ArrayBuffer>,
    rejected: readonly RejectedRow[],
    provenCount: number,
    profile: string,
  ) {
    this.length = offsets.length - 1;
    this.width = width;
    this.bytes = bytes;
    this.offsets = offsets;
    this.invalid = Uint32Array.from(rejected, ({ row }) => row);
    this.provenCount = provenCount;
    this.profile = profile;
    this.#rejected = rejected;
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the hashes of that row, each in memory of its own; none for an invalid row, and where there is none
   * @throws {TypeError} where `row` is not a number
   */
  at(row: number): Uint8Array<ArrayBuffer>[] {
    return this.#mapRow(row, (start) => this.bytes.slice(start, start + this.width));
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the same in lower-case hex
   * @throws {TypeError} where `row` is not a number
   */
  hex(row: number): string[] {
    return this.#mapRow(row, (start) => hexOfBytes(this.bytes, start, start + this.width));
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns why that row is invalid; undefined for a valid row, and where there is none
   * @throws {TypeError} where `row` is not a number
   */
  errorAt(row: number): SafeBrowsingUrlError | undefined {
    const rejected = this.#rejected[indexOfSorted(this.invalid, mustBeNumber('row', row))];
    return rejected && new SafeBrowsingUrlError(rejected.input, rejected.failure);
  }

  #mapRow<T>(row: number, value: (start: number) => T): T[] {
    const first = this.offsets[mustBeNumber('row', row)] ?? 0;
    return Array.from({ length: (this.offsets[row + 1] ?? first) - first }, (_, index) =>
      value((first + index) * this.width),
    );
  }
}
