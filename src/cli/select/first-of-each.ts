import type { Width } from '../../kernel/kernel.ts';
import { EMPTY, type KeptRows, type ResultBatch, unitsOf } from '../stage/stage.ts';
import { HashSet } from './hash-set.ts';
import type { Selection } from './selection.ts';

/** The first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
export class FirstOfEach implements Selection {
  readonly #seen: HashSet;

  constructor(width: Width) {
    this.#seen = new HashSet(width);
  }

  keep(results: ResultBatch, kept: KeptRows): void {
    const units = unitsOf(results);
    let count = 0;
    for (let index = 0; index < kept.count; index++) {
      const row = kept.rows[index]!;
      if (kept.fields[row] === EMPTY || this.#add(units, (row * results.width) / 4)) kept.rows[count++] = row;
    }
    kept.count = count;
  }

  #add(units: Uint32Array, at: number): boolean {
    try {
      return this.#seen.add(units, at);
    } catch (error) {
      throw new RangeError(`--dedup: no memory for more than the ${this.#seen.length} different hashes so far`, {
        cause: error,
      });
    }
  }
}
