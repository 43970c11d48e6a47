import type { Hashing } from '../../bulk/batch.ts';
import { hashRows } from '../../bulk/rows.ts';
import { indexOfSorted } from '../../bytes/sorted.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import { withoutReturns } from '../rows/content-end.ts';
import type { Rows } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { type AnswerOptions, Answers } from './answers.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Stage, withMalformed } from './stage.ts';
import { SumLines, type SumRun } from './sum-lines.ts';
import { MALFORMED, Sums, TAG_LINE } from './sums.ts';
import type { Texts } from './texts.ts';

/** The lines of the text format, checked. */
export class CheckStage implements Stage<Texts> {
  readonly #hashing: Hashing;
  readonly #options: AnswerOptions;
  readonly #sumLines = SumLines.open();
  readonly #urls = new ByteWriter();
  readonly #writer = new ByteWriter();

  constructor(hashing: Hashing, options: AnswerOptions) {
    this.#hashing = hashing;
    this.#options = options;
  }

  run(rows: Rows): Texts {
    const answers = new Answers(this.#options, this.#writer);
    if (this.#sumLines === undefined || !('lines' in rows.values)) this.#checkAll(rows, answers);
    else this.#checkRuns(this.#sumLines, rows.values.lines, answers);
    const { ends, mismatchCount: mismatched, tagCount, otherCount, notUrlCount: notUrls } = answers;
    const malformed = answers.problems.length - otherCount;
    return {
      rows,
      length: ends.length,
      problems: withMalformed(rows, answers.problems),
      counts: { checked: ends.length - malformed - tagCount, mismatched, malformed, ...(notUrls > 0 && { notUrls }) },
      ends,
      bytes: this.#writer.take(),
    };
  }

  #checkAll({ values }: Rows, answers: Answers): void {
    const sums = new Sums('lines' in values ? values.lines : values.bytes, this.#urls);
    eachValue(values, (_, start, end) => sums.add(start, end));
    this.#check(sums, answers);
  }

  /** Lines that are in no run wait for those after them. */
  #checkRuns(sumLines: SumLines, block: Uint8Array, answers: Answers): void {
    let waiting = new Sums(block, this.#urls);
    const checkWaiting = () => {
      if (waiting.digitCounts.length === 0) return;
      this.#check(waiting, answers);
      waiting = new Sums(block, this.#urls);
    };
    sumLines.eachLine(block, {
      run: (run) => {
        checkWaiting();
        this.#checkRun(run, answers);
      },
      other: (start, end) => waiting.add(start, end),
    });
    checkWaiting();
  }

  #checkRun(run: SumRun, answers: Answers): void {
    const { width, digests, urls, offsets } = run;
    const column = hashRows({ ...this.#hashing, width }, urls, offsets);
    if (column.invalid.length === 0 && Buffer.compare(digests, column.bytes) === 0) return answers.addRun(run);
    for (let row = 0; row < column.length; row++) {
      const url = urls.subarray(offsets[row], offsets[row + 1]);
      const spelled = digests.subarray(row * width, (row + 1) * width);
      answers.add(url, Buffer.compare(spelled, this.#digestOf(column, row, url)) === 0, !isInvalid(column, row));
    }
  }

  #check(sums: Sums, answers: Answers): void {
    const { urls, offsets } = sums.take();
    const column = hashRows(this.#hashing, urls, offsets);
    for (const [row, digitCount] of sums.digitCounts.entries()) {
      const url = urls.subarray(offsets[row], offsets[row + 1]);
      if (digitCount === MALFORMED) answers.addMalformed();
      else if (digitCount === TAG_LINE) answers.addTag(sums.tags.get(row)!);
      else if (digitCount === 0) answers.add(url, isInvalid(column, row), true);
      else answers.add(url, sums.isSpelled(row, this.#digestOf(column, row, url), 0), !isInvalid(column, row));
    }
  }

  /** Of an invalid line it is that of its own bytes, as `--on-error keep` writes it. */
  #digestOf(column: HashColumn, row: number, url: Uint8Array): Uint8Array {
    const { bytes, width } = column;
    if (isInvalid(column, row)) return digestOfBytes(this.#hashing.kernel, withoutReturns(url), width);
    return bytes.subarray(row * width, (row + 1) * width);
  }
}

/** Such a line has no digits, unless it was kept. */
function isInvalid({ invalid }: HashColumn, row: number): boolean {
  return indexOfSorted(invalid, row) !== -1;
}
