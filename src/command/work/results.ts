import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { HashTable } from '../../store/hash-index/hash-table.ts';
import { type Batch, givenIn, lineCountOf, OMITTED, type RowProblem, VALUE, valueCountOf } from '../read/batch.ts';

/**
 * A command's part of the pipeline, which works on the values of a batch. `rowsBefore` is the number of rows before
 * the batch's block in all inputs, if the output has row numbers.
 */
export type Stage<R extends Results = Results> = (batch: Batch, rowsBefore: number) => R;

/** The results of a stage for the rows of a batch. ARCHITECTURE.md says how long they are valid. */
export interface Results {
  readonly batch: Batch;
  /** The rows without a result, malformed ones included, ascending. */
  readonly problems: readonly RowProblem[];
  /** Remarks on rows that have a result. */
  readonly notes?: readonly RowProblem[];
  /** `width` bytes per row, packed; empty if the stage hashes nothing. */
  readonly digests: Uint8Array;
  readonly width: number;
  /** The text that is written for each row, if the results are texts. */
  readonly texts?: Spans;
  /**
   * A 1 for each row whose form was another, or that had one and has none now, or had none; of forms that are compared.
   */
  readonly isChanged?: Uint8Array;
  readonly counts: Counts;
}

/** Sums over rows, by name: for `--stats`, and for a command's messages at its end. */
export type Counts = Readonly<Record<string, number>>;

export function addTo(sums: Record<string, number>, name: string, count = 1): void {
  sums[name] = (sums[name] ?? 0) + count;
}

export const NO_DIGESTS = new Uint8Array(0);

/** Merges the problems of rows without a value with those that a stage has found in values; each are ascending. */
export function allProblems({ problems }: Batch, found: readonly RowProblem[]): readonly RowProblem[] {
  const all = [problems, found].filter(({ length }) => length > 0);
  return all.length < 2 ? (all[0] ?? []) : all.flat().sort((one, other) => one.row - other.row);
}

/** Returns the results of a stage that hashes nothing, with the problems that it has found in values. */
export function unhashed(batch: Batch, found: readonly RowProblem[], counts: Counts) {
  return { batch, problems: allProblems(batch, found), digests: NO_DIGESTS, width: 0, counts };
}

/** Returns the digests as 32-bit units in the host's byte order, `width / 4` per row. */
export function unitsOf({ digests }: Results): Uint32Array {
  return new Uint32Array(digests.buffer, digests.byteOffset, digests.length / 4);
}

/** The treatment of bad rows: `--on-error`. */
export type OnError = 'null' | 'keep' | 'skip' | 'fail';

/** The output for a row: its result; the given text, for an invalid row that is kept; or nothing. */
export const RESULT = 0;
export const GIVEN = 1;
export const EMPTY = 2;

/** The rows of a batch that are written, in order: the first `count` of `rows`. */
export interface SelectedRows {
  readonly rows: Uint32Array;
  count: number;
  /** RESULT, GIVEN or EMPTY for each row of the batch. */
  readonly fields: Uint8Array;
}

/** Chooses rows by `--on-error`, before other selections. Rows that are OMITTED are never written. */
export function keepRows({ batch, problems }: Results, onError: OnError, kept: SelectedRows): void {
  const { kinds, length } = batch;
  const { rows, fields } = kept; // in locals: fields of an object are read again in each iteration
  const invalidField = onError === 'keep' ? GIVEN : EMPTY;
  const end = onError === 'fail' && problems.length > 0 ? problems[0]!.row : length;
  let count = 0;
  let next = 0;
  let nextInvalid = problems[0]?.row;
  for (let row = 0; row < end; row++) {
    const kind = kinds[row]!;
    const isInvalid = row === nextInvalid;
    if (isInvalid) nextInvalid = problems[++next]?.row;
    fields[row] = isInvalid ? invalidField : kind === VALUE ? RESULT : EMPTY;
    if ((isInvalid && onError === 'skip') || kind === OMITTED) continue;
    rows[count++] = row;
  }
  kept.count = count;
}

/** Decides which of the kept rows are written. */
export interface Selection {
  /** Removes rows from those kept. A row whose field is EMPTY has no hash. */
  keep(results: Results, kept: SelectedRows): void;
  /** Returns the rows expected to be taken for known ones by chance, when `validCount` rows have a hash. */
  expectedFalseMatches?(validCount: number): number;
  /** Saves the results of the run, once all output is complete. */
  commit?(): Promise<void>;
}

/** Keeps those of the kept rows that are wanted. */
export function keepOnly(kept: SelectedRows, isWanted: (row: number) => boolean): void {
  const { rows } = kept;
  let count = 0;
  for (let index = 0; index < kept.count; index++) {
    const row = rows[index]!;
    if (isWanted(row)) rows[count++] = row;
  }
  kept.count = count;
}

/** Keeps the rows whose hash is new to a set, which gains it, and those without a hash. */
export function keepNew(results: Results, kept: SelectedRows, set: Pick<HashTable, 'add'>): void {
  const units = unitsOf(results);
  keepOnly(kept, (row) => kept.fields[row] === EMPTY || set.add(units, (row * results.width) / 4));
}

/** A report on a block, which can be posted between threads. */
export class BlockReport {
  readonly byteLength: number;
  /** Rows that count as lines, blank rows, all rows, and those that have a value. */
  rowCount = 0;
  blankCount = 0;
  recordCount = 0;
  valueCount = 0;
  /** Rows with bytes that are not of their encoding. */
  wrongCount = 0;
  /** All invalid rows, ascending. */
  readonly problems: ReportedProblem[] = [];
  /** The remarks that may be shown. */
  readonly notes: ReportedProblem[] = [];
  readonly counts: Record<string, number> = {};
  /** The first row that its reader found to be bad, if no row has a value. */
  firstBad: ShownProblem | undefined;

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }

  /** `shownCount` is the number of problems of one block that may be shown, and of notes. */
  add({ batch, problems, notes = [], counts }: Results, shownCount: number): void {
    const { firstNumber, length, withoutValue, withoutScheme = 0 } = batch;
    const { null: notUrls, comment: comments } = withoutValue;
    this.rowCount += lineCountOf(batch);
    this.blankCount += withoutValue.blank;
    this.recordCount += length;
    this.valueCount += valueCountOf(batch);
    const [firstBad] = batch.problems;
    if (firstBad !== undefined && this.valueCount === 0) this.firstBad ??= shownProblem(firstBad, batch);
    for (const problem of problems) {
      const isShown = this.problems.length < shownCount;
      const { row, reason } = problem;
      this.problems.push(isShown ? shownProblem(problem, batch) : { number: firstNumber + row, reason });
    }
    for (const note of notes.slice(0, shownCount - this.notes.length)) this.notes.push(shownProblem(note, batch));
    if (notUrls > 0) addTo(this.counts, 'notUrls', notUrls);
    if (comments > 0) addTo(this.counts, 'comments', comments);
    if (withoutScheme > 0) addTo(this.counts, 'withoutScheme', withoutScheme);
    for (const [name, count] of Object.entries(counts)) addTo(this.counts, name, count);
  }
}

export interface ReportedProblem {
  /** The number of the row in the block, from 0. */
  readonly number: number;
  readonly reason: string;
  /** The sentence; of a problem that is only counted there is none. */
  readonly message?: string;
  /** The beginning of the row, as it is given. */
  readonly text?: string;
  readonly isUnlike?: boolean;
}

type ShownProblem = Required<ReportedProblem>;

/** Bytes of a row that tell what it is. */
const SHOWN_BYTES = 1 << 10;

function shownProblem({ row, reason, message, isUnlike = false }: RowProblem, batch: Batch): ShownProblem {
  const text = decodeLine(givenIn(batch, row).subarray(0, SHOWN_BYTES));
  return { number: batch.firstNumber + row, reason, message, text, isUnlike };
}

/** Turns rows and the results of a stage into the bytes of the output. */
export interface Format<R extends Results = Results> {
  write(results: R, kept: SelectedRows, out: GrowingBytes): void;
  /** Yields the output after the last row, if there is any, piece by piece. */
  end?(): Iterable<Uint8Array>;
}

/** Writes one row as one line, with its line end. `field` is RESULT, GIVEN or EMPTY. */
export type RowFormat = (out: GrowingBytes, results: Results, row: number, field: number) => void;

/** Makes a format whose output is all written by `write`. */
export function rowByRow(writeRow: RowFormat): Format {
  return {
    write(results, { rows, count, fields }, out) {
      for (let index = 0; index < count; index++) {
        const row = rows[index]!;
        writeRow(out, results, row, fields[row]!);
      }
    },
  };
}
