import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HashIndexError } from '../../hash-index/error.ts';
import { HashIndex } from '../../hash-index/hash-index.ts';
import { MAGIC } from '../../hash-index/layout.ts';
import type { Width } from '../../kernel/kernel.ts';
import { wholeInput } from '../input/inputs.ts';
import type { KnownHashes } from './known-hashes.ts';
import { openIndexFile } from './open-index-file.ts';
import { SortedWords } from './sorted-words.ts';
import { tried } from './word-file-error.ts';

/** So many bytes of all files together stay in memory. */
const MEMORY_BYTES = 2 ** 30;

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
  const memoryBytes = MEMORY_BYTES / paths.length;
  return paths.map((path) => (path === '-' ? openStandardInput : openFile)(path, lookup, memoryBytes));
}

function openFile(path: string, lookup: Lookup, memoryBytes: number): KnownHashes {
  return isIndex(path) ? openIndex(path, lookup, memoryBytes) : new SortedWords(path, memoryBytes);
}

function openStandardInput(path: string, lookup: Lookup, memoryBytes: number): KnownHashes {
  const bytes = wholeInput(path);
  if (!isMagic(bytes)) return new SortedWords(path, memoryBytes, bytes);
  return fitting(HashIndex.open(bytes, { memoryBytes: memoryBytes }), path, lookup);
}

/** @throws {HashIndexError} where it does not fit what is looked up */
export function openIndex(path: string, lookup: Lookup, memoryBytes = MEMORY_BYTES): HashIndex {
  return fitting(openIndexFile(path, memoryBytes), path, lookup);
}

function fitting(index: HashIndex, path: string, { width, profile }: Lookup): HashIndex {
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
  return isMagic(start);
}

function isMagic(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}
