import { counted } from '../../core/quote.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { addTo, type Counts, type ReportedProblem } from './results.ts';

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

/** Returns counts with their names, the largest first. */
export function mostFirst(counts: Counts): [name: string, count: number][] {
  return Object.entries(counts).sort(([, one], [, other]) => other - one);
}

/** Returns a line per reason, the most frequent first. */
export function reasonLines(counts: Counts): string[] {
  return mostFirst(counts).map(([reason, count]) => `${String(count).padStart(10)} ${reason}`);
}
