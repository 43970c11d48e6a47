import { FOLD_NAMES, PARAMETER_FOLDS } from '../../src/core/url/folds';
import { LIST_QUERIES, LIST_UNSORTED } from '../layout';

/** Settings of a line of site rules, or of a run. */
export class PageSettings {
  /** Names of parameters, escaped; `keep` is null where all are kept. */
  drop: string[] = [];
  keep: string[] | null = null;
  isSorted: bool = false;
  folds: i32 = 0;
  /** Whether the fragment stays where the run excludes it: only a line says so. */
  keepsFragment: bool = false;

  /** Bits that classifyRows is asked for. */
  get asked(): u32 {
    const isFiltered = this.drop.length > 0 || this.keep !== null;
    return this.folds | (isFiltered ? LIST_QUERIES : 0) | (this.isSorted ? LIST_UNSORTED : 0);
  }

  /** Whether they say which parameters count, or in which order. */
  get asksForParameters(): bool {
    return this.drop.length > 0 || this.keep !== null || this.isSorted || (this.folds & PARAMETER_FOLDS) != 0;
  }
}

/** Returns the names of folds. */
export function foldsOf(bits: i32): string[] {
  const folds: string[] = [];
  for (let index = 0; index < FOLD_NAMES.length; ++index) if ((bits & (1 << index)) != 0) folds.push(FOLD_NAMES[index]);
  return folds;
}
