import { isUtf8 } from 'node:buffer';
import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { visible } from '../../bytes/visible.ts';
import { profileProblem, type SumTag } from '../rows/sum-tag.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { RowProblem } from './stage.ts';
import type { SumRun } from './sum-lines.ts';

const MALFORMED_SUM = {
  reason: 'malformed-sum',
  message: 'not a line of the text format: hex, two spaces, URL (malformed-sum)',
};

export interface AnswerOptions {
  readonly lineEnd: number;
  /** Which lines come out: of all, of those that do not match, of none. */
  readonly shown: 'all' | 'failed' | 'none';
  /** That hashes are computed by. */
  readonly profile: string;
}

/** What a check says of the lines of a block, in order: one `URL: OK` or `URL: FAILED` each. */
export class Answers {
  mismatchCount = 0;
  /** Lines that say what those after them were made with, and those among them that name another profile. */
  tagCount = 0;
  otherCount = 0;
  /** Lines that do not match and hold no URL: those of other tools, mostly. */
  notUrlCount = 0;
  readonly problems: RowProblem[] = [];
  /** Where the answer to each row ends in what was written. */
  readonly #ends = new GrowingNumbers();
  readonly #options: AnswerOptions;
  readonly #writer: ByteWriter;

  constructor(options: AnswerOptions, writer: ByteWriter) {
    this.#options = options;
    this.#writer = writer;
  }

  get ends(): Uint32Array {
    return this.#ends.numbers;
  }

  add(url: Uint8Array, isMatch: boolean, isUrl: boolean): void {
    const { shown, lineEnd } = this.#options;
    if (!isMatch) this.mismatchCount++;
    if (!isMatch && !isUrl) this.notUrlCount++;
    if (shown === 'all' || (shown === 'failed' && !isMatch)) this.#write(url, isMatch ? ': OK' : ': FAILED', lineEnd);
    this.#ends.push(this.#writer.length);
  }

  addMalformed(): void {
    this.problems.push({ row: this.#ends.length, ...MALFORMED_SUM });
    this.#ends.push(this.#writer.length);
  }

  /** Within an input, where lists were joined. */
  addTag({ profile }: SumTag): void {
    this.tagCount++;
    if (profile !== this.#options.profile) {
      this.otherCount++;
      const message = `the lines from here on were ${profileProblem(profile, this.#options.profile)} (other-profile)`;
      this.problems.push({ row: this.#ends.length, reason: 'other-profile', message });
    }
    this.#ends.push(this.#writer.length);
  }

  /** All of them match. */
  addRun({ offsets, answers }: SumRun): void {
    const isShown = this.#options.shown === 'all';
    const start = this.#writer.length;
    if (isShown) this.#writer.bytes(answers, 0, answers.length);
    const count = offsets.length - 1;
    const extra = isShown ? (answers.length - offsets[count]!) / count : 0; // what an answer is longer than its URL
    for (let row = 1; row <= count; row++) this.#ends.push(isShown ? start + offsets[row]! + row * extra : start);
  }

  #write(url: Uint8Array, verdict: string, lineEnd: number): void {
    // text that ends in NUL is for programs, as with sha256sum
    const text = lineEnd === 0 ? undefined : safeTextOf(url);
    if (text === undefined) this.#writer.bytes(url, 0, url.length);
    else this.#writer.text(text);
    this.#writer.text(verdict);
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
