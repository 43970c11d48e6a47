import { isUtf8 } from 'node:buffer';
import type { Hashing } from '../../bulk/batch.ts';
import { hashRows } from '../../bulk/rows.ts';
import { indexOfSorted } from '../../bytes/sorted.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { visible } from '../../bytes/visible.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Rows } from '../rows/framing.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Stage, withMalformed } from './stage.ts';
import { isSpelled, type Sums, sumsIn } from './sums.ts';
import type { Texts } from './texts.ts';

export interface CheckOptions {
  readonly lineEnd: number;
  /** Which lines come out: of all, of those that do not match, of none. */
  readonly shown: 'all' | 'failed' | 'none';
}

/** The lines of the text format, checked: one `LINE: OK` or `LINE: FAILED` per line. */
export class CheckStage implements Stage<Texts> {
  readonly #hashing: Hashing;
  readonly #options: CheckOptions;
  readonly #urls = new ByteWriter();
  readonly #writer = new ByteWriter();

  constructor(hashing: Hashing, options: CheckOptions) {
    this.#hashing = hashing;
    this.#options = options;
  }

  run(rows: Rows): Texts {
    const sums = sumsIn(rows, this.#urls);
    const column = hashRows(this.#hashing, sums.urls, sums.offsets);
    const ends: number[] = [];
    let mismatched = 0;
    for (const [row, digitCount] of sums.digitCounts.entries()) {
      if (digitCount !== -1 && !this.#check(sums, column, row)) mismatched++;
      ends.push(this.#writer.length);
    }
    const counts = { checked: ends.length - sums.problems.length, mismatched, malformed: sums.problems.length };
    const problems = withMalformed(rows, sums.problems);
    return { rows, length: ends.length, problems, counts, ends, bytes: this.#writer.take() };
  }

  #check(sums: Sums, column: HashColumn, row: number): boolean {
    const url = sums.urls.subarray(sums.offsets[row], sums.offsets[row + 1]);
    const isMatch = this.#isMatch(sums, column, row, url);
    this.#write(url, isMatch);
    return isMatch;
  }

  /** An invalid line has no digits, or those of its own hash, as `--on-error keep` writes them. */
  #isMatch(sums: Sums, column: HashColumn, row: number, url: Uint8Array): boolean {
    const isInvalid = indexOfSorted(column.invalid, row) !== -1;
    if (sums.digitCounts[row] === 0) return isInvalid;
    if (!isInvalid) return isSpelled(sums, row, column.bytes, 32 * row);
    return isSpelled(sums, row, digestOfBytes(this.#hashing.kernel, url, 32), 0);
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

/** The line with escapes for what a terminal obeys; undefined where there is nothing of the kind. */
function safeTextOf(url: Uint8Array): string | undefined {
  if (isPrintable(url)) return undefined;
  const text = decodeLine(url);
  const safe = visible(text);
  const hasRawC1 = !isUtf8(url) && url.some((byte) => byte >= 0x80 && byte < 0xa0);
  return safe === text && !hasRawC1 ? undefined : safe;
}

/** Is it printable ASCII, as nearly all URLs are? It need not be decoded then. */
function isPrintable(url: Uint8Array): boolean {
  let at = 0;
  while (at < url.length && url[at]! >= 0x20 && url[at]! < 0x7f) at++;
  return at === url.length;
}
