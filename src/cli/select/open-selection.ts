import { HashTable } from '../../hash-index/index.ts';
import type { Width } from '../../kernel/index.ts';
import { expectedFalseMatches } from './collisions.ts';
import { type KnownHashes, openKnownHashes } from './known-hashes.ts';
import type { Selection } from './selection.ts';
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
  if (against.length > 0) selections.push(membership(openKnownHashes(against, options), not));
  if (unseen !== undefined) selections.push(new Unseen(unseen, options));
  else if (dedup) selections.push(firstOfEach(width));
  return selections;
}

/** Selects the rows whose hash is in one of the files, or with `--not` in none. A row without a hash is in none. */
function membership(known: readonly KnownHashes[], not: boolean): Selection {
  return {
    keepsEmpty: not,
    selects: (units, at) => known.some((each) => each.hasAt(units, at)) !== not,
    expectedFalseMatches: (validCount) => known.reduce((sum, each) => sum + expectedFalseMatches(each, validCount), 0),
  };
}

/** Selects the first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
function firstOfEach(width: Width): Selection {
  const seen = new HashTable(width);
  return {
    keepsEmpty: true,
    selects(units, at) {
      try {
        return seen.add(units, at);
      } catch (cause) {
        throw new RangeError(`--dedup: no memory for more than the ${seen.size} different hashes so far`, { cause });
      }
    },
  };
}
