import { readFileSync } from 'node:fs';
import { counted, type Diagnostics, type Row, tableText } from '../arguments/diagnostics.ts';
import { UTF_8 } from '../read/encoding.ts';
import type { Records } from '../read/framing.ts';
import { INPUT_KINDS, type InputKind, readerOf } from '../read/input-kind.ts';
import { kindOfLine, lacksScheme } from '../read/text-kind.ts';
import { addTo, type BlockReport, type Counts, type ReportedProblem } from './results.ts';
import { MISSING_SCHEME } from './urls.ts';
import type { Facts, Plan, StatisticsForm } from './work.ts';

/** Facts of a run's inputs and its terminal that are known before it begins. */
interface Surroundings {
  /** The byte length of all inputs as they are read, if it is known beforehand. */
  readonly totalBytes: number | undefined;
  /** Returns the bytes that were read until now, packed if they are. */
  readBytes(): number;
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

/** The number of bad rows of one input that are shown unless a flag says otherwise. The rest are counted by reason. */
export const SHOWN_LIMIT = 10;

type ReaderOf = (problem: ReportedProblem) => string | undefined;

/**
 * Returns what reports bad rows, as many as a person wants to read.
 *
 * @param readerOf says what reads a row in another way, if anything does; each reader is said once
 */
export function badRows(diagnostics: Diagnostics, limit: number, readerOf: ReaderOf = () => undefined) {
  /** All bad rows by reason, as in --stats. */
  const counts: Record<string, number> = {};
  const saidReaders = new Set<string>();
  let [totalShown, shownCount] = [0, 0];
  let lastName: string | undefined;
  const withReader = (problem: ReportedProblem) => {
    const reader = readerOf(problem);
    if (reader === undefined || saidReaders.has(reader)) return '';
    saidReaders.add(reader);
    return `; ${reader}`;
  };
  return {
    /** Adds those of a block whose first row has the number `firstRow` in its input. Settles when they are written. */
    async add(inputName: string, firstRow: number, problems: readonly ReportedProblem[]): Promise<void> {
      if (lastName !== inputName) shownCount = 0;
      lastName = inputName;
      const shown = problems.slice(0, limit - shownCount);
      shownCount += shown.length;
      totalShown += shown.length;
      for (const { reason } of problems) addTo(counts, reason);
      if (shown.length === 0) return;
      await diagnostics.tell(
        shown.map((each) => `${inputName}:${firstRow + each.number}: ${each.message}${withReader(each)}`),
      );
    },
    /** Reports how many there are by reason, unless all were shown or none may be. */
    async end(): Promise<void> {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (limit === 0 || total === totalShown) return;
      const head = `${counted(total, 'bad line')}, ${totalShown} shown (--all-errors shows each):`;
      await diagnostics.tell([head, ...reasonLines(counts)]);
    },
  };
}

/** The least time between two drawings. */
const DRAW_MS = 100;

interface ProgressOptions extends Pick<Surroundings, 'totalBytes' | 'readBytes'> {
  /** Replaces the text on the status line. */
  draw(text: string): void;
  /** Returns milliseconds since some fixed moment. */
  now(): number;
}

/** The progress of a run at some moment. */
interface Point {
  readonly ms: number;
  readonly lines: number;
  readonly bytes: number;
}

/** Returns what adds the rows of a block, and shows the progress of the run on the status line of a terminal. */
export function progress({ totalBytes, readBytes, draw, now }: ProgressOptions) {
  /** The point after the first block: what comes before it, such as opening an index, tells nothing about the rest. */
  let first: Point | undefined;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let [lines, invalid] = [0, 0];
  return (addedLines: number, addedInvalid: number): void => {
    lines += addedLines;
    invalid += addedInvalid;
    const ms = now();
    if (ms - drawnAtMs < DRAW_MS) return;
    drawnAtMs = ms;
    const point = { ms, lines, bytes: readBytes() };
    first ??= point;
    draw([...progressTexts(first, point, totalBytes), `${invalid} invalid`].join('  '));
  };
}

function progressTexts(first: Point, { ms, lines, bytes }: Point, totalBytes: number | undefined): string[] {
  const elapsedMs = ms - first.ms;
  const parts = [counted(lines, 'line')];
  if (elapsedMs > 0) parts.push(`${(((lines - first.lines) / elapsedMs) * 1000).toFixed(0)}/s`);
  if (totalBytes) parts.push(`${((100 * bytes) / totalBytes).toFixed(0)} %`);
  if (totalBytes && bytes > first.bytes)
    parts.push(`${timeText(((totalBytes - bytes) * elapsedMs) / (bytes - first.bytes))} left`);
  return parts;
}

/** Returns `5 s`, `3:05` or `1:02:03`. */
function timeText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
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

/** Counts for `--stats`. */
class Statistics {
  readonly #start = performance.now();
  readonly #threadCount: number;
  /** Invalid rows by reason. */
  readonly #reasons: Record<string, number> = {};
  readonly counts: Record<string, number> = {};
  invalidCount = 0;
  #lines = 0;
  #blankLines = 0;
  #bytes = 0;

  constructor(threadCount: number) {
    this.#threadCount = threadCount;
  }

  get validCount(): number {
    return this.#lines - this.invalidCount;
  }

  /** The number of invalid rows by reason, the most frequent first. */
  get invalidByReason(): Counts {
    return Object.fromEntries(mostFirst(this.#reasons));
  }

  /** Adds a block; `problems` are those of its bad rows that count. */
  add({ rowCount, blankCount, byteLength, counts }: BlockReport, problems: BlockReport['problems']): void {
    this.#lines += rowCount;
    this.#blankLines += blankCount;
    this.#bytes += byteLength;
    this.invalidCount += problems.length;
    for (const { reason } of problems) addTo(this.#reasons, reason);
    for (const [name, count] of Object.entries(counts)) addTo(this.counts, name, count);
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
  text(form: StatisticsForm, facts: Facts, selected: number | undefined): string {
    const seconds = (performance.now() - this.#start) / 1000;
    const peakMemoryBytes = peakMemory();
    if (form === 'text') return tableText(this.#rows(seconds, peakMemoryBytes, facts, selected));
    const summary = {
      lines: this.#lines,
      blankLines: this.#blankLines || undefined,
      bytes: this.#bytes,
      invalid: this.invalidCount,
      invalidByReason: this.invalidByReason,
      selected,
      ...this.counts,
      seconds,
      linesPerSecond: this.#lines / seconds,
      threads: this.#threadCount,
      peakMemoryBytes,
      ...facts,
    };
    return `${JSON.stringify(summary)}\n`;
  }

  #rows(seconds: number, peakMemoryBytes: number, facts: Facts, selected: number | undefined): Row[] {
    const lines = this.#lines;
    const threads = counted(this.#threadCount, 'thread');
    const shared = (count: number) => (lines === 0 ? `${count}` : `${count} (${((100 * count) / lines).toFixed(1)} %)`);
    const { profile, suffixList, width, expectedCollisions, expectedFalseMatches } = facts;
    return [
      ['lines', `${lines}`],
      ['blank lines', this.#blankLines === 0 ? undefined : `${this.#blankLines}`],
      ['bytes', `${this.#bytes}`],
      ['invalid', shared(this.invalidCount)],
      ...Object.entries(this.invalidByReason).map(([reason, count]) => [`  ${reason}`, `${count}`] as const),
      ['selected', selected === undefined ? undefined : shared(selected)],
      ...Object.entries(this.counts).map(([name, count]) => [NAMES[name] ?? labelOf(name), shared(count)] as const),
      ['time', `${seconds.toFixed(2)} s, ${Math.round(lines / seconds)} lines/s, ${threads}`],
      ['peak memory', `${(peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`],
      ['profile', profile],
      ['suffix list', suffixList],
      [
        'expected collisions',
        expectedCollisions === undefined ? undefined : `${expectedCollisions.toPrecision(3)} at ${width} bytes a hash`,
      ],
      ['expected false matches', expectedFalseMatches?.toPrecision(3)],
    ];
  }
}

/** Returns the bytes that this process has had at most: on Linux, `maxRSS` begins with those of the one that started it. */
function peakMemory(): number {
  let kibibytes = process.resourceUsage().maxRSS;
  try {
    kibibytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? kibibytes);
  } catch {} // a system without it
  return 1024 * kibibytes;
}

function mostFirst(counts: Counts): [name: string, count: number][] {
  return Object.entries(counts).sort(([, one], [, other]) => other - one);
}

/** Returns a line per reason, the most frequent first. */
export function reasonLines(counts: Counts): string[] {
  return mostFirst(counts).map(([reason, count]) => `${String(count).padStart(10)} ${reason}`);
}

/** Labels of counts whose names say too little. */
const NAMES: Readonly<Record<string, string>> = {
  proven: 'proven canonical',
  rewritten: 'rewritten in the kernel',
  stripped: 'with parameters dropped',
  unicodeHosts: 'with hosts beyond ASCII',
  notUrls: 'without a URL',
};

/** Returns `publicSuffixes` as `public suffixes`. */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
