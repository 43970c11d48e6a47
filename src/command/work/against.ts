import { statSync } from 'node:fs';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, mayMeet, shownProfile } from '../../core/url/profile.ts';
import { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashIndexError } from '../../store/hash-index/layout.ts';
import { reasonOf } from '../fault.ts';
import { HEADING } from '../read/batch.ts';
import { wholeInput } from '../read/inputs.ts';
import { EMPTY, keepOnly, type Selection, unitsOf } from './results.ts';

/** Bytes of all indexes together that stay in memory. */
const MEMORY_BYTES = 2 ** 30;

/** The width and the profile that an index must fit. */
export interface Lookup {
  readonly width: Width;
  readonly profile: string;
  /** Says that an index has hashes of another version of Unicode. */
  readonly tell?: ((message: string) => void) | undefined;
}

/** Opens indexes that are searched together. @throws {HashIndexError} */
export function openIndexes(paths: readonly string[], lookup: Lookup): HashIndex[] {
  return paths.map((path) => openIndex(path, lookup, MEMORY_BYTES / paths.length));
}

/** @throws {HashIndexError} where the index does not fit the hashes that are looked up */
export function openIndex(path: string, { width, profile, tell }: Lookup, memoryBytes = MEMORY_BYTES): HashIndex {
  const index = openIndexFile(path, memoryBytes);
  if (index.width > width)
    throw new HashIndexError(path, 'other-width', `its hashes have ${index.width} bytes, but --width is ${width}`);
  const run = { profile, hasUnicodeHosts: true };
  if (!mayMeet(index, run))
    throw new HashIndexError(
      path,
      'other-profile',
      `its profile is ${shownProfile(index.profile)}, but this run uses ${profile}`,
    );
  const isOther = index.hasUnicodeHosts && jointOrigin([index, run]).profile !== index.profile;
  if (isOther) tell?.(`${path}: made with ${index.profile}; a URL that is valid there and here has one hash`);
  return index;
}

/** Opens the index in a file, or in standard input under the name '-'. @throws {HashIndexError} */
export function openIndexFile(path: string, memoryBytes: number): HashIndex {
  try {
    if (path === '-') return HashIndex.open(wholeInput(path), { memoryBytes });
    if (isPipe(path)) throw new HashIndexError(path, 'unreadable', 'an index must be a plain file');
    return HashIndex.open(path, { memoryBytes });
  } catch (error) {
    throw error instanceof HashIndexError ? withRemedy(error, path) : error;
  }
}

/** Whether a file cannot be read at a position: opening what does not exist gives the reason. */
function isPipe(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** Names the path in place of 'bytes', and says what a user can do. */
function withRemedy(error: HashIndexError, path: string): HashIndexError {
  const { source, reason, cause, message } = error;
  if (reason === 'unreadable' && cause !== undefined) return new HashIndexError(path, reason, reasonOf(cause), cause);
  if (reason === 'not-an-index') return new HashIndexError(path, reason, 'it is not an index; urlsum index makes one');
  return source === path ? error : new HashIndexError(path, reason, message.slice(`${source}: `.length));
}

/**
 * Returns the expected number of pairs that share a hash by chance among `count` different URLs: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}

/** A set of `size` different hashes, which are compared by `width` bytes. */
interface HashSet {
  readonly size: number;
  readonly width: number;
}

/**
 * Returns the expected number of hashes that are found although their URLs were not seen, when `count` of them are
 * looked up among `size` others by `width` bytes: n·m / 2^(8 * width).
 */
export function expectedFalseMatches({ size, width }: HashSet, count: number): number {
  return (size * count) / 2 ** (8 * width);
}

/** Returns `5.81e-2 expected in 10^9 look-ups` of hashes that are in none of the sets. */
export function falseMatchesText(sets: readonly HashSet[]): string {
  const expected = sets.reduce((sum, set) => sum + expectedFalseMatches(set, 1e9), 0);
  return `${expected.toPrecision(3)} expected in 10^9 look-ups`;
}

/** Selects the rows whose hash is in one of the indexes, or with `--not` in none. A row without a hash is in none. */
export function membersOf(known: readonly HashIndex[], isWanted: boolean): Selection {
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
