import type { Problem, Rows } from '../rows/framing.ts';

/** What a subcommand plugs into the pipeline: it works on the values of a block's rows. */
export interface Stage<R extends Results> {
  /** `rowsBefore`: rows of all inputs before this block, where the output holds row numbers. */
  run(rows: Rows, rowsBefore: number): R;
}

/** What a stage has made of the rows of a block. */
export interface Results {
  readonly rows: Rows;
  readonly length: number;
  /** The rows without a result, ascending. */
  readonly problems: readonly RowProblem[];
  readonly counts?: Counts;
}

/** Its message may be made only when it is asked for: few are shown. */
export interface RowProblem extends Problem {
  readonly row: number;
}

/** Sums over rows, by name: for `--stats`, and for what a command says at its end. */
export type Counts = Readonly<Record<string, number>>;

/** A row of a block beside what a stage made of it. */
export interface Row {
  readonly row: number;
  /** The row's bytes in the block, without its end: [start, end). */
  readonly start: number;
  readonly end: number;
  readonly isInvalid: boolean;
  readonly isCaption: boolean;
}

/** Calls `visit` with each row until it returns false; it gets the same object each time. */
export function eachResult({ rows, problems }: Results, visit: (row: Row) => boolean | void): void {
  const current = { row: 0, start: 0, end: 0, isInvalid: false, isCaption: false };
  let next = 0;
  rows.eachRow((start, end, row) => {
    // one by one: Object.assign takes 100 ns
    current.row = row;
    current.start = start;
    current.end = end;
    current.isInvalid = problems[next]?.row === row;
    current.isCaption = rows.captions?.has(row) === true;
    if (current.isInvalid) next++;
    return visit(current);
  });
}

/** The problems of rows that have no value, among those that the stage has found in the values; both ascending. */
export function withMalformed({ malformed, captions }: Rows, found: readonly RowProblem[]): readonly RowProblem[] {
  if (malformed.size === 0 && !captions?.size) return found;
  const own = [...malformed].map(([row, { reason, message }]) => ({ row, reason, message }));
  return [...found.filter(({ row }) => !malformed.has(row) && captions?.has(row) !== true), ...own].sort(
    (one, other) => one.row - other.row,
  );
}
