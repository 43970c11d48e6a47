// docs/parameters.md defines what this file does.

import { FOLD_EMPTY_QUERY, FOLD_SESSION, LIST_QUERIES, LIST_UNSORTED } from '../../../assembly/layout.ts';
import { FOLD_NAMES, PARAMETER_FOLDS, SESSION_NAMES } from './folds.ts';
import { ParameterFilter, ParameterRules } from './parameters.ts';

/** Settings of a run, or of a line of site rules. */
export class PageSettings {
  /** Names of parameters, escaped; `keep` is empty where all are kept. */
  drop: string[] = [];
  keep: string[] = [];
  isSorted: bool = false;
  /** The bits of the folds. */
  folds: i32 = 0;
  /** Whether the fragment stays where the run excludes it: only a line says so. */
  keepsFragment: bool = false;
  /** The length of a line's PATH in bytes, below which no fold shortens a path; 1 without one: the first slash. */
  pathLength: i32 = 1;

  /** The bits of the messages that `Kernel.classifyRows` lists. */
  get lists(): i32 {
    const isFiltered = this.drop.length > 0 || this.keep.length > 0;
    return (isFiltered ? LIST_QUERIES : 0) | (this.isSorted ? LIST_UNSORTED : 0);
  }

  /** Whether they say which parameters count, or in which order. */
  get asksForParameters(): bool {
    return this.drop.length > 0 || this.keep.length > 0 || this.isSorted || (this.folds & PARAMETER_FOLDS) !== 0;
  }
}

/** Returns the names of folds. */
export function foldsOf(bits: i32): string[] {
  const folds: string[] = [];
  for (let at = 0; at < FOLD_NAMES.length; at++) if ((bits & (1 << at)) !== 0) folds.push(FOLD_NAMES[at]!);
  return folds;
}

/** Settings in force for a page: those of the run and of a line, every fold, every filter, and sorted if one says so. */
export class InForce {
  /** The bits of the folds. */
  readonly folds: i32;
  readonly parameters: ParameterRules;
  /** A folded path does not become shorter. */
  readonly pathLength: i32;
  readonly keepsFragment: bool;

  constructor(run: PageSettings, line: PageSettings, folds: i32) {
    const filters: ParameterFilter[] = [];
    if (run.keep.length > 0) filters.push(new ParameterFilter(false, run.keep, 0));
    if (line.keep.length > 0) filters.push(new ParameterFilter(false, line.keep, 0));
    const drop = run.drop.concat(line.drop);
    if (drop.length > 0) filters.push(new ParameterFilter(true, drop, 0));
    if ((folds & FOLD_SESSION) !== 0) filters.push(new ParameterFilter(true, SESSION_NAMES, 0x20));
    this.folds = folds;
    this.parameters = new ParameterRules(filters, run.isSorted || line.isSorted, (folds & FOLD_EMPTY_QUERY) !== 0);
    this.pathLength = line.pathLength;
    this.keepsFragment = line.keepsFragment;
  }
}
