import { hexDigitValue, SPACE } from '../../bytes/code-points.ts';
import type { Rows } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { RowProblem } from './stage.ts';

const MALFORMED = {
  reason: 'malformed-sum',
  message: 'not a line of the text format: hex, two spaces, URL (malformed-sum)',
};

/** Hex digits that a line of the text format may begin with: none where it has no URL. */
const DIGIT_COUNTS: readonly number[] = [0, 16, 32, 64];

/** The value of each byte as a hex digit, or NO_DIGIT: a table is read in a third of the time that comparisons take. */
const NO_DIGIT = 0xff;
const VALUES = Uint8Array.from({ length: 256 }, (_, byte) => hexDigitValue(byte) & NO_DIGIT);

/** The lines of a block, read as the text format: hex of 8, 16 or 32 bytes, or none; two spaces; the URL. */
export interface Sums {
  /** In which the digits lie. */
  readonly bytes: Uint8Array;
  readonly digitStarts: readonly number[];
  /** Per row; -1 where it is malformed. */
  readonly digitCounts: readonly number[];
  /** The URL of row r is urls[offsets[r], offsets[r + 1]). */
  readonly urls: Uint8Array;
  readonly offsets: Uint32Array;
  readonly problems: readonly RowProblem[];
}

export function sumsIn({ values }: Rows, urls: ByteWriter): Sums {
  const digitStarts: number[] = [];
  const digitCounts: number[] = [];
  const offsets = [0];
  const problems: RowProblem[] = [];
  eachValue(values, (bytes, start, end, row) => {
    const digitCount = digitCountOf(bytes, start, end);
    if (digitCount === -1) problems.push({ row, ...MALFORMED });
    else urls.bytes(bytes, start + digitCount + 2, end);
    digitStarts.push(start);
    digitCounts.push(digitCount);
    offsets.push(urls.length);
  });
  const bytes = 'lines' in values ? values.lines : values.bytes;
  return { bytes, digitStarts, digitCounts, urls: urls.take(), offsets: Uint32Array.from(offsets), problems };
}

function digitCountOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && VALUES[bytes[at]!] !== NO_DIGIT) at++;
  const hasSpaces = at + 2 <= end && bytes[at] === SPACE && bytes[at + 1] === SPACE;
  return hasSpaces && DIGIT_COUNTS.includes(at - start) ? at - start : -1;
}

/** Do a row's digits, in either case, spell the first bytes of the digest that begins at `digestStart`? */
export function isSpelled(
  { bytes, digitStarts, digitCounts }: Sums,
  row: number,
  digests: Uint8Array,
  digestStart: number,
) {
  let at = digitStarts[row]!;
  for (const end = at + digitCounts[row]!; at < end; at += 2) {
    const value = (VALUES[bytes[at]!]! << 4) | VALUES[bytes[at + 1]!]!;
    if (digests[digestStart + ((at - digitStarts[row]!) >> 1)] !== value) return false;
  }
  return true;
}
