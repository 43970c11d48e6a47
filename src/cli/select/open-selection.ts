import { HashTable } from '../../hash-index/hash-table.ts';
import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { expectedFalseMatches } from './collisions.ts';
import { type KnownHashes, openKnownHashes } from './known-hashes.ts';
import { allOf, ColumnUnits, type Selection } from './selection.ts';
import { Unseen, type UnseenOptions } from './unseen.ts';

export interface SelectionOptions extends UnseenOptions {
  readonly dedup: boolean;
  /** Indexes, or files of sorted words. */
  readonly against: readonly string[];
  readonly not: boolean;
  /** An index that gains the hashes of this run. */
  readonly unseen: string | undefined;
}

/** The first row of each hash among the members; none of them seen. @throws as what it opens */
export function openSelection(options: SelectionOptions): Selection<HashedRows> | undefined {
  const { dedup, against, not, unseen, width } = options;
  const selections: Selection<HashedRows>[] = [];
  if (against.length > 0) selections.push(new Membership(openKnownHashes(against, options), !not));
  if (unseen !== undefined) selections.push(new Unseen(unseen, options));
  else if (dedup) selections.push(new FirstOfEach(width));
  return allOf(selections);
}

/** The rows whose hash any of the files has, or with `--not` the others; a row without a hash is in none. */
class Membership implements Selection<HashedRows> {
  readonly #known: readonly KnownHashes[];
  readonly #isWanted: boolean;
  readonly #units = new ColumnUnits();

  constructor(known: readonly KnownHashes[], isWanted: boolean) {
    this.#known = known;
    this.#isWanted = isWanted;
  }

  isWanted({ column }: HashedRows, row: number, hasResult: boolean): boolean {
    if (!hasResult) return !this.#isWanted;
    const units = this.#units.of(column);
    const at = (row * column.width) / 4;
    return this.#known.some((each) => each.hasAt(units, at)) === this.#isWanted;
  }

  expectedFalseMatches(validCount: number): number {
    return this.#known.reduce((sum, each) => sum + expectedFalseMatches(each, validCount), 0);
  }
}

/** The first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
class FirstOfEach implements Selection<HashedRows> {
  readonly #seen: HashTable;
  readonly #units = new ColumnUnits();

  constructor(width: Width) {
    this.#seen = new HashTable(width);
  }

  isWanted({ column }: HashedRows, row: number, hasResult: boolean): boolean {
    if (!hasResult) return true;
    try {
      return this.#seen.add(this.#units.of(column), (row * column.width) / 4);
    } catch (error) {
      throw new RangeError(`--dedup: no memory for more than the ${this.#seen.size} different hashes so far`, {
        cause: error,
      });
    }
  }
}
