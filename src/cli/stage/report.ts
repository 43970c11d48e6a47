import { numbersIn } from '../rows/row-numbers.ts';
import type { Counts, Results } from './stage.ts';

/** What a run is told about a block; it can be posted between threads. */
export interface BlockReport {
  readonly byteLength: number;
  /** Rows that the stage has seen. */
  readonly rowCount: number;
  readonly skippedCount: number;
  /** Each invalid row, ascending. */
  readonly problems: readonly ReportedProblem[];
  readonly counts: Counts;
}

export interface ReportedProblem {
  /** The number of the row in the block, from 0. */
  readonly number: number;
  readonly reason: string;
  /** Only of those that may be shown. */
  readonly message?: string;
}

/** `shownCount`: how many problems of one block may be shown. */
export function reportOf(results: Results, byteLength: number, shownCount: number): BlockReport {
  const { rows, length, problems, counts = {} } = results;
  const numberOf = numbersIn(rows);
  return {
    byteLength,
    rowCount: length,
    skippedCount: rows.skipped.length,
    problems: problems.map((problem, index) => {
      const reported = { number: numberOf(problem.row), reason: problem.reason };
      return index < shownCount ? { ...reported, message: problem.message } : reported;
    }),
    counts,
  };
}
