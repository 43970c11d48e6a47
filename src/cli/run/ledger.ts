import { type BlockReport, valueCountOf } from '../stage/stage.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { type Facts, Statistics } from '../terminal/statistics.ts';
import type { Plan } from './plan.ts';

/** What a run can know of its inputs and its terminal before it begins. */
export interface Surroundings {
  /** The byte length of all inputs, if it is known beforehand. */
  readonly totalBytes: number | undefined;
  readonly hasStatusLine: boolean;
}

type LedgerPlan = Pick<Plan, 'onError' | 'threadCount' | 'shownLimit' | 'exitsZero' | 'statistics' | 'announce'>;

/** Keeps account of a run, block by block: bad rows, progress, statistics and the exit status. */
export class Ledger {
  readonly #plan: LedgerPlan;
  readonly #diagnostics: Diagnostics;
  readonly #totalBytes: number | undefined;
  readonly #badRows: BadRows;
  readonly #progress: Progress | undefined;
  readonly statistics: Statistics;
  #isBegun = false;
  #isAtBadRow = false;
  /** Of the current input: its rows so far, those with a value, and what it lacks if there is none. */
  #rowCount = 0;
  #valueCount = 0;
  #lack: string | undefined;

  constructor(plan: LedgerPlan, diagnostics: Diagnostics, { totalBytes, hasStatusLine }: Surroundings) {
    this.#plan = plan;
    this.#diagnostics = diagnostics;
    this.#totalBytes = totalBytes;
    this.#badRows = new BadRows(diagnostics, plan.shownLimit);
    this.#progress = hasStatusLine ? progressOf(diagnostics, totalBytes) : undefined;
    this.statistics = new Statistics(plan.threadCount);
  }

  /** Whether a bad row has ended the run. */
  get isAtBadRow(): boolean {
    return this.#isAtBadRow;
  }

  /** Adds the next block of an input. */
  async add(inputName: string, report: BlockReport): Promise<void> {
    if (!this.#isBegun) await this.#begin(report);
    const endsAtBadRow = this.#plan.onError === 'fail';
    const problems = endsAtBadRow ? report.problems.slice(0, 1) : report.problems;
    const firstRow = this.#rowCount + 1;
    this.#rowCount += report.recordCount;
    this.#valueCount += valueCountOf(report);
    this.#lack ??= report.lack;
    this.statistics.add(report, problems);
    this.#progress?.add(report.rowCount, report.byteLength, report.problems.length);
    if (problems.length === 0) return;
    this.#isAtBadRow = endsAtBadRow;
    await this.#badRows.add(inputName, firstRow, { problems });
    if (!this.#plan.exitsZero || endsAtBadRow) this.#diagnostics.failed();
  }

  /** Reports an input none of whose records has the field that is read. */
  endInput(inputName: string): void {
    if (this.#lack !== undefined && this.#valueCount === 0)
      this.#diagnostics.trouble({ message: `${inputName}: ${this.#lack}` });
    this.#rowCount = this.#valueCount = 0;
    this.#lack = undefined;
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
  async end(facts: Facts, selected: number | undefined): Promise<void> {
    const { statistics } = this.#plan;
    this.#diagnostics.showStatusLine('');
    await this.#badRows.end();
    if (statistics !== undefined) process.stderr.write(this.statistics.text(statistics, facts, selected));
  }

  /** The estimate assumes that all lines are as long as those of the first block. */
  async #begin({ rowCount, byteLength }: BlockReport): Promise<void> {
    if (rowCount === 0) return;
    this.#isBegun = true;
    if (this.#totalBytes === undefined || this.#plan.announce === undefined) return;
    await this.#diagnostics.tell([this.#plan.announce(Math.ceil((this.#totalBytes / byteLength) * rowCount))]);
  }
}

function progressOf(diagnostics: Diagnostics, totalBytes: number | undefined): Progress {
  return new Progress({ totalBytes, draw: (text) => diagnostics.showStatusLine(text), now: () => performance.now() });
}

/** How many bad rows of one input are shown unless a flag says otherwise. The rest are counted by reason. */
export const SHOWN_LIMIT = 10;

/** Reports bad rows, as many as a person wants to read. */
export class BadRows {
  readonly #diagnostics: Diagnostics;
  readonly #limit: number;
  /** All bad rows by reason, as in --stats. */
  readonly #counts = new Map<string, number>();
  #totalShown = 0;
  #inputName: string | undefined;
  #shownCount = 0;

  constructor(diagnostics: Diagnostics, limit: number) {
    this.#diagnostics = diagnostics;
    this.#limit = limit;
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
