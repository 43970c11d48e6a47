import { hasSimd, type Kernel } from '../../kernel/kernel.ts';
import { ExpressionBatch, type ExpressionRows, type ExpressionSink } from '../../safe-browsing/batch.ts';
import type { SafeBrowsingFailure } from '../../safe-browsing/failure.ts';
import { GatheredLines } from '../../safe-browsing/gathered-lines.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { Rows, Values } from '../rows/framing.ts';
import { numbersIn } from '../rows/row-numbers.ts';
import { ExpressionLines } from './expression-lines.ts';
import { ExpressionWriter, type ExpressionWriterOptions } from './expression-writer.ts';
import { SafeBrowsingProblem } from './safe-browsing-problem.ts';
import { type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Texts } from './texts.ts';

export interface ExpressionOptions extends ExpressionWriterOptions {
  readonly settings: Settings;
  /** Does a URL that has no expressions come out as it was given? */
  readonly keepsInvalid: boolean;
}

/** A line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export class ExpressionStage implements Stage<Texts>, ExpressionSink {
  readonly #keepsInvalid: boolean;
  readonly #batch: ExpressionBatch;
  readonly #gathered: GatheredLines;
  readonly #writer: ExpressionWriter;
  #malformed: Rows['malformed'] = new Map();
  #problems: RowProblem[] = [];
  /** Rows of the batch before the block's. */
  #firstRow = 0;
  #expressionCount = 0;
  #numberOf: (row: number) => number = Number;

  constructor(kernel: Kernel, { settings, width, keepsInvalid, lineEnd }: ExpressionOptions) {
    this.#keepsInvalid = keepsInvalid;
    this.#batch = new ExpressionBatch(kernel, width, settings, this);
    this.#gathered = new GatheredLines(this.#batch);
    const Writer = hasSimd(kernel.name) ? ExpressionLines : ExpressionWriter;
    this.#writer = new Writer(kernel, { width, lineEnd });
  }

  run(rows: Rows, rowsBefore: number): Texts {
    const numberInBlock = numbersIn(rows);
    this.#malformed = rows.malformed;
    this.#problems = [];
    this.#firstRow = this.#batch.rowCount;
    this.#expressionCount = 0;
    this.#numberOf = (row) => rowsBefore + numberInBlock(row) + 1;
    this.#addAll(rows.values);
    return {
      rows,
      length: this.#batch.rowCount - this.#firstRow,
      problems: withMalformed(rows, this.#problems),
      counts: { expressions: this.#expressionCount },
      ...this.#writer.take(),
    };
  }

  take(rows: ExpressionRows): void {
    const first = rows.firstRow - this.#firstRow;
    this.#expressionCount += rows.count;
    this.#writer.write(rows, this.#batch.kernelWidth, (row) => this.#numberOf(first + row));
  }

  reject(batchRow: number, bytes: Uint8Array, failure: SafeBrowsingFailure): boolean {
    const row = batchRow - this.#firstRow;
    if (this.#malformed.has(row)) return false;
    this.#problems.push(new SafeBrowsingProblem(row, bytes, failure));
    if (this.#keepsInvalid) this.#expressionCount--; // it comes out like one
    return this.#keepsInvalid;
  }

  #addAll(values: Values): void {
    if ('lines' in values) return this.#batch.addLines(values.lines);
    const { bytes, offsets } = values;
    for (let row = 0; row + 1 < offsets.length; row++) this.#gathered.add(bytes, offsets[row]!, offsets[row + 1]!);
    this.#gathered.flush();
  }
}
