import type { HashColumn } from '../../digest/column.ts';

/** Says which rows come out. It is asked once a row, in the order of input. */
export interface Selection {
  isWanted(column: HashColumn, row: number, isHashed: boolean): boolean;
}

/** The rows that all of them want; one that a selection does not want is not shown to those behind it. */
export function bothOf(first: Selection | undefined, second: Selection | undefined): Selection | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    isWanted: (column, row, isHashed) =>
      first.isWanted(column, row, isHashed) && second.isWanted(column, row, isHashed),
  };
}
