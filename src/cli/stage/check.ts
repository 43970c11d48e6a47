import { constants, isUtf8 } from 'node:buffer';
import type { Hashing } from '../../bulk/batch.ts';
import { hashRows } from '../../bulk/rows.ts';
import { hexOfBytes } from '../../bytes/hex.ts';
import { indexOfSorted } from '../../bytes/sorted.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { visible } from '../../bytes/visible.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Rows } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { ByteWriter } from './byte-writer.ts';
import { type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Texts } from './texts.ts';

/** A line as the text format writes it: hex of 8, 16 or 32 bytes, or none for what is not a URL; two spaces; the line. */
const SUM_LINE = /^((?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})?) {2}(.*)$/is;

const MALFORMED = {
  reason: 'malformed-sum',
  message: 'not a line of the text format: hex, two spaces, URL (malformed-sum)',
};

export interface CheckOptions {
  readonly lineEnd: number;
  /** Which lines come out: of all, of those that do not match, of none. */
  readonly shown: 'all' | 'failed' | 'none';
}

/** The lines of the text format, checked: one `LINE: OK` or `LINE: FAILED` per line. */
export class CheckStage implements Stage<Texts> {
  readonly #hashing: Hashing;
  readonly #options: CheckOptions;
  readonly #writer = new ByteWriter();

  constructor(hashing: Hashing, options: CheckOptions) {
    this.#hashing = hashing;
    this.#options = options;
  }

  run(rows: Rows): Texts {
    const sums = sumsIn(rows);
    const column = hashRows(this.#hashing, sums.urls, Uint32Array.from(sums.offsets));
    const ends: number[] = [];
    let mismatched = 0;
    for (const [index, expected] of sums.expected.entries()) {
      const url = sums.urls.subarray(sums.offsets[index], sums.offsets[index + 1]);
      const isMatch = expected !== undefined && this.#isMatch(column, index, url, expected);
      if (expected !== undefined) this.#write(url, isMatch);
      if (expected !== undefined && !isMatch) mismatched++;
      ends.push(this.#writer.length);
    }
    const counts = { checked: ends.length - sums.problems.length, mismatched, malformed: sums.problems.length };
    const problems = withMalformed(rows, sums.problems);
    return { rows, length: ends.length, problems, counts, ends, bytes: this.#writer.take() };
  }

  /** An invalid line has no digits, or those of its own hash, as `--on-error keep` writes them. */
  #isMatch(column: HashColumn, row: number, url: Uint8Array, expected: string): boolean {
    const isInvalid = indexOfSorted(column.invalid, row) !== -1;
    if (expected === '') return isInvalid;
    const digest = isInvalid
      ? digestOfBytes(this.#hashing.kernel, url, 32)
      : column.bytes.subarray(32 * row, 32 * (row + 1));
    return hexOfBytes(digest, 0, expected.length / 2) === expected;
  }

  #write(url: Uint8Array, isMatch: boolean): void {
    const { shown, lineEnd } = this.#options;
    if (shown === 'none' || (isMatch && shown === 'failed')) return;
    const text = lineEnd === 0 ? undefined : safeTextOf(url); // text that ends in NUL is for programs, as with sha256sum
    if (text === undefined) this.#writer.bytes(url, 0, url.length);
    else this.#writer.text(text);
    this.#writer.text(isMatch ? ': OK' : ': FAILED');
    this.#writer.byte(lineEnd);
  }
}

/** The sums of a block: an expected hash for each row, undefined where the row is malformed. */
interface Sums {
  readonly expected: readonly (string | undefined)[];
  /** The URL of row r is urls[offsets[r], offsets[r + 1]). */
  readonly urls: Uint8Array;
  readonly offsets: readonly number[];
  readonly problems: readonly RowProblem[];
}

function sumsIn(rows: Rows): Sums {
  const expected: (string | undefined)[] = [];
  const offsets = [0];
  const problems: RowProblem[] = [];
  const urls = new ByteWriter();
  eachValue(rows.values, (bytes, start, end, row) => {
    const isLong = end - start > constants.MAX_STRING_LENGTH;
    const digits = isLong ? undefined : SUM_LINE.exec(decodeLine(bytes.subarray(start, end)))?.[1];
    if (digits === undefined) problems.push({ row, ...MALFORMED });
    else urls.bytes(bytes, start + digits.length + 2, end);
    expected.push(digits?.toLowerCase());
    offsets.push(urls.length);
  });
  return { expected, urls: urls.take(), offsets, problems };
}

/** The line with escapes for what a terminal obeys; undefined where there is nothing of the kind. */
function safeTextOf(url: Uint8Array): string | undefined {
  const text = decodeLine(url);
  const safe = visible(text);
  const hasRawC1 = !isUtf8(url) && url.some((byte) => byte >= 0x80 && byte < 0xa0);
  return safe === text && !hasRawC1 ? undefined : safe;
}
