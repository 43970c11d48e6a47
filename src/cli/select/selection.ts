import type { HashColumn } from '../../digest/column.ts';
import { unitsOf } from '../../hash-index/word-order.ts';
import type { Results } from '../stage/stage.ts';

/** Says which rows come out. It is asked once per row, in the order of input. */
export interface Selection<R extends Results> {
  /** `hasResult` is false for an invalid row whose field stays empty. */
  isWanted(results: R, row: number, hasResult: boolean): boolean;
  /** Rows that by chance are not told from others it knows, when `validCount` rows have a hash. */
  expectedFalseMatches?(validCount: number): number;
  /** Keeps what the run has found, once all output is whole. */
  commit?(): Promise<void>;
}

/** The rows that all of them want; one that a selection does not want is not shown to those after it. */
export function allOf<R extends Results>(selections: readonly Selection<R>[]): Selection<R> | undefined {
  if (selections.length <= 1) return selections[0];
  return {
    isWanted: (results, row, hasResult) => selections.every((each) => each.isWanted(results, row, hasResult)),
    expectedFalseMatches: (validCount) =>
      selections.reduce((sum, each) => sum + (each.expectedFalseMatches?.(validCount) ?? 0), 0),
    async commit() {
      for (const each of selections) await each.commit?.();
    },
  };
}

/** The 32-bit units of the column that is at work: a view takes longer to make than a look-up in memory. */
export class ColumnUnits {
  #column: HashColumn | undefined;
  #units: Uint32Array = new Uint32Array(0);

  of(column: HashColumn): Uint32Array {
    if (this.#column !== column) {
      this.#column = column;
      this.#units = unitsOf(column);
    }
    return this.#units;
  }
}
