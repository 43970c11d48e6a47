import type { BlockReport } from '../stage/stage.ts';
import { BadRows, type Shown } from './bad-rows.ts';
import type { Diagnostics } from './diagnostics.ts';
import { Progress } from './progress.ts';
import { type Facts, Statistics, type StatisticsForm } from './statistics.ts';

export interface LedgerOptions {
  readonly shown: Shown;
  readonly exitsZero: boolean;
  /** Does the run end at the first bad row? */
  readonly endsAtBadRow: boolean;
  readonly threadCount: number;
  /** Of all inputs, where it is known beforehand. */
  readonly totalBytes: number | undefined;
  readonly hasStatusLine: boolean;
  /** Said at the first block where `totalBytes` is known: `lineCount` is an estimate. */
  readonly announce: ((lineCount: number) => string) | undefined;
}

/** Keeps account of a run, block by block: bad rows, progress, statistics and the exit status. */
export class Ledger {
  readonly #diagnostics: Diagnostics;
  readonly #options: LedgerOptions;
  readonly #badRows: BadRows;
  readonly #progress: Progress | undefined;
  readonly statistics: Statistics;
  #isBegun = false;

  constructor(diagnostics: Diagnostics, options: LedgerOptions) {
    this.#diagnostics = diagnostics;
    this.#options = options;
    this.#badRows = new BadRows(diagnostics, options.shown);
    this.#progress = options.hasStatusLine ? progressOf(diagnostics, options) : undefined;
    this.statistics = new Statistics(options.threadCount);
  }

  /** A block of an input, whose first row has the number `firstRow` there. */
  async add(inputName: string, firstRow: number, report: BlockReport): Promise<void> {
    if (!this.#isBegun) await this.#begin(report);
    this.statistics.add(report);
    this.#progress?.add(report.rowCount, report.byteLength, report.problems.length);
    if (report.problems.length === 0) return;
    const { endsAtBadRow, exitsZero } = this.#options;
    const problems = endsAtBadRow ? report.problems.slice(0, 1) : report.problems;
    await this.#badRows.add(inputName, firstRow, { problems });
    if (!exitsZero || endsAtBadRow) this.#diagnostics.failed();
  }

  /** `selected`: the rows that came out, where a selection was made. */
  async end(form: StatisticsForm | undefined, facts: Facts, selected: number | undefined): Promise<void> {
    this.#diagnostics.showStatusLine('');
    await this.#badRows.end();
    if (form !== undefined) process.stderr.write(this.statistics.text(form, facts, selected));
  }

  /** The estimate assumes that all lines are as long as those of the first block. */
  async #begin({ rowCount, byteLength }: BlockReport): Promise<void> {
    const { totalBytes, announce } = this.#options;
    if (rowCount === 0) return;
    this.#isBegun = true;
    if (totalBytes !== undefined && announce !== undefined)
      await this.#diagnostics.tell([announce(Math.ceil((totalBytes / byteLength) * rowCount))]);
  }
}

function progressOf(diagnostics: Diagnostics, { totalBytes }: LedgerOptions): Progress {
  return new Progress({ totalBytes, draw: (text) => diagnostics.showStatusLine(text), now: () => performance.now() });
}
