import type { KeptRows, ResultBatch } from '../stage/stage.ts';

/** Decides which rows are written. */
export interface Selection {
  /** Removes rows from those kept. A row whose field is EMPTY has no hash. */
  keep(results: ResultBatch, kept: KeptRows): void;
  /** Returns the rows expected to be taken for known ones by chance, when `validCount` rows have a hash. */
  expectedFalseMatches?(validCount: number): number;
  /** Saves the results of the run, once all output is complete. */
  commit?(): Promise<void>;
}

/** Selects the rows that all of them select; each sees only the rows that those before it have kept. */
export function allOf(selections: readonly Selection[]): Selection | undefined {
  if (selections.length <= 1) return selections[0];
  return {
    keep(results, kept) {
      for (const each of selections) each.keep(results, kept);
    },
    expectedFalseMatches: (validCount) =>
      selections.reduce((sum, each) => sum + (each.expectedFalseMatches?.(validCount) ?? 0), 0),
    async commit() {
      for (const each of selections) await each.commit?.();
    },
  };
}
