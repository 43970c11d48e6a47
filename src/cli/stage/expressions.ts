import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { hasSimd, type Kernel } from '../../kernel/kernel.ts';
import { ExpressionBatch, type ExpressionRows, type ExpressionSink } from '../../safe-browsing/batch.ts';
import type { SafeBrowsingFailure } from '../../safe-browsing/failure.ts';
import { GatheredLines } from '../../safe-browsing/gathered-lines.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import { type RowBatch, type RowProblem, type Spans, VALUE } from '../rows/row-batch.ts';
import { ExpressionLines } from './expression-lines.ts';
import { ExpressionWriter, type ExpressionWriterOptions } from './expression-writer.ts';
import { SafeBrowsingProblem } from './safe-browsing-problem.ts';
import { allProblems, NO_DIGESTS, type ResultBatch, type Stage } from './stage.ts';

export interface ExpressionOptions extends ExpressionWriterOptions {
  readonly settings: Settings;
  /** Does a URL that has no expressions come out as it was given? */
  readonly keepsInvalid: boolean;
}

/** A line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export function expressionStage(kernel: Kernel, options: ExpressionOptions): Stage {
  const stage = new ExpressionStage(kernel, options);
  return (rows, rowsBefore) => stage.run(rows, rowsBefore);
}

class ExpressionStage implements ExpressionSink {
  readonly #keepsInvalid: boolean;
  readonly #batch: ExpressionBatch;
  readonly #gathered: GatheredLines;
  readonly #writer: ExpressionWriter;
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  /** The rows that have a value. */
  #valueRows: number[] = [];
  #problems: RowProblem[] = [];
  /** Rows of the expression batch before these. */
  #firstRow = 0;
  #expressionCount = 0;
  /** The number of the batch's first row. */
  #firstNumber = 0;

  constructor(kernel: Kernel, { settings, width, keepsInvalid, lineEnd }: ExpressionOptions) {
    this.#keepsInvalid = keepsInvalid;
    this.#batch = new ExpressionBatch(kernel, width, settings, this);
    this.#gathered = new GatheredLines(this.#batch);
    const Writer = hasSimd(kernel.name) ? ExpressionLines : ExpressionWriter;
    this.#writer = new Writer(kernel, { width, lineEnd });
  }

  run(rows: RowBatch, rowsBefore: number): ResultBatch {
    const { values, kinds, length } = rows;
    this.#problems = [];
    this.#valueRows = [];
    this.#firstRow = this.#batch.rowCount;
    this.#expressionCount = 0;
    this.#firstNumber = rowsBefore + rows.firstNumber + 1;
    for (let row = 0; row < length; row++) if (kinds[row] === VALUE) this.#valueRows.push(row);
    for (const row of this.#valueRows) this.#gathered.add(values.bytes, values.starts[row]!, values.ends[row]!);
    this.#gathered.flush();
    const problems = allProblems(rows, this.#problems);
    const counts = { expressions: this.#expressionCount };
    return { rows, problems, digests: NO_DIGESTS, width: 0, texts: this.#texts(length), counts };
  }

  take(rows: ExpressionRows): void {
    const first = rows.firstRow - this.#firstRow;
    this.#expressionCount += rows.count;
    this.#writer.write(rows, this.#batch.kernelWidth, (row) => this.#firstNumber + this.#valueRows[first + row]!);
  }

  reject(batchRow: number, bytes: Uint8Array, failure: SafeBrowsingFailure): boolean {
    this.#problems.push(new SafeBrowsingProblem(this.#valueRows[batchRow - this.#firstRow]!, bytes, failure));
    if (this.#keepsInvalid) this.#expressionCount--; // it comes out like one
    return this.#keepsInvalid;
  }

  #texts(length: number): Spans {
    const { bytes, ends } = this.#writer.take();
    let end = 0;
    for (let row = 0, next = 0; row < length; row++) {
      this.#starts[row] = end;
      if (this.#valueRows[next] === row) end = ends[next++]!;
      this.#ends[row] = end;
    }
    return { bytes, starts: this.#starts, ends: this.#ends };
  }
}
