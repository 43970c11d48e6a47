import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type ExpressionBatch, ExpressionReader } from '../../safe-browsing/batch.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { Rows } from '../rows/framing.ts';
import { numbersIn } from '../rows/row-numbers.ts';
import { type ExpressionLineOptions, ExpressionLines } from './expression-lines.ts';
import { safeBrowsingProblem } from './safe-browsing.ts';
import { type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Texts } from './texts.ts';

export interface ExpressionOptions extends ExpressionLineOptions {
  readonly settings: Settings;
  /** Does a URL that has no expressions come out as it was given? */
  readonly keepsInvalid: boolean;
}

/** A line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export class ExpressionStage implements Stage<Texts> {
  readonly #keepsInvalid: boolean;
  readonly #reader: ExpressionReader;
  readonly #lines: ExpressionLines;
  readonly #ascending = Uint32Array.from({ length: ROW_CAPACITY }, (_, row) => row);
  readonly #numbers = new Uint32Array(ROW_CAPACITY);

  constructor(kernel: Kernel, { settings, width, keepsInvalid, lineEnd }: ExpressionOptions) {
    this.#keepsInvalid = keepsInvalid;
    this.#reader = new ExpressionReader(kernel, width, settings, keepsInvalid);
    this.#lines = new ExpressionLines(kernel, { width, lineEnd });
  }

  run(rows: Rows, rowsBefore: number): Texts {
    const problems: RowProblem[] = [];
    let [length, expressions] = [0, 0];
    for (const batch of this.#batchesOf(rows)) {
      this.#lines.write(batch, this.#reader.kernelWidth, rowsBefore + 1 + length, this.#numbersOf(rows, batch));
      for (const { row, input, failure } of batch.rejected) problems.push(safeBrowsingProblem(row, input, failure));
      length += batch.rowCount;
      expressions += batch.count - (this.#keepsInvalid ? batch.rejected.length : 0);
    }
    return { rows, length, problems: withMalformed(rows, problems), counts: { expressions }, ...this.#lines.take() };
  }

  /** What is added to the first number for each row: rows that are skipped count. */
  #numbersOf(rows: Rows, { firstRow, rowCount }: ExpressionBatch): Uint32Array {
    if (rows.skipped.length === 0) return this.#ascending;
    const numberOf = numbersIn(rows);
    for (let row = 0; row < rowCount; row++) this.#numbers[row] = numberOf(firstRow + row) - firstRow;
    return this.#numbers;
  }

  #batchesOf({ values, malformed }: Rows): Iterable<ExpressionBatch> {
    if ('lines' in values) return this.#reader.lines(values.lines);
    const { bytes, offsets } = values;
    const rowCount = offsets.length - 1;
    const kinds = malformed.size === 0 ? undefined : new Uint8Array(rowCount);
    for (const row of malformed.keys()) kinds![row] = 1;
    return this.#reader.rows({ bytes, starts: offsets, ends: offsets.subarray(1) }, rowCount, kinds);
  }
}
