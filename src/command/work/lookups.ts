import type { Kernel } from '../../core/kernel/kernel.ts';
import { type Listing, ListSearch, type NamedList } from '../../service/lists/list-search.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { RowProblem } from '../read/row-batch.ts';
import { logLinesIn, type ValueKind } from './log-lines.ts';
import { safeBrowsingProblem } from './safe-browsing.ts';
import { allProblems, NO_DIGESTS, type ResultBatch, type Stage } from './stage.ts';

export interface LookedUp extends ResultBatch {
  /** By listed row, ascending: each list that has it, in the order given. */
  readonly listings: ReadonlyMap<number, readonly Listing[]>;
}

export interface LookupOptions {
  readonly settings: Settings;
  readonly valueKind: ValueKind;
  /** Whether lines of logs are looked up as they are. */
  readonly allowsLogLines: boolean;
}

/** Looks each URL up in lists of one profile. */
export class LookupStage {
  readonly #search: ListSearch;
  readonly #options: LookupOptions;

  constructor(kernel: Kernel, lists: readonly NamedList[], options: LookupOptions) {
    this.#search = new ListSearch(kernel, lists, options.settings);
    this.#options = options;
  }

  readonly run: Stage<LookedUp> = (rows) => {
    const listings = new Map<number, readonly Listing[]>();
    const { allowsLogLines, valueKind } = this.#options;
    const logLines = allowsLogLines ? undefined : logLinesIn(rows, valueKind);
    const found: RowProblem[] = [];
    for (const batch of this.#search.reader.rows(rows.values, rows.length, logLines?.kinds ?? rows.kinds)) {
      this.#search.lookUp(batch, listings);
      for (const { row, input, failure } of batch.rejected) found.push(safeBrowsingProblem(row, input, failure));
    }
    const { problems, separatorCount = 0 } = logLines ?? { problems: [] };
    return {
      rows,
      problems: allProblems(rows, problems, found),
      digests: NO_DIGESTS,
      width: 0,
      counts: { matched: listings.size, ...(separatorCount > 0 && { fieldsBeforeScheme: separatorCount }) },
      listings,
    };
  };
}
