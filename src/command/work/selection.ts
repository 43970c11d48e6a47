import type { Width } from '../../core/kernel/kernel.ts';
import type { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashTable } from '../../store/hash-index/hash-table.ts';
import { HEADING } from '../read/batch.ts';
import { expectedFalseMatches } from './chances.ts';
import { openIndexes } from './indexes.ts';
import { EMPTY, keepNew, keepOnly, type Selection, unitsOf } from './results.ts';
import { type UnseenOptions, unseenIn } from './unseen.ts';

interface SelectionOptions extends UnseenOptions {
  readonly dedup: boolean;
  /** Paths of indexes. */
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
  if (against.length > 0) selections.push(membersOf(openIndexes(against, options), !not));
  if (unseen !== undefined) selections.push(unseenIn(unseen, options));
  else if (dedup) selections.push(firstOfEach(width));
  return selections;
}

/** Selects the rows whose hash is in one of the indexes, or with `--not` in none. A row without a hash is in none. */
function membersOf(known: readonly HashIndex[], isWanted: boolean): Selection {
  return {
    keep(results, kept) {
      const { kinds } = results.batch;
      const units = unitsOf(results);
      keepOnly(kept, (row) => {
        const at = (row * results.width) / 4;
        const isKnown = kept.fields[row] !== EMPTY && known.some((each) => each.hasAt(units, at));
        return isKnown === isWanted || kinds[row]! === HEADING;
      });
    },
    expectedFalseMatches: (count) => known.reduce((sum, each) => sum + expectedFalseMatches(each, count), 0),
  };
}

/** Selects the first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
function firstOfEach(width: Width): Selection {
  const seen = new HashTable(width);
  return {
    keep(results, kept) {
      try {
        keepNew(results, kept, seen);
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        throw new RangeError(`--dedup: no memory for more than the ${seen.size} different hashes so far`, { cause });
      }
    },
  };
}
