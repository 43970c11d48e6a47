import type { HashedRows } from '../stage/hashes.ts';
import { expectedFalseMatches } from './collisions.ts';
import { ColumnUnits } from './column-units.ts';
import type { KnownHashes } from './known-hashes.ts';
import type { Selection } from './selection.ts';

/** The rows whose hash any of the files has, or with `--not` the others; a row without a hash is in none. */
export class Membership implements Selection<HashedRows> {
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
