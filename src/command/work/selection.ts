import { statSync } from 'node:fs';
import type { Width } from '../../core/kernel/kernel.ts';
import { GrowingIndex, GrowingIndexError } from '../../store/hash-index/growing-index.ts';
import type { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashTable } from '../../store/hash-index/hash-table.ts';
import { fileFault, reasonOf, tried } from '../fault.ts';
import { HEADING } from '../read/batch.ts';
import { targetOf, writeWholeFile } from '../write/output.ts';
import { expectedFalseMatches } from './chances.ts';
import { type Lookup, openIndex, openIndexes } from './indexes.ts';
import { EMPTY, keepOnly, type Results, type SelectedRows, type Selection, unitsOf } from './results.ts';

interface SelectionOptions extends Lookup {
  /** Bytes per hash in an index that --unseen creates. */
  readonly newWidth: Width;
  /** Memory for the new hashes of --unseen; those that do not fit are spilled to a file next to the index. */
  readonly memoryBytes: number;
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

/** Keeps the rows whose hash is new to a set, which gains it, and those without a hash. */
function keepNew(results: Results, kept: SelectedRows, set: Pick<HashTable, 'add'>): void {
  const units = unitsOf(results);
  keepOnly(kept, (row) => kept.fields[row] === EMPTY || set.add(units, (row * results.width) / 4));
}

/**
 * Selects the rows whose hash is new to an index, which gains it, and rows without a hash: `--unseen`.
 *
 * @throws {HashIndexError | Fault}, as its `commit` does where the index stays as it was
 */
function unseenIn(path: string, { width, newWidth, profile, memoryBytes, tell }: SelectionOptions): Selection {
  const target = replaceable(path);
  const open = () => openIndex(path, { width, profile, tell });
  let index: GrowingIndex;
  try {
    index = new GrowingIndex(path, target, { width: newWidth, profile, memoryBytes, open, writeFile: writeWholeFile });
  } catch (error) {
    throw explained(error);
  }
  return {
    keep(results, kept) {
      if (results.counts['unicodeHosts'] !== undefined) index.addUnicodeHosts();
      keepNew(results, kept, index);
    },
    expectedFalseMatches: (validCount) => (index.known ? expectedFalseMatches(index.known, validCount) : 0),
    commit: () =>
      index.commit().catch((error) => {
        throw explained(error);
      }),
  };
}

/** Names the file, and says what a user can do about errors of the system. */
function explained(error: unknown): unknown {
  if (!(error instanceof GrowingIndexError)) return error;
  return fileFault(error.path, error.cause === undefined ? error.message : reasonOf(error.cause, true));
}

/** Returns the path that is written to. @throws {Fault} where there is something else than a plain file */
function replaceable(path: string): string {
  const target = tried(path, () => targetOf(path), true);
  const isPlain = 'path' in target && statSync(target.path, { throwIfNoEntry: false })?.isFile() !== false;
  if (isPlain && !path.endsWith('/')) return target.path;
  throw fileFault(path, 'it is not a plain file, so it cannot be replaced');
}
