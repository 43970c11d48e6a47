import type { KeptRows, ResultBatch } from '../stage/stage.ts';

/** Says which rows come out. */
export interface Selection {
  /** Takes rows out of those kept. A row whose field is EMPTY has no hash. */
  keep(results: ResultBatch, kept: KeptRows): void;
  /** Rows that by chance are not told from others it knows, when `validCount` rows have a hash. */
  expectedFalseMatches?(validCount: number): number;
  /** Keeps what the run has found, once all output is whole. */
  commit?(): Promise<void>;
}

/** The rows that all of them want; one that a selection does not want is not shown to those after it. */
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
