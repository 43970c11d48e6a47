import { hexOfBytes } from '../bytes/hex.ts';
import { indexOfSorted } from '../bytes/sorted.ts';
import type { Width } from '../kernel/kernel.ts';
import { UrlError } from '../url/error.ts';
import type { Failure } from '../url/failure.ts';
import { UrlHash, UrlShortHash, UrlVeryShortHash } from './hash.ts';

/** A row that is no URL. */
export interface InvalidRow {
  readonly row: number;
  readonly input: string;
  readonly failure: Failure;
}

/** The hashes of many URLs: one row an input, in order, packed. */
export class HashColumn {
  /** Rows, the invalid ones included. */
  readonly length: number;
  /** Bytes a row. */
  readonly width: Width;
  /** `length * width` bytes, this column's own; an invalid row is zero. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Rows that are no URL, ascending. */
  readonly invalid: Uint32Array<ArrayBuffer>;
  /** Rows that were proven canonical and hashed where they lay. */
  readonly provenCount: number;
  /** Rows that the kernel brought to their canonical form, without the parser. */
  readonly rewrittenCount: number;
  /** Each invalid row with its input and failure, ascending. */
  readonly invalidRows: readonly InvalidRow[];

  /** Takes over what it is given: `bytes` whole rows of `width`, `invalidRows` ascending. */
  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    width: Width,
    invalidRows: readonly InvalidRow[],
    provenCount: number,
    rewrittenCount: number,
  ) {
    this.length = bytes.length / width;
    this.width = width;
    this.bytes = bytes;
    this.invalid = Uint32Array.from(invalidRows, ({ row }) => row);
    this.provenCount = provenCount;
    this.rewrittenCount = rewrittenCount;
    this.invalidRows = invalidRows;
  }

  /** The same bytes as little-endian unsigned 64-bit words: `width / 8` a row. */
  get words(): BigUint64Array<ArrayBuffer> {
    return new BigUint64Array(this.bytes.buffer);
  }

  /** The hash of one row, in the class of this column's width; undefined for an invalid row or none. */
  at(row: number): UrlHash | UrlShortHash | UrlVeryShortHash | undefined {
    if (!this.#isValid(row)) return undefined;
    const bytes = this.bytes.slice(row * this.width, (row + 1) * this.width);
    if (this.width === 32) return new UrlHash(bytes);
    return this.width === 16 ? new UrlShortHash(bytes) : new UrlVeryShortHash(bytes);
  }

  /** Two hex digits a byte; undefined for an invalid row or none. */
  hex(row: number): string | undefined {
    return this.#isValid(row) ? hexOfBytes(this.bytes, row * this.width, (row + 1) * this.width) : undefined;
  }

  /** Why a row is invalid; undefined for a valid row or none. */
  errorAt(row: number): UrlError | undefined {
    const index = indexOfSorted(this.invalid, row);
    if (index === -1) return undefined;
    const { input, failure } = this.invalidRows[index]!;
    return new UrlError(input, failure);
  }

  #isValid(row: number): boolean {
    return Number.isInteger(row) && row >= 0 && row < this.length && indexOfSorted(this.invalid, row) === -1;
  }
}
