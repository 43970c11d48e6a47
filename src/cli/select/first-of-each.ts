import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { HashSet } from './hash-set.ts';
import type { Selection } from './selection.ts';

/** The first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
export class FirstOfEach implements Selection<HashedRows> {
  readonly #seen: HashSet;

  constructor(width: Width) {
    this.#seen = new HashSet(width);
  }

  isWanted({ column }: HashedRows, row: number, hasResult: boolean): boolean {
    if (!hasResult) return true;
    try {
      return this.#seen.add(column, row);
    } catch (error) {
      throw new RangeError(`--dedup: no memory for more than the ${this.#seen.length} different hashes so far`, {
        cause: error,
      });
    }
  }
}
