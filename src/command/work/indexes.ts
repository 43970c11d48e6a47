import { statSync } from 'node:fs';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, mayMeet } from '../../core/url/key-origin.ts';
import { shownProfile } from '../../core/url/profile.ts';
import { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashIndexError } from '../../store/hash-index/layout.ts';
import { reasonOf } from '../fault.ts';
import { wholeInput } from '../read/inputs.ts';

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
