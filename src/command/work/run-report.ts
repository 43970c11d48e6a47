import { counted } from '../../core/quote.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { UTF_8 } from '../read/encoding.ts';
import type { Records } from '../read/framing.ts';
import { INPUT_KINDS, type InputKind, readerOf } from '../read/input-kind.ts';
import { kindOfLine, lacksScheme } from '../read/text-kind.ts';
import { badRows } from './bad-rows.ts';
import { type InputBytes, progress } from './progress.ts';
import type { BlockReport, ReportedProblem } from './results.ts';
import { Statistics } from './statistics.ts';
import { MISSING_SCHEME } from './urls.ts';
import type { Facts, Plan } from './work.ts';

/** Facts of a run's inputs and its terminal that are known before it begins. */
interface Surroundings extends InputBytes {
  readonly hasStatusLine: boolean;
}

type ReportPlan = Pick<
  Plan,
  'onError' | 'threadCount' | 'shownLimit' | 'exitsZero' | 'statistics' | 'encoding' | 'records' | 'framing'
>;

/** Reports on a run, block by block: bad rows, progress, statistics and the exit status. */
export class RunReport {
  readonly #plan: ReportPlan;
  readonly #diagnostics: Diagnostics;
  readonly #badRows: ReturnType<typeof badRows>;
  readonly #notes: ReturnType<typeof badRows>;
  readonly #addProgress: ((lines: number, invalid: number) => void) | undefined;
  readonly statistics: Statistics;
  #isAtBadRow = false;
  /** The rows of the current input so far, those with a value, and what is said if none has one. */
  #rowCount = 0;
  #valueCount = 0;
  #emptyReason: string | undefined;
  /** Rows of all inputs with bytes that are not of their encoding. */
  #wrongCount = 0;

  constructor(plan: ReportPlan, diagnostics: Diagnostics, surroundings: Surroundings) {
    this.#plan = plan;
    this.#diagnostics = diagnostics;
    this.#badRows = badRows(diagnostics, plan.shownLimit, (problem) => this.#readerOf(problem));
    this.#notes = badRows(diagnostics, plan.shownLimit);
    const draw = (text: string) => diagnostics.showStatusLine(text);
    if (surroundings.hasStatusLine)
      this.#addProgress = progress({ ...surroundings, draw, now: () => performance.now() });
    this.statistics = new Statistics(plan.threadCount);
  }

  /** Whether a bad row has ended the run. */
  get isAtBadRow(): boolean {
    return this.#isAtBadRow;
  }

  async add(inputName: string, report: BlockReport): Promise<void> {
    const endsAtBadRow = this.#plan.onError === 'fail';
    const problems = endsAtBadRow ? report.problems.slice(0, 1) : report.problems;
    const firstRow = this.#rowCount + 1;
    this.#rowCount += report.recordCount;
    this.#valueCount += report.valueCount;
    if (report.firstBad !== undefined) this.#emptyReason ??= this.#sentenceOf(firstRow, report.firstBad);
    this.#wrongCount += report.wrongCount;
    this.statistics.add(report, problems);
    this.#addProgress?.(report.rowCount, report.problems.length);
    await this.#notes.add(inputName, firstRow, report.notes);
    if (problems.length === 0) return;
    this.#isAtBadRow = endsAtBadRow;
    await this.#badRows.add(inputName, firstRow, problems);
    if (!this.#plan.exitsZero || endsAtBadRow) this.#diagnostics.failed();
  }

  /** Reports an input that has bad rows and none with a value. */
  endInput(inputName: string): void {
    if (this.#emptyReason !== undefined && this.#valueCount === 0) {
      const rows = counted(this.#rowCount, 'row');
      this.#diagnostics.trouble(`${inputName}: none of its ${rows} has a value; ${this.#emptyReason}`);
    }
    this.#rowCount = this.#valueCount = 0;
    this.#emptyReason = undefined;
  }

  /** Says why a row is bad, and what its input seems to be. */
  #sentenceOf(firstRow: number, { number, message, text = '' }: ReportedProblem): string {
    const { records, framing } = this.#plan;
    const kind = framing.transform === undefined ? kindOfLine(text) : undefined; // which a link does not tell
    const isOther = kind !== undefined && kind !== (records && READ_KINDS[records.kind]);
    return `row ${firstRow + number}: ${message}${isOther ? `; it seems to be ${kind.name}: ${readerOf(kind)}` : ''}`;
  }

  /** Returns the advice of what reads a line that is not a URL; undefined for records, whose reader a flag has named. */
  #readerOf({ reason, text = '', isUnlike = false }: ReportedProblem): string | undefined {
    const { records, framing } = this.#plan;
    if (records !== undefined) return undefined;
    const isRelative = reason === MISSING_SCHEME;
    if (framing.transform !== undefined) return isRelative ? readerOf(INPUT_KINDS.relativeLink) : undefined;
    if (!isUnlike) return undefined;
    const isReference = isRelative && lacksScheme(text);
    const kind = kindOfLine(text) ?? (isReference ? INPUT_KINDS.reference : undefined);
    return kind === undefined || kind === INPUT_KINDS.urls ? undefined : readerOf(kind);
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
  async end(facts: Facts, selected: number | undefined): Promise<void> {
    const { statistics } = this.#plan;
    this.#diagnostics.showStatusLine('');
    await this.#badRows.end();
    if (this.#wrongCount > 0 && this.#plan.records?.kind !== 'log')
      await this.#diagnostics.tell([wrongNotice(this.#wrongCount, this.#plan)]);
    const { withoutScheme = 0 } = this.statistics.counts;
    if (withoutScheme > 0)
      await this.#diagnostics.tell([
        `the log does not name the scheme of ${counted(withoutScheme, 'request')}: lists need none (--default-scheme names it)`,
      ]);
    if (statistics !== undefined) process.stderr.write(this.statistics.text(statistics, facts, selected));
  }
}

/** The kind of input of each kind of records. */
const READ_KINDS: Readonly<Record<Records['kind'], InputKind>> = {
  csv: INPUT_KINDS.table,
  delimited: INPUT_KINDS.table,
  json: INPUT_KINDS.jsonLines,
  cdx: INPUT_KINDS.cdx,
  log: INPUT_KINDS.log,
};

/** Returns the notice of wrong bytes: different ones became one character, and different URLs one key. */
function wrongNotice(count: number, { encoding }: Pick<Plan, 'encoding'>): string {
  const lines = counted(count, 'line is', 'lines are');
  if (encoding === UTF_8) return `${lines} not UTF-8 (docs/bulk.md#encodings)`;
  return `${lines} not ${encoding}: U+FFFD stands for what it does not have`;
}
