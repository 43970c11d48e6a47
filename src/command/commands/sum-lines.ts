import { isUtf8 } from 'node:buffer';
import { DIGESTS, NO_MESSAGE, ROW_CAPACITY } from '../../../assembly/layout.ts';
import { type Hashing, UrlBatch } from '../../core/bulk/hash-rows.ts';
import { hexDigitValue, SPACE } from '../../core/bytes/code-points.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans, withoutReturns } from '../../core/bytes/lines.ts';
import { decodedIfFits, decodeLine, visible } from '../../core/bytes/text.ts';
import { digestOfBytes } from '../../core/digest/digest.ts';
import type { Kernel, Width } from '../../core/kernel/kernel.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import type { UnicodeVersion } from '../../core/url/parsed-url.ts';
import { profileOfForm } from '../../core/url/profile.ts';
import { type Batch, lineCountOf, type RowProblem, VALUE } from '../read/batch.ts';
import { NUL } from '../read/lines.ts';
import { profileProblem, type SumTag, tagOf, tagProblem } from '../read/sum-tag.ts';
import {
  type Format,
  keepOnly,
  type Results,
  type RowFormat,
  rowByRow,
  type Stage,
  unhashed,
} from '../work/results.ts';
import { lineWriter, OK_FIELDS } from '../write/line-writer.ts';

/** The numbers of hex digits that a line of the text format can begin with: 0 if it has no valid URL. */
const DIGIT_COUNTS: readonly number[] = [0, 16, 32, 64];

/** The result for a line that does not begin with such digits and two spaces. */
const MALFORMED = -1;

/** The value of each byte as a hex digit, or NO_DIGIT. Reading a table takes a third of the time of comparisons. */
const NO_DIGIT = 0xff;
const VALUES = Uint8Array.from({ length: 256 }, (_, byte) => hexDigitValue(byte) & NO_DIGIT);

/** The answer to a line. A malformed line and a comment have none. */
export const NO_ANSWER = 0;
export const OK = 1;
export const FAILED = 2;

export interface Checked extends Results {
  /** One answer per row. */
  readonly answers: Uint8Array;
  /** The URL of each row. */
  readonly texts: Spans;
}

const MALFORMED_SUM = {
  reason: 'malformed-sum',
  message: 'not a line of the text format: hex, two spaces, URL (malformed-sum)',
};

/**
 * Checks the lines of the text format: hex of 8, 16 or 32 bytes, or none; two spaces; the URL. Lines with a valid
 * URL and as many digits as the first line are checked together, the others one by one.
 */
export class SumStage {
  #hashing: Hashing;
  readonly #hashingOf: (unicode: UnicodeVersion) => Hashing;
  readonly #lineStarts = new Uint32Array(ROW_CAPACITY);
  readonly #answers = new Uint8Array(ROW_CAPACITY);
  #problems: RowProblem[] = [];
  /** Lines that are tags, and how many of them name another profile than the head of the input. */
  #tagCount = 0;
  #otherCount = 0;
  #mismatchCount = 0;
  /** Lines that do not match and have no URL: mostly those of other tools. */
  #notUrlCount = 0;

  /** @param hashingOf returns the settings under another version of Unicode, which a tag names */
  constructor(hashing: Hashing, hashingOf: (unicode: UnicodeVersion) => Hashing = () => hashing) {
    this.#hashing = hashing;
    this.#hashingOf = hashingOf;
  }

  /** Computes the hashes after it by a version of Unicode, which the tag of an input names. */
  use(unicode: UnicodeVersion): void {
    if (unicode !== this.#hashing.form.unicode) this.#hashing = this.#hashingOf(unicode);
  }

  readonly run: Stage<Checked> = (batch) => {
    this.#problems = [];
    this.#tagCount = this.#otherCount = this.#mismatchCount = this.#notUrlCount = 0;
    const texts = this.#checkAll(batch);
    const malformed = this.#problems.length - this.#otherCount;
    const counts = {
      checked: lineCountOf(batch) - malformed - this.#tagCount,
      mismatched: this.#mismatchCount,
      malformed,
      ...(this.#notUrlCount > 0 && { notUrls: this.#notUrlCount }),
    };
    return { ...unhashed(batch, this.#problems, counts), texts, answers: this.#answers };
  };

  /** Checks each line, and returns the rows: from then on, they are the URLs. */
  #checkAll(batch: Batch): Spans {
    const urls = batch.rows;
    this.#answers.fill(NO_ANSWER, 0, batch.length);
    this.#lineStarts.set(urls.starts.subarray(0, batch.length));
    const digitCount = this.#digitCountOfFirst(batch);
    if (!batch.isLong) {
      this.#hashUrls(batch, urls, digitCount);
      for (let row = 0; row < batch.length; row++)
        if (batch.kinds[row] === VALUE && this.#isSpelled(row, digitCount)) this.#answers[row] = OK;
    }
    // afterwards, since the digest of a single line is written over that of the first row
    for (let row = 0; row < batch.length; row++)
      if (batch.kinds[row] === VALUE && this.#answers[row] !== OK) this.#checkLine(row, urls);
    return urls;
  }

  /**
   * Hashes URLs of lines with two spaces where the first has them. From here on, rows are the URLs, or empty.
   */
  #hashUrls({ kinds, length }: Batch, urls: Spans, digitCount: number): void {
    const { bytes, starts, ends } = urls;
    const { memory } = this.#hashing.kernel;
    for (let row = 0; row < length; row++) {
      const spaces = starts[row]! + digitCount;
      const hasUrl =
        kinds[row] === VALUE && spaces + 2 <= ends[row]! && bytes[spaces] === SPACE && bytes[spaces + 1] === SPACE;
      starts[row] = hasUrl ? spaces + 2 : ends[row]!;
    }
    const inputOf = (row: number) => (starts[row] === ends[row] ? undefined : decodeLine(rowIn(urls, row)));
    const batch = new UrlBatch(this.#hashing);
    batch.canonicalize(length, memory.scannedEnd, inputOf);
    batch.hash((digitCount / 2) as Width);
  }

  /** Whether the digits of a row spell its digest. */
  #isSpelled(row: number, digitCount: number): boolean {
    const { bytes, spans } = this.#hashing.kernel.memory;
    if (spans[2 * row + 1] === NO_MESSAGE) return false;
    return isSpelling(bytes, this.#lineStarts[row]!, digitCount, bytes, DIGESTS + (row * digitCount) / 2);
  }

  /** Checks a line on its own. */
  #checkLine(row: number, { bytes, starts, ends }: Spans): void {
    const [start, end] = [this.#lineStarts[row]!, ends[row]!];
    this.#hashing.kernel.memory.setSpan(row, 0, NO_MESSAGE);
    const digitCount = digitCountOf(bytes, start, end);
    if (digitCount === MALFORMED) return this.#addMalformed(row, bytes.subarray(start, end));
    starts[row] = start + digitCount + 2;
    const url = bytes.subarray(starts[row], end);
    const { digest, isUrl } = this.#digestOf(url);
    const isMatch = digitCount === 0 ? !isUrl : isSpelling(bytes, start, digitCount, digest, 0);
    this.#answers[row] = isMatch ? OK : FAILED;
    if (!isMatch) this.#mismatchCount++;
    if (!isMatch && !isUrl && digitCount > 0) this.#notUrlCount++;
  }

  /** The digest of an invalid URL is that of its bytes, as `--on-error keep` writes it. */
  #digestOf(url: Uint8Array): { readonly digest: Uint8Array; readonly isUrl: boolean } {
    const { kernel, base, form } = this.#hashing;
    const text = decodedIfFits(url);
    const canonical = text === undefined ? undefined : canonicalForm(text, base, form);
    const isUrl = typeof canonical === 'string';
    const message = isUrl ? Buffer.from(canonical, 'latin1') : withoutReturns(url);
    return { digest: digestOfBytes(kernel, message, 32), isUrl };
  }

  #addMalformed(row: number, line: Uint8Array): void {
    const tag = tagOf(line);
    if (tag === undefined) {
      this.#problems.push({ row, ...MALFORMED_SUM });
      return;
    }
    this.#tagCount++;
    const problem = this.#problemOf(tag);
    if (problem === undefined) return;
    this.#otherCount++;
    const message = `from here on, the lines were ${problem}; check them as a file of their own (other-profile)`;
    this.#problems.push({ row, reason: 'other-profile', message });
  }

  /** Says why a tag does not name the profile by which the input is checked. */
  #problemOf(tag: SumTag): string | undefined {
    const { form, base } = this.#hashing;
    const profile = profileOfForm(form);
    return tag.profile === profile ? tagProblem(tag, profile, base) : profileProblem(tag.profile, profile);
  }

  #digitCountOfFirst({ rows: { bytes, starts, ends } }: Batch): number {
    const digitCount = digitCountOf(bytes, starts[0]!, ends[0]!);
    return digitCount > 0 ? digitCount : 64;
  }
}

/** Whether the digits from `start` on, in either case, spell the bytes from `digest` on. */
function isSpelling(text: Uint8Array, start: number, digitCount: number, digests: Uint8Array, digest: number): boolean {
  for (let at = 0; at < digitCount; at += 2) {
    const value = (VALUES[text[start + at]!]! << 4) | VALUES[text[start + at + 1]!]!;
    if (digests[digest + at / 2] !== value) return false;
  }
  return true;
}

/** Returns the number of hex digits before two spaces at the start of the line [start, end), or MALFORMED. */
function digitCountOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && VALUES[bytes[at]!] !== NO_DIGIT) at++;
  const hasSpaces = at + 2 <= end && bytes[at] === SPACE && bytes[at + 1] === SPACE;
  return hasSpaces && DIGIT_COUNTS.includes(at - start) ? at - start : MALFORMED;
}

/** The lines that are written: all, those that do not match, or none. */
export type ShownAnswers = 'all' | 'failed' | 'none';

/** Writes the answers of a check in order, each as `URL: OK` or `URL: FAILED`. */
export function openAnswerFormat(
  { kernel, lineEnd }: { readonly kernel: Kernel; readonly lineEnd: number },
  shown: ShownAnswers,
): Format<Checked> {
  const writeRow: RowFormat = (out, results, row) => writeAnswer(out, results as Checked, row, lineEnd);
  const lines = kernel.name === 'simd' ? lineWriter(kernel, OK_FIELDS, lineEnd, writeRow) : rowByRow(writeRow);
  return {
    write(checked, kept, out) {
      const { answers } = checked;
      keepOnly(kept, (row) =>
        shown === 'all' ? answers[row] !== NO_ANSWER : shown === 'failed' && answers[row]! > OK,
      );
      lines.write(checked, kept, out);
    },
  };
}

function writeAnswer(out: GrowingBytes, { texts, answers }: Checked, row: number, lineEnd: number): void {
  const url = rowIn(texts, row);
  // NUL-terminated text is for programs, as with sha256sum
  const text = lineEnd === NUL ? undefined : safeTextOf(url);
  if (text === undefined) out.bytes(url);
  else out.text(text);
  out.text(answers[row] === OK ? ': OK' : ': FAILED');
  out.byte(lineEnd);
}

/** Returns the line with escapes for what a terminal obeys, or undefined if it needs none. */
function safeTextOf(url: Uint8Array): string | undefined {
  if (isPrintable(url)) return undefined;
  const text = decodeLine(url);
  const safe = visible(text);
  const hasRawC1 = !isUtf8(url) && url.some((byte) => byte >= 0x80 && byte < 0xa0);
  return safe === text && !hasRawC1 ? undefined : safe;
}

/** Printable ASCII, as in nearly all URLs, need not be decoded. */
function isPrintable(url: Uint8Array): boolean {
  let at = 0;
  while (at < url.length && url[at]! >= 0x20 && url[at]! < 0x7f) at++;
  return at === url.length;
}
