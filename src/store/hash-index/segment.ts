import type { Width } from '../../core/kernel/kernel.ts';
import type { KeyOrigin } from '../../core/url/key-origin.ts';
import { readWhole } from '../files.ts';
import { nodeModule } from '../node-module.ts';
import {
  compareHashes,
  decodeFooter,
  decodeHeader,
  FENCES_PER_PAGE,
  type HashAt,
  HashIndexError,
  type HashIndexFooter,
  type HashIndexHeader,
  hashesPerPage,
  isSealed,
  PAGE_BYTES,
  type SegmentOwner,
} from './layout.ts';

/** Pages of hashes, ready to be searched. */
interface PageReader {
  /** Memory that holds pages, as 32-bit units. */
  readonly units: Uint32Array;
  /** Returns the unit that a page begins at; it stays there until the next load. @throws {HashIndexError} */
  load(page: number): number;
}

/**
 * Ascending hashes in one file, as layout.ts draws it: an index, or a part of one. Only the first word of each page
 * need be in memory: a look-up reads one page.
 */
export class Segment implements KeyOrigin {
  /** Bytes per hash. */
  readonly width: Width;
  /** The number of hashes. */
  readonly size: number;
  readonly profile: string;
  readonly hasUnicodeHosts: boolean;
  readonly owner: SegmentOwner | undefined;
  readonly #pages: Pages;
  /** Low and high half of each page's first word. */
  readonly #fences: Uint32Array;
  readonly #reader: PageReader;

  /** @param memoryBytes up to which size all of it is read into memory */
  constructor(pages: Pages, header: HashIndexHeader & HashIndexFooter, memoryBytes: number) {
    this.width = header.width;
    this.size = header.hashCount;
    this.profile = header.profile;
    this.hasUnicodeHosts = header.hasUnicodeHosts;
    this.owner = header.owner;
    this.#pages = pages;
    this.#fences = fencesOf(pages, header.dataPageCount);
    this.#reader = pages.byteLength <= memoryBytes ? memoryReader(pages) : singlePageReader(pages);
  }

  /** A path, or 'bytes'. */
  get source(): string {
    return this.#pages.source;
  }

  get byteLength(): number {
    return this.#pages.byteLength;
  }

  /** Whether it has the hash whose 32-bit units begin at `at`. @throws {HashIndexError} where its page is damaged */
  hasAt(units: Uint32Array, at: number): boolean {
    const fences = this.#fences;
    const words = { units: fences, start: 0, stride: 2, count: fences.length / 2 };
    const count = countNotAfter(words, units, at, 2, units[at + 1]! / 2 ** 32);
    // A word that begins a page may also end the page before: hashes of 16 and 32 bytes have more words
    for (let page = count - 1; page >= 0; page--) {
      if (this.#isInPage(page, units, at)) return true;
      if (compareHashes(units, at, fences, 2 * page, 2) !== 0) break;
    }
    return false;
  }

  /** Yields the hashes in ascending order: `units` holds one at `at` until the next is asked for. */
  *[Symbol.iterator](): Generator<HashAt> {
    // one object for all hashes: one for each doubles the time of a merge
    const current = { units: this.#reader.units, at: 0 };
    for (let page = 0; page < this.#fences.length / 2; page++) {
      for (let index = 0, count = this.#countOf(page); index < count; index++) {
        current.at = this.#reader.load(page) + (index * this.width) / 4;
        yield current;
      }
    }
  }

  /** Reads all of it. @throws {HashIndexError} where a page is damaged, or a hash does not come after the one before */
  mustBeIntact(): void {
    const last = new Uint32Array(this.width / 4);
    let count = 0;
    for (const { units, at } of this) {
      if (count > 0 && compareHashes(last, 0, units, at, last.length) >= 0)
        throw new HashIndexError(this.source, 'not-ascending', `hash ${count} does not come after the one before`);
      for (let unit = 0; unit < last.length; unit++) last[unit] = units[at + unit]!;
      count++;
    }
  }

  /** Yields its bytes, up to 1 MiB at a time, in memory that is used again for the next. */
  *bytes(): Generator<Uint8Array> {
    const piece = new Uint8Array(2 ** 20);
    for (let at = 0, length; at < this.byteLength; at += length) {
      length = this.#pages.read(piece.subarray(0, this.byteLength - at), at);
      if (length === 0) throw new HashIndexError(this.source, 'truncated', `it ends at ${at} bytes`);
      yield piece.subarray(0, length);
    }
  }

  close(): void {
    this.#pages.close();
  }

  #isInPage(page: number, units: Uint32Array, at: number): boolean {
    const unitCount = this.width / 4;
    const start = this.#reader.load(page);
    const hashes = { units: this.#reader.units, start, stride: unitCount, count: this.#countOf(page) };
    const first = this.#fences[2 * page + 1]!;
    const span = (this.#fences[2 * page + 3] ?? 2 ** 32) - first || 1;
    const last = countNotAfter(hashes, units, at, unitCount, (units[at + 1]! - first) / span) - 1;
    return last >= 0 && compareHashes(hashes.units, start + last * unitCount, units, at, unitCount) === 0;
  }

  #countOf(page: number): number {
    const perPage = hashesPerPage(this.width);
    return Math.min(perPage, this.size - page * perPage);
  }
}

/** Ascending hashes, or their first words: hash n begins at unit `start + n * stride`. */
interface AscendingHashes {
  readonly units: Uint32Array;
  readonly start: number;
  readonly stride: number;
  readonly count: number;
}

/**
 * Returns how many of `hashes` do not come after the hash at `at` of `key`, by the first `unitCount` units of both.
 *
 * Begins at the position that `share` estimates, and goes outward from there in steps that double: hashes are spread
 * evenly, so it ends within few steps, close together in memory.
 */
function countNotAfter(
  { units, start, stride, count }: AscendingHashes,
  key: Uint32Array,
  at: number,
  unitCount: number,
  share: number,
): number {
  // declared here so that it is inlined: one passed by the callers would be called
  const isAfter = (index: number) => compareHashes(units, start + index * stride, key, at, unitCount) > 0;
  const guess = Math.min(count, Math.max(0, Math.floor(share * count)));
  let [low, high] = [0, count];
  let step = 1;
  if (guess < count && !isAfter(guess)) {
    for (low = guess + 1; low + step < count && !isAfter(low + step); step *= 2) low += step;
    high = Math.min(count, low + step);
  } else {
    for (high = guess; high >= step && isAfter(high - step); step *= 2) high -= step;
    low = Math.max(0, high - step + 1);
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Checks size, header and fences now, each other page when it is read. Closes the pages where it throws.
 *
 * @throws {HashIndexError} where the file is cut, damaged or not an index
 */
export function openSegment(pages: Pages, memoryBytes: number): Segment {
  try {
    return new Segment(pages, headerAndFooterOf(pages), memoryBytes);
  } catch (error) {
    pages.close();
    throw error;
  }
}

/** Returns the header, the first page. @throws {HashIndexError} where the file does not begin as an index does */
export function headerOf(pages: Pages): HashIndexHeader {
  const page = new Uint8Array(PAGE_BYTES);
  return decodeHeader(page.subarray(0, pages.read(page, 0)), pages.source);
}

function headerAndFooterOf(pages: Pages): HashIndexHeader & HashIndexFooter {
  const header = headerOf(pages);
  const page = new Uint8Array(PAGE_BYTES);
  const last = Math.floor(pages.byteLength / PAGE_BYTES) - 1;
  pages.read(page, last * PAGE_BYTES);
  const footer = decodeFooter(page, last, pages.source, header.width);
  const expected = PAGE_BYTES * (2 + footer.dataPageCount + Math.ceil(footer.dataPageCount / FENCES_PER_PAGE));
  if (pages.byteLength === expected) return { ...header, ...footer };
  throw new HashIndexError(pages.source, 'truncated', `it has ${pages.byteLength} bytes, not ${expected}`);
}

function fencesOf(pages: Pages, dataPageCount: number): Uint32Array {
  const fences = new Uint32Array(2 * dataPageCount);
  const page = new Uint8Array(PAGE_BYTES);
  const units = new Uint32Array(page.buffer);
  for (let fence = 0, number = dataPageCount + 1; fence < dataPageCount; fence += FENCES_PER_PAGE, number++) {
    readPage(pages, number, page);
    const count = Math.min(FENCES_PER_PAGE, dataPageCount - fence);
    fences.set(units.subarray(0, 2 * count), 2 * fence);
  }
  return fences;
}

/** A source of an index's pages. */
export interface Pages {
  /** A path, or 'bytes', for messages. */
  readonly source: string;
  readonly byteLength: number;
  /** Copies bytes from `position` on to `into`, and returns how many there were. */
  read(into: Uint8Array, position: number): number;
  close(): void;
}

export function pagesOfBytes(bytes: Uint8Array): Pages {
  return {
    source: 'bytes',
    byteLength: bytes.length,
    read(page, position) {
      const part = bytes.subarray(position, position + page.length);
      page.set(part);
      return part.length;
    },
    close() {},
  };
}

/** @throws {HashIndexError} where the file cannot be opened */
export function pagesOfFile(path: string): Pages {
  return pagesOfDescriptor(
    path,
    wrapErrors(path, () => nodeModule('node:fs', ': give bytes').openSync(path, 'r')),
  );
}

/** @param file a descriptor, which `close` closes */
export function pagesOfDescriptor(
  path: string,
  file: number,
  close = (): void => nodeModule('node:fs').closeSync(file),
): Pages {
  let isOpen = true;
  return {
    source: path,
    byteLength: wrapErrors(path, () => nodeModule('node:fs').fstatSync(file).size),
    read(page, position) {
      if (!isOpen) throw closed(path); // the number may be another file's now
      return wrapErrors(path, () => readWhole(file, page, position));
    },
    close() {
      if (isOpen) close();
      isOpen = false;
    },
  };
}

export function closed(source: string): HashIndexError {
  return new HashIndexError(source, 'unreadable', 'it is closed');
}

function wrapErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new HashIndexError(path, 'unreadable', (error as Error).message, error);
  }
}

/** Reads a page by its number. @throws {HashIndexError} where it is not whole or was changed */
export function readPage(pages: Pages, number: number, page: Uint8Array): void {
  const length = pages.read(page, number * PAGE_BYTES);
  if (length < PAGE_BYTES) throw new HashIndexError(pages.source, 'truncated', `it ends in page ${number}`);
  mustBeSealed(pages, number, page);
}

function mustBeSealed({ source }: Pages, number: number, page: Uint8Array): void {
  if (isSealed(page, number)) return;
  throw new HashIndexError(source, 'wrong-checksum', `page ${number} is damaged: its checksum differs`);
}

/** Keeps all pages in memory, each checked when it is first loaded: bytes in our own memory do not change. */
function memoryReader(pages: Pages): PageReader {
  const units = new Uint32Array(pages.byteLength / 4);
  const isChecked = new Uint8Array(pages.byteLength / PAGE_BYTES);
  pages.read(new Uint8Array(units.buffer), 0);
  return {
    units,
    load(page) {
      const at = (page + 1) * PAGE_BYTES;
      if (isChecked[page] === 0) mustBeSealed(pages, page + 1, new Uint8Array(units.buffer, at, PAGE_BYTES));
      isChecked[page] = 1;
      return at / 4;
    },
  };
}

/** Reads one page at a time. The system caches the file; a page is checked each time it is read. */
function singlePageReader(pages: Pages): PageReader {
  const units = new Uint32Array(PAGE_BYTES / 4);
  let loaded = -1;
  return {
    units,
    load(page) {
      if (page === loaded) return 0;
      loaded = -1;
      readPage(pages, page + 1, new Uint8Array(units.buffer));
      loaded = page;
      return 0;
    },
  };
}
