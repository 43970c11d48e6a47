import { EMPTY, isHeading, type KeptRows, type ResultBatch, unitsOf } from '../stage/stage.ts';

/** Decides which rows are written. */
export interface Selection {
  /** Whether rows without a hash stay. Headings always do. */
  readonly keepsEmpty: boolean;
  /** Whether a row stays: its hash is in `units` from `at` on. Asked once for each row, in the order of the input. */
  selects(units: Uint32Array, at: number): boolean;
  /** Returns the rows expected to be taken for known ones by chance, when `validCount` rows have a hash. */
  expectedFalseMatches?(validCount: number): number;
  /** Saves the results of the run, once all output is complete. */
  commit?(): Promise<void>;
}

/** Removes the rows from `kept` that are not selected. A row whose field is EMPTY has no hash. */
export function narrow(results: ResultBatch, kept: KeptRows, selection: Selection): void {
  const { rows, fields } = kept;
  const { kinds } = results.rows;
  const units = unitsOf(results);
  const unitsPerRow = results.width / 4;
  let count = 0;
  for (let index = 0; index < kept.count; index++) {
    const row = rows[index]!;
    const isEmpty = fields[row] === EMPTY;
    const stays = isEmpty
      ? selection.keepsEmpty || isHeading(kinds[row]!)
      : selection.selects(units, row * unitsPerRow);
    if (stays) rows[count++] = row;
  }
  kept.count = count;
}
