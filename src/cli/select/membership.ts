import { EMPTY, isHeading, type KeptRows, type ResultBatch, unitsOf } from '../stage/stage.ts';
import { expectedFalseMatches } from './collisions.ts';
import type { KnownHashes } from './known-hashes.ts';
import type { Selection } from './selection.ts';

/** The rows whose hash any of the files has, or with `--not` the others; a row without a hash is in none. */
export class Membership implements Selection {
  readonly #known: readonly KnownHashes[];
  readonly #isWanted: boolean;

  constructor(known: readonly KnownHashes[], isWanted: boolean) {
    this.#known = known;
    this.#isWanted = isWanted;
  }

  keep(results: ResultBatch, kept: KeptRows): void {
    const { kinds } = results.rows;
    const units = unitsOf(results);
    let count = 0;
    for (let index = 0; index < kept.count; index++) {
      const row = kept.rows[index]!;
      const isKnown = kept.fields[row] !== EMPTY && this.#has(units, (row * results.width) / 4);
      if (isKnown === this.#isWanted || isHeading(kinds[row]!)) kept.rows[count++] = row;
    }
    kept.count = count;
  }

  #has(units: Uint32Array, at: number): boolean {
    return this.#known.some((each) => each.hasAt(units, at));
  }

  expectedFalseMatches(validCount: number): number {
    return this.#known.reduce((sum, each) => sum + expectedFalseMatches(each, validCount), 0);
  }
}
