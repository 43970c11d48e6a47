import { closeSync, fstatSync, openSync } from 'node:fs';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, mayMeet, shownProfile } from '../../core/url/profile.ts';
import { readToEnd, readWhole } from '../../store/files.ts';
import { isManifest, MANIFEST_MAGIC } from '../../store/hash-index/folder.ts';
import { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashIndexError, MAGIC } from '../../store/hash-index/layout.ts';
import { type PageReader, pagesOfDescriptor, SortedPages } from '../../store/hash-index/segment.ts';
import { fileFault, reasonOf, tried } from '../fault.ts';
import { HEADING } from '../read/batch.ts';
import { wholeInput } from '../read/inputs.ts';
import { EMPTY, keepOnly, type Results, type SelectedRows, type Selection, unitsOf } from './results.ts';

/** Bytes of all files together that stay in memory. */
const MEMORY_BYTES = 2 ** 30;

/** Hashes in which others are looked up: an index, or a file of sorted words. */
export type KnownHashes = Pick<SortedPages, 'size' | 'width' | 'hasAt'>;

/** What the hashes that are looked up have in common. */
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
 * @throws {Fault} where a file of words cannot be read, or does not ascend
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
    if (reason === 'unreadable') throw new HashIndexError(path, reason, reasonOf(cause), cause);
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
      `its profile is ${shownProfile(index.profile)}, but this run uses ${profile}`,
    );
  const isOther = index.hasUnicodeHosts && jointOrigin([index, run]).profile !== index.profile;
  if (isOther) tell?.(`${path}: made with ${index.profile}; a URL that is valid there and here has one hash`);
  return index;
}

// A bare file of ascending little-endian unsigned 64-bit words, each the first of a hash: an index without its header,
// checksums and fences. The fences are found when it is opened.

const WORD_BYTES = 8;

/** Bytes by which text is told from words. */
const START_BYTES = 64;

/** Bytes read at a time in a search: a page of most disks. */
const PAGE_BYTES = 4096;

/** Bytes of whole pages that are read at a time. */
const CHUNK_BYTES = 1 << 20;

/** Whether these bytes begin an index: one file, or a manifest. */
export function isMagic(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).toString('latin1') === MAGIC || isManifest(start);
}

/**
 * Reads a file once from end to end, to check that it ascends. Up to `memoryBytes` it stays in memory; of a larger file
 * only each page's first word does, a 512th of it. A pipe cannot be read at a position, and files of /proc claim to be
 * empty, so a file that is not plain is read whole.
 *
 * @param file its descriptor
 * @throws {Fault} where the file cannot be read, is too long or does not ascend
 */
export function openWordFile(path: string, memoryBytes: number, file: number): SortedPages {
  return sortedIn(path, wordsIn(path, file, memoryBytes));
}

/** Opens words that have been read. */
export function wordsOf(path: string, memoryBytes: number, bytes: Uint8Array): SortedPages {
  return sortedIn(path, receivedWords(path, memoryBytes, bytes));
}

function sortedIn(path: string, words: Words): SortedPages {
  const size = words.byteLength / WORD_BYTES;
  return new SortedPages(WORD_BYTES, size, PAGE_BYTES / WORD_BYTES, fencesOf(path, words), words);
}

interface Words extends PageReader {
  readonly byteLength: number;
  /** Returns up to CHUNK_BYTES from a position on; valid until the next call. @throws {Fault} */
  chunk(position: number): Uint32Array;
}

function keptWords(units: Uint32Array): Words {
  return {
    units,
    byteLength: units.byteLength,
    chunk: (position) => units.subarray(position / 4, (position + CHUNK_BYTES) / 4),
    load: (page) => (page * PAGE_BYTES) / 4,
  };
}

/** Pages are cached only by the system: a page in its cache takes 2 µs. */
function wordsInFile(path: string, file: number, byteLength: number): Words {
  const units = new Uint32Array(PAGE_BYTES / 4);
  const chunk = new Uint32Array(CHUNK_BYTES / 4);
  const read = (into: Uint32Array, position: number) => {
    const wanted = into.subarray(0, (byteLength - position) / 4);
    readUnits(path, file, wanted, position);
    return wanted;
  };
  return {
    units,
    byteLength,
    chunk: (position) => read(chunk, position),
    load(page) {
      read(units, page * PAGE_BYTES);
      return 0;
    },
  };
}

function wordsIn(path: string, file: number, memoryBytes: number): Words {
  const found = fstatSync(file);
  if (!found.isFile() || found.size === 0) return receivedWords(path, memoryBytes, receive(path, file, memoryBytes));
  const start = new Uint8Array(Math.min(START_BYTES, found.size));
  tried(path, () => readWhole(file, start, 0));
  mustBeWords(path, found.size, start);
  if (found.size > memoryBytes) return wordsInFile(path, file, found.size);
  const units = new Uint32Array(found.size / 4);
  readUnits(path, file, units, 0);
  closeSync(file);
  return keptWords(units);
}

function receivedWords(path: string, limitBytes: number, bytes: Uint8Array): Words {
  mustNotExceed(path, limitBytes, bytes.length);
  if (isMagic(bytes)) throw fileFault(path, 'an index must be a plain file');
  mustBeWords(path, bytes.length, bytes.subarray(0, START_BYTES));
  return keptWords(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
}

/** Reads a file that is not plain to its end. */
function receive(path: string, file: number, limitBytes: number): Uint8Array {
  const bytes = tried(path, () => readToEnd(file, (byteLength) => mustNotExceed(path, limitBytes, byteLength)));
  closeSync(file);
  return bytes;
}

function mustNotExceed(path: string, limitBytes: number, byteLength: number): void {
  if (byteLength <= limitBytes) return;
  throw fileFault(path, `only a plain file may have more than ${limitBytes} bytes`);
}

/** Refuses text, of whatever length. Two words of a hash look like text once in five million files. */
function mustBeWords(path: string, byteLength: number, start: Uint8Array): void {
  const isPrintable = start.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
  if (isPrintable && (byteLength > WORD_BYTES || start.at(-1) === LINE_FEED))
    throw fileFault(path, `it is text; make an index of it: urlsum index --out NEW.idx ${path}`);
  if (byteLength % WORD_BYTES === 0) return;
  throw fileFault(path, `${byteLength} bytes are not a whole number of 8-byte words, and it is not an index`);
}

function readUnits(path: string, file: number, units: Uint32Array, position: number): void {
  const bytes = new Uint8Array(units.buffer, units.byteOffset, units.byteLength);
  if (tried(path, () => readWhole(file, bytes, position)) < bytes.length)
    throw fileFault(path, 'it became shorter while it was read');
}

/** Returns the first word of each page, low half before high half. @throws {Fault} where they do not ascend */
function fencesOf(path: string, words: Words): Uint32Array {
  const fences = new Uint32Array(2 * Math.ceil(words.byteLength / PAGE_BYTES));
  let low = 0;
  let high = 0;
  let fence = 0;
  for (let position = 0; position < words.byteLength; position += CHUNK_BYTES) {
    const chunk = words.chunk(position);
    for (let at = 0; at < chunk.length; at += 2) {
      const [lowBefore, highBefore] = [low, high];
      low = chunk[at]!;
      high = chunk[at + 1]!;
      if (high < highBefore || (high === highBefore && low < lowBefore))
        throw fileFault(
          path,
          `word ${position / WORD_BYTES + at / 2} is less than the one before it: they must ascend as unsigned little-endian words`,
        );
      if (at % (PAGE_BYTES / 4) !== 0) continue;
      fences[fence++] = low;
      fences[fence++] = high;
    }
  }
  return fences;
}

/**
 * Returns the expected number of pairs that share a hash by chance among `count` different URLs: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}

/** Different hashes, and the bytes by which they are compared. */
export interface HashSet {
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

/** Selects the rows whose hash is in one of the files, or with `--not` in none. A row without a hash is in none. */
export class Membership implements Selection {
  readonly #known: readonly KnownHashes[];
  readonly #isWanted: boolean;

  constructor(known: readonly KnownHashes[], isWanted: boolean) {
    this.#known = known;
    this.#isWanted = isWanted;
  }

  keep(results: Results, kept: SelectedRows): void {
    const { kinds } = results.batch;
    const units = unitsOf(results);
    keepOnly(kept, (row) => {
      const at = (row * results.width) / 4;
      const isKnown = kept.fields[row] !== EMPTY && this.#known.some((each) => each.hasAt(units, at));
      return isKnown === this.#isWanted || kinds[row]! === HEADING;
    });
  }

  expectedFalseMatches(validCount: number): number {
    return this.#known.reduce((sum, each) => sum + expectedFalseMatches(each, validCount), 0);
  }
}
