import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HashIndexError } from '../../hash-index/error.ts';
import { HashIndex } from '../../hash-index/hash-index.ts';
import { MAGIC } from '../../hash-index/layout.ts';
import type { Width } from '../../kernel/kernel.ts';
import type { KnownHashes } from './known-hashes.ts';
import { SortedWords } from './sorted-words.ts';
import { tried } from './word-file-error.ts';

/** So many bytes of all files together stay in memory. */
const KEPT_BYTES = 2 ** 30;

/** What is looked up. */
export interface Lookup {
  readonly width: Width;
  readonly profile: string;
}

/**
 * Opens files of hashes: an index is told from words by its first bytes.
 *
 * @throws {HashIndexError} where an index is damaged, of wider hashes or of another canonical form
 * @throws {WordFileError} where a file of words cannot be read, or does not ascend
 */
export function openKnownHashes(paths: readonly string[], lookup: Lookup): KnownHashes[] {
  const keptBytes = KEPT_BYTES / paths.length;
  return paths.map((path) => (isIndex(path) ? openIndex(path, lookup, keptBytes) : new SortedWords(path, keptBytes)));
}

/** @throws {HashIndexError} where it does not fit what is looked up */
export function openIndex(path: string, { width, profile }: Lookup, keptBytes = KEPT_BYTES): HashIndex {
  const index = HashIndex.open(path, { keptBytes });
  if (index.width > width)
    throw new HashIndexError(path, 'other-width', `its hashes have ${index.width} bytes, and --width is ${width}`);
  if (index.profile === profile) return index;
  throw new HashIndexError(path, 'other-profile', `its profile is ${index.profile}, and that of this run ${profile}`);
}

/** What is not a plain file cannot be read twice, so it is left unopened here. @throws {WordFileError} */
function isIndex(path: string): boolean {
  if (!tried(path, () => statSync(path).isFile())) return false;
  const file = tried(path, () => openSync(path, 'r'));
  const start = Buffer.alloc(MAGIC.length);
  tried(path, () => readSync(file, start));
  closeSync(file);
  return start.toString('latin1') === MAGIC;
}
