import { fstatSync, openSync } from 'node:fs';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, mayMeet } from '../../core/url/compatible.ts';
import { HashIndexError } from '../../store/hash-index/error.ts';
import { HashIndex } from '../../store/hash-index/hash-index.ts';
import { MANIFEST_MAGIC } from '../../store/hash-index/manifest.ts';
import { pagesOfDescriptor } from '../../store/hash-index/pages.ts';
import type { SortedPages } from '../../store/hash-index/sorted-pages.ts';
import { readWhole } from '../../store/whole.ts';
import { formAdvice } from '../arguments/form-advice.ts';
import { wholeInput } from '../read/open-file.ts';
import { sentenceOf, tried } from '../read/system-error.ts';
import { isMagic, openWordFile, wordsOf } from './word-file.ts';

/** Bytes of all files together that stay in memory. */
const MEMORY_BYTES = 2 ** 30;

/** Hashes in which others are looked up: an index, or a file of sorted words. */
export type KnownHashes = Pick<SortedPages, 'size' | 'width' | 'hasAt'>;

/** The hashes that are looked up. */
export interface Lookup {
  readonly width: Width;
  readonly profile: string;
  /** Says that an index has hashes of another version of Unicode. */
  readonly tell?: ((message: string) => void) | undefined;
}

/**
 * Opens files of hashes. An index is told from words by its first bytes.
 *
 * @throws {HashIndexError} where an index is damaged, of wider hashes or of another canonical form
 * @throws {FileError} where a file of words cannot be read, or does not ascend
 */
export function openKnownHashes(paths: readonly string[], lookup: Lookup): KnownHashes[] {
  const memoryBytes = MEMORY_BYTES / paths.length;
  return paths.map((path) => (path === '-' ? openStandardInput : openFile)(path, lookup, memoryBytes));
}

function openFile(path: string, lookup: Lookup, memoryBytes: number): KnownHashes {
  const file = tried(path, () => openSync(path, 'r'));
  const start = new Uint8Array(MANIFEST_MAGIC.length);
  // what is not a plain file cannot be read twice
  if (fstatSync(file).isFile()) tried(path, () => readWhole(file, start, 0));
  if (!isMagic(start)) return openWordFile(path, memoryBytes, file);
  const pages = pagesOfDescriptor(path, file);
  return fitting(
    clearly(path, () => HashIndex.ofFile(path, memoryBytes, pages)),
    path,
    lookup,
  );
}

function openStandardInput(path: string, lookup: Lookup, memoryBytes: number): KnownHashes {
  const bytes = wholeInput(path);
  if (!isMagic(bytes)) return wordsOf(path, memoryBytes, bytes);
  return fitting(HashIndex.open(bytes, { memoryBytes }), path, lookup);
}

/** @throws {HashIndexError} where the index does not fit the hashes that are looked up */
export function openIndex(path: string, lookup: Lookup, memoryBytes = MEMORY_BYTES): HashIndex {
  return fitting(openIndexFile(path, memoryBytes), path, lookup);
}

/** Opens the index in a file, or in standard input under the name '-'. @throws {HashIndexError} */
export function openIndexFile(path: string, memoryBytes: number): HashIndex {
  return clearly(path, () => HashIndex.open(path === '-' ? wholeInput(path) : path, { memoryBytes }));
}

/** Says what a user can do about an index that does not open. */
function clearly(path: string, open: () => HashIndex): HashIndex {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof HashIndexError)) throw error;
    const { reason, cause } = error;
    if (reason === 'unreadable') throw new HashIndexError(path, reason, sentenceOf(cause), cause);
    if (reason === 'not-an-index') throw new HashIndexError(path, reason, 'it is not an index; urlsum index makes one');
    throw error;
  }
}

function fitting(index: HashIndex, path: string, { width, profile, tell }: Lookup): HashIndex {
  if (index.width > width)
    throw new HashIndexError(path, 'other-width', `its hashes have ${index.width} bytes, but --width is ${width}`);
  const run = { profile, hasUnicodeHosts: true };
  if (!mayMeet(index, run))
    throw new HashIndexError(
      path,
      'other-profile',
      `its profile is ${index.profile}, but this run uses ${profile}${formAdvice(index.profile, profile)}`,
    );
  const isOther = index.hasUnicodeHosts && jointOrigin([index, run]).profile !== index.profile;
  if (isOther) tell?.(`${path}: made with ${index.profile}; a URL that is valid there and here has one hash`);
  return index;
}
