import type { Width } from '../../core/kernel/kernel.ts';
import { HashTable } from '../../store/hash-index/hash-table.ts';
import { Membership, openKnownHashes } from './against.ts';
import { EMPTY, type KeptRows, keepOnly, type Results, type Selection, unitsOf } from './results.ts';
import { Unseen, type UnseenOptions } from './unseen.ts';

export interface SelectionOptions extends UnseenOptions {
  readonly dedup: boolean;
  /** Indexes, or files of sorted words. */
  readonly against: readonly string[];
  readonly not: boolean;
  /** An index that gains the hashes of this run. */
  readonly unseen: string | undefined;
}

/**
 * Selects the members, of these the unseen rows, and of these the first of each hash: each selection sees only the rows
 * that those before it have kept.
 *
 * @throws as the files it opens
 */
export function openSelections(options: SelectionOptions): Selection[] {
  const { dedup, against, not, unseen, width } = options;
  const selections: Selection[] = [];
  if (against.length > 0) selections.push(new Membership(openKnownHashes(against, options), !not));
  if (unseen !== undefined) selections.push(new Unseen(unseen, options));
  else if (dedup) selections.push(new FirstOfEach(width));
  return selections;
}

/** Selects the first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
class FirstOfEach implements Selection {
  readonly #seen: HashTable;

  constructor(width: Width) {
    this.#seen = new HashTable(width);
  }

  keep(results: Results, kept: KeptRows): void {
    const units = unitsOf(results);
    keepOnly(kept, (row) => kept.fields[row] === EMPTY || this.#add(units, (row * results.width) / 4));
  }

  #add(units: Uint32Array, at: number): boolean {
    try {
      return this.#seen.add(units, at);
    } catch (error) {
      throw new RangeError(`--dedup: no memory for more than the ${this.#seen.size} different hashes so far`, {
        cause: error,
      });
    }
  }
}
