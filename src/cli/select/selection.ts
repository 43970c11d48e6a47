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
