import { hexDigitValue, SPACE } from '../../bytes/code-points.ts';
import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { type SumTag, tagOf } from '../rows/sum-tag.ts';
import type { ByteWriter } from './byte-writer.ts';

const NUMBER_SIGN = 0x23;

/** Hex digits that a line of the text format may begin with: none where it has no URL. */
const DIGIT_COUNTS: readonly number[] = [0, 16, 32, 64];

/** Of a line that is not one of the text format. */
export const MALFORMED = -1;

/** Of a line that names what those after it were made with. */
export const TAG_LINE = -2;

/** The value of each byte as a hex digit, or NO_DIGIT: a table is read in a third of the time that comparisons take. */
const NO_DIGIT = 0xff;
const VALUES = Uint8Array.from({ length: 256 }, (_, byte) => hexDigitValue(byte) & NO_DIGIT);

/** Lines that are read as the text format: hex of 8, 16 or 32 bytes, or none; two spaces; the URL. */
export class Sums {
  /** Per row, or MALFORMED or TAG_LINE. */
  readonly digitCounts: number[] = [];
  /** Of rows that are TAG_LINE. */
  readonly tags = new Map<number, SumTag>();
  readonly #bytes: Uint8Array;
  readonly #urls: ByteWriter;
  readonly #digitStarts: number[] = [];
  readonly #offsets = new GrowingNumbers();

  /** Of the lines in `bytes`; the URLs are written to `urls`. */
  constructor(bytes: Uint8Array, urls: ByteWriter) {
    this.#bytes = bytes;
    this.#urls = urls;
    this.#offsets.push(0);
  }

  /** The line [start, end). */
  add(start: number, end: number): void {
    const digitCount = digitCountOf(this.#bytes, start, end);
    const tag = digitCount === MALFORMED ? this.#tagOf(start, end) : undefined;
    if (tag !== undefined) this.tags.set(this.digitCounts.length, tag);
    if (digitCount !== MALFORMED) this.#urls.bytes(this.#bytes, start + digitCount + 2, end);
    this.#digitStarts.push(start);
    this.digitCounts.push(tag === undefined ? digitCount : TAG_LINE);
    this.#offsets.push(this.#urls.length);
  }

  #tagOf(start: number, end: number): SumTag | undefined {
    return this.#bytes[start] === NUMBER_SIGN ? tagOf(this.#bytes.subarray(start, end)) : undefined;
  }

  /** The URL of row r is urls[offsets[r], offsets[r + 1]), of a malformed one empty. No line may be added after. */
  take(): { readonly urls: Uint8Array; readonly offsets: Uint32Array } {
    return { urls: this.#urls.take(), offsets: this.#offsets.numbers };
  }

  /** Do a row's digits, in either case, spell the first bytes of the digest that begins at `digestStart`? */
  isSpelled(row: number, digests: Uint8Array, digestStart: number): boolean {
    const bytes = this.#bytes;
    const start = this.#digitStarts[row]!;
    for (let at = start; at < start + this.digitCounts[row]!; at += 2) {
      const value = (VALUES[bytes[at]!]! << 4) | VALUES[bytes[at + 1]!]!;
      if (digests[digestStart + ((at - start) >> 1)] !== value) return false;
    }
    return true;
  }
}

/** Of the line [start, end): how many hex digits it begins with, before two spaces, or MALFORMED. */
export function digitCountOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && VALUES[bytes[at]!] !== NO_DIGIT) at++;
  const hasSpaces = at + 2 <= end && bytes[at] === SPACE && bytes[at + 1] === SPACE;
  return hasSpaces && DIGIT_COUNTS.includes(at - start) ? at - start : MALFORMED;
}
