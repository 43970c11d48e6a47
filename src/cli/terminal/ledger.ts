import type { BlockReport } from '../stage/stage.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type Facts, Statistics, type StatisticsForm } from './statistics.ts';

export interface LedgerOptions {
  readonly shown: Shown;
  readonly exitsZero: boolean;
  /** Whether the run ends at the first bad row. */
  readonly endsAtBadRow: boolean;
  readonly threadCount: number;
  /** The byte length of all inputs, if it is known beforehand. */
  readonly totalBytes: number | undefined;
  readonly hasStatusLine: boolean;
  /** Returns the message at the first block, if `totalBytes` is known; `lineCount` is an estimate. */
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

  /** Adds a block of an input, whose first row has the number `firstRow` there. */
  async add(inputName: string, firstRow: number, report: BlockReport): Promise<void> {
    if (!this.#isBegun) await this.#begin(report);
    const { endsAtBadRow, exitsZero } = this.#options;
    const problems = endsAtBadRow ? report.problems.slice(0, 1) : report.problems;
    this.statistics.add(report, problems);
    this.#progress?.add(report.rowCount, report.byteLength, report.problems.length);
    if (report.problems.length === 0) return;
    await this.#badRows.add(inputName, firstRow, { problems });
    if (!exitsZero || endsAtBadRow) this.#diagnostics.failed();
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
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

/** Which bad rows are shown: the first few of each input, none, or all. The rest are counted by reason. */
export type Shown = 'few' | 'none' | 'all';

const FEW = 10;

/** Returns how many bad rows of one input, and so of one block, may be shown. */
export function shownLimit(shown: Shown): number {
  return { few: FEW, none: 0, all: Number.POSITIVE_INFINITY }[shown];
}

/** Reports bad rows, as many as a person wants to read. */
export class BadRows {
  readonly #diagnostics: Diagnostics;
  readonly #limit: number;
  /** All bad rows by reason, as in --stats. */
  readonly #counts = new Map<string, number>();
  #totalShown = 0;
  #inputName: string | undefined;
  #shownCount = 0;

  constructor(diagnostics: Diagnostics, shown: Shown) {
    this.#diagnostics = diagnostics;
    this.#limit = shownLimit(shown);
  }

  /** Adds those of a block whose first row has the number `firstRow` in its input. Settles when they are written. */
  async add(inputName: string, firstRow: number, { problems }: Pick<BlockReport, 'problems'>): Promise<void> {
    if (this.#inputName !== inputName) this.#shownCount = 0;
    this.#inputName = inputName;
    const shown = problems.slice(0, this.#limit - this.#shownCount);
    this.#shownCount += shown.length;
    this.#totalShown += shown.length;
    for (const { reason } of problems) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (shown.length > 0)
      await this.#diagnostics.tell(shown.map(({ number, message }) => `${inputName}:${firstRow + number}: ${message}`));
  }

  /** Reports how many there are by reason, unless all were shown. */
  async end(): Promise<void> {
    const counts = [...this.#counts].sort(([, one], [, other]) => other - one);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    if (total === this.#totalShown) return;
    const lines = `${total} bad line${total === 1 ? '' : 's'}`;
    const head = this.#limit === 0 ? `${lines}:` : `${lines}, ${this.#totalShown} shown (--all-errors shows each):`;
    await this.#diagnostics.tell([head, ...counts.map(([reason, count]) => `${String(count).padStart(10)} ${reason}`)]);
  }
}

/** Draws at most ten times per second. */
const INTERVAL_MS = 100;

export interface ProgressOptions {
  /** The byte length of all inputs, if it is known beforehand. */
  readonly totalBytes: number | undefined;
  /** Replaces the text on the status line. */
  draw(text: string): void;
  /** Returns milliseconds since some fixed moment. */
  now(): number;
}

/** Shows the progress of the run on the status line of a terminal. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #bytes = 0;
  #invalid = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startMs = options.now();
  }

  add(lines: number, bytes: number, invalid: number): void {
    this.#lines += lines;
    this.#bytes += bytes;
    this.#invalid += invalid;
    const nowMs = this.#options.now();
    if (nowMs - this.#drawnAtMs < INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    this.#options.draw(this.#text(nowMs - this.#startMs));
  }

  #text(elapsedMs: number): string {
    const rate = elapsedMs > 0 ? `  ${((this.#lines / elapsedMs) * 1000).toFixed(0)}/s` : '';
    const { totalBytes } = this.#options;
    const share = totalBytes ? `  ${((100 * this.#bytes) / totalBytes).toFixed(0)} %` : '';
    return `${this.#lines} line${this.#lines === 1 ? '' : 's'}${rate}${share}  ${this.#invalid} invalid`;
  }
}

/**
 * Whether standard error has room for a status line: it has none if lines are typed or printed on the terminal, as they
 * would run into each other.
 */
export function hasStatusLine(
  { stdin, stdout, stderr }: Readonly<Record<'stdin' | 'stdout' | 'stderr', { readonly isTTY?: boolean }>>,
  uses: { readonly standardInput: boolean; readonly standardOutput: boolean },
): boolean {
  const isTypedAt = uses.standardInput && stdin.isTTY === true;
  const isPrintedAt = uses.standardOutput && stdout.isTTY === true;
  return stderr.isTTY === true && !isTypedAt && !isPrintedAt;
}
