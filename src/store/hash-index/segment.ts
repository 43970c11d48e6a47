import type { Width } from '../../core/kernel/kernel.ts';
import type { KeyOrigin } from '../../core/url/compatible.ts';
import { HashIndexError } from './error.ts';
import {
  decodeFooter,
  decodeHeader,
  FENCES_PER_PAGE,
  type HashIndexFooter,
  type HashIndexHeader,
  hashesPerPage,
  PAGE_BYTES,
} from './layout.ts';
import { openReader, type Pages, readPage } from './pages.ts';
import { SortedPages } from './sorted-pages.ts';
import { compareHashes, type HashAt } from './word-order.ts';

/** Sorted hashes in one file, as layout.ts draws it: an index, or a part of one. */
export class Segment implements KeyOrigin {
  readonly width: Width;
  /** Hashes in it. */
  readonly size: number;
  readonly profile: string;
  readonly hasUnicodeHosts: boolean;
  /** The index that it belongs to, if it says so. */
  readonly indexId: string | undefined;
  readonly #pages: Pages;
  readonly #hashes: SortedPages;

  /**
   * Its size, header and fences are checked now, each other page when it is read. Closes the pages where it throws.
   *
   * @param memoryBytes up to which size all of it is read into memory
   * @throws {HashIndexError} where it is cut, damaged or not an index
   */
  constructor(pages: Pages, memoryBytes: number) {
    try {
      const { width, hashCount, dataPageCount, profile, hasUnicodeHosts, indexId } = headerAndFooterOf(pages);
      this.width = width;
      this.size = hashCount;
      this.profile = profile;
      this.hasUnicodeHosts = hasUnicodeHosts;
      this.indexId = indexId;
      this.#pages = pages;
      const fences = fencesOf(pages, dataPageCount);
      this.#hashes = new SortedPages(width, hashCount, hashesPerPage(width), fences, openReader(pages, memoryBytes));
    } catch (error) {
      pages.close();
      throw error;
    }
  }

  /** A path, or 'bytes'. */
  get source(): string {
    return this.#pages.source;
  }

  get byteLength(): number {
    return this.#pages.byteLength;
  }

  /** Whether the hash whose 32-bit units begin at `at` is in it. @throws {HashIndexError} where its page is damaged */
  hasAt(units: Uint32Array, at: number): boolean {
    return this.#hashes.hasAt(units, at);
  }

  /** Yields the hashes in ascending order: `units` holds one at `at` until the next is asked for. */
  [Symbol.iterator](): Generator<HashAt> {
    return this.#hashes[Symbol.iterator]();
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
}

/** Returns what the first page says. @throws {HashIndexError} where the file does not begin as an index does */
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
