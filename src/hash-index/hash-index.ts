import { isBytes, mustBeBytes, mustBeNumber, mustBeOptions, wrongKind } from '../argument.ts';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Hash } from '../digest/hash.ts';
import { disposeByClosing } from '../dispose.ts';
import type { Width } from '../kernel/kernel.ts';
import { mustBePath } from '../node-module.ts';
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
import { closed, openReader, type Pages, pagesOf, readPage } from './pages.ts';
import { SortedPages } from './sorted-pages.ts';
import { compareHashes, mustBeColumn, mustMeet, unitsOf } from './word-order.ts';

/** An index up to this size is read into memory when it is opened. */
const DEFAULT_MEMORY_BYTES = 2 ** 30;

/**
 * An index of hashes that were seen, as `urlsum index` writes it: sorted, with a checksum per page. Up to
 * 1 GiB is kept in memory; of a larger one the first word of each page (8 bytes for 511, 255 or 127 hashes), and a
 * look-up reads one page.
 *
 * @example
 * const index = HashIndex.open('seen.idx');
 * index.has(UrlHash.of('https://example.com/')); // true where it was seen
 * index.close();
 */
export class HashIndex {
  /** @internal */
  static readonly name = 'HashIndex';
  /** Bytes per hash: 8, 16 or 32. */
  readonly width: Width;
  /** Hashes in the index. */
  readonly size: number;
  /**
   * The canonical form that was hashed, as `profileOf` names it. Where the hashes came from several versions of Unicode,
   * it names each: `url/1+unicode17+unicode18`. `compatible` says which other profiles the index can be used with.
   */
  readonly profile: string;
  /** Whether some hash came from a host beyond ASCII. Without one, all are right under every version of Unicode. */
  readonly hasUnicodeHosts: boolean;
  /** What `close` does: `using` closes the file. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #pages: Pages;
  readonly #hashes: SortedPages;
  #isClosed = false;

  private constructor(
    pages: Pages,
    { width, hashCount, dataPageCount, profile, hasUnicodeHosts }: HashIndexHeader & HashIndexFooter,
    memoryBytes: number,
  ) {
    disposeByClosing(HashIndex.prototype);
    this.width = width;
    this.size = hashCount;
    this.profile = profile;
    this.hasUnicodeHosts = hasUnicodeHosts;
    this.#pages = pages;
    const fences = fencesOf(pages, dataPageCount);
    this.#hashes = new SortedPages(width, hashCount, hashesPerPage(width), fences, openReader(pages, memoryBytes));
  }

  /**
   * Opens an index. Its size, header and fences are checked now, each other page when it is read.
   *
   * @param source a path or a URL of a file (Node, Deno, Bun), or all bytes of the index; neither must change meanwhile
   * @param options `memoryBytes`: up to which size the index is read into memory at once; 1 GiB by default
   * @throws {HashIndexError} where it cannot be read, is cut, damaged or not an index
   * @throws {TypeError} where `source` is none of these, or the runtime opens no files
   * @throws {RangeError} where it is a URL of no file
   */
  static open(
    source: string | URL | Uint8Array,
    options: { readonly memoryBytes?: number | undefined } = {},
  ): HashIndex {
    const { memoryBytes = DEFAULT_MEMORY_BYTES } = mustBeOptions('options', options, ['memoryBytes']);
    mustBeNumber('memoryBytes', memoryBytes);
    const given = isBytes(source)
      ? mustBeBytes('source', source)
      : mustBePath('source', source, 'a path, a file: URL or a Uint8Array');
    return HashIndex.ofPages(pagesOf(given), memoryBytes);
  }

  /** @internal */
  static ofPages(pages: Pages, memoryBytes: number): HashIndex {
    try {
      return new HashIndex(pages, headerAndFooterOf(pages), memoryBytes);
    } catch (error) {
      pages.close();
      throw error;
    }
  }

  /**
   * Is a hash in the index? Of a longer hash its first `width` bytes count. A hash does not say which canonical form it
   * is of: that it was made under the index's `profile` is for the caller to know, where `matches` checks the column's.
   *
   * @param hash a hash value, or its bytes: at least `width` of them
   * @throws {TypeError} where `hash` is neither
   * @throws {RangeError} where the hash is shorter than those of the index
   * @throws {HashIndexError} where the page that would answer is cut or damaged, or the index is closed
   */
  has(hash: Hash | Uint8Array): boolean {
    const bytes = bytesOf(hash);
    this.#mustBeOpen();
    this.#mustBeWide(bytes.length);
    return this.hasAt(new Uint32Array(Uint8Array.from(bytes).buffer, 0, this.width / 4), 0);
  }

  /**
   * The rows of a column whose hashes are in the index. An invalid row is none of them.
   *
   * @param column hashes of the index's width, or longer ones, of which the first `width` bytes count
   * @returns the rows, ascending
   * @throws {TypeError} on anything but a HashColumn
   * @throws {RangeError} where the column's hashes are shorter than those of the index
   * @throws {HashIndexError} 'other-profile' where the column's is not compatible with that of the index; where a page
   *   that would answer is cut or damaged, or the index is closed
   */
  matches(column: HashColumn): Uint32Array<ArrayBuffer> {
    mustBeColumn('column', column);
    this.#mustBeOpen();
    this.#mustBeWide(column.width);
    mustMeet(column, this);
    const rows = new GrowingBytes(1 << 7);
    const units = unitsOf(column);
    let nextInvalid = 0;
    for (let row = 0; row < column.length; row++) {
      if (column.invalid[nextInvalid] === row) nextInvalid++;
      else if (this.hasAt(units, (row * column.width) / 4)) rows.uint32(row);
    }
    return rows.numbers.slice();
  }

  /** @internal The number of pages of 4096 bytes, including those that hold no hashes. */
  get pageCount(): number {
    return this.#pages.byteLength / PAGE_BYTES;
  }

  /**
   * Reads the whole index: a look-up checks no more than the page that it reads.
   *
   * @throws {HashIndexError} where a page is cut or damaged, a hash does not come after the one before, or the index is
   *   closed
   */
  mustBeIntact(): void {
    this.#mustBeOpen();
    const last = new Uint32Array(this.width / 4);
    let count = 0;
    for (const { units, at } of this) {
      if (count > 0 && compareHashes(last, 0, units, at, last.length) >= 0) {
        throw new HashIndexError(
          this.#pages.source,
          'not-ascending',
          `hash ${count} does not come after the one before`,
        );
      }
      for (let unit = 0; unit < last.length; unit++) last[unit] = units[at + unit]!;
      count++;
    }
  }

  /**
   * Yields the hashes in ascending order: `units` holds one at `at` until the next is asked for.
   *
   * @throws {HashIndexError} where a page is cut or damaged, or the index is closed
   * @internal
   */
  [Symbol.iterator](): ReturnType<SortedPages[typeof Symbol.iterator]> {
    this.#mustBeOpen();
    return this.#hashes[Symbol.iterator]();
  }

  /** Closes the file: the index answers nothing more. It may be called more than once. */
  close(): void {
    this.#isClosed = true;
    this.#pages.close();
  }

  /**
   * Whether the hash whose 32-bit units begin at `at` is in the index.
   *
   * @internal
   */
  hasAt(units: Uint32Array, at: number): boolean {
    return this.#hashes.hasAt(units, at);
  }

  /** What is in memory is as closed as a file. */
  #mustBeOpen(): void {
    if (this.#isClosed) throw closed(this.#pages.source);
  }

  #mustBeWide(byteLength: number): void {
    if (byteLength >= this.width) return;
    throw new RangeError(
      `the index has hashes of ${this.width} bytes, which ${byteLength} bytes cannot be looked up in`,
    );
  }
}

function bytesOf(hash: Hash | Uint8Array): Uint8Array {
  const bytes = (hash as Partial<Hash> | undefined)?.bytes ?? hash;
  if (isBytes(bytes)) return bytes;
  throw wrongKind('hash', 'a hash or a Uint8Array', hash);
}

function headerAndFooterOf(pages: Pages): HashIndexHeader & HashIndexFooter {
  const page = new Uint8Array(PAGE_BYTES);
  const header = decodeHeader(page.subarray(0, pages.read(page, 0)), pages.source);
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
