import type { Results } from '../stage/stage.ts';

/** Says which rows come out. It is asked once per row, in the order of input. */
export interface Selection<R extends Results> {
  /** `hasResult` is false for an invalid row whose field stays empty. */
  isWanted(results: R, row: number, hasResult: boolean): boolean;
}

/** The rows that all of them want; one that a selection does not want is not shown to those after it. */
export function bothOf<R extends Results>(
  first: Selection<R> | undefined,
  second: Selection<R> | undefined,
): Selection<R> | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    isWanted: (results, row, hasResult) =>
      first.isWanted(results, row, hasResult) && second.isWanted(results, row, hasResult),
  };
}
