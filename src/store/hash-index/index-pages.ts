import type { Width } from '../../core/kernel/kernel.ts';
import { type Cursor, Merge } from '../sorted-runs.ts';
import {
  compareHashes,
  encodeFooter,
  encodeHeader,
  FENCES_PER_PAGE,
  type HashAt,
  type HashIndexHeader,
  hashesPerPage,
  PAGE_BYTES,
  seal,
} from './layout.ts';

/** Ascending hashes, one at a time: `units` holds one at `at` until the next is asked for. */
export type SortedHashes = Iterable<HashAt>;

/**
 * Yields the pages of an index of the union of ascending hashes, each once. Takes a page of memory per source, and
 * log2(sources) steps per hash.
 */
export function* mergedIndex(header: HashIndexHeader, sources: readonly SortedHashes[]): Generator<Uint8Array> {
  const writer = new IndexWriter(header);
  for (const union = unionOf(header.width, sources); union.current !== undefined; union.advance()) {
    writer.add(union.current.units, union.current.at);
    if (writer.isFull) yield writer.take();
  }
  yield* writer.end();
}

/** Yields the union of ascending hashes, ascending, each once. */
export function* mergedHashes(width: Width, sources: readonly SortedHashes[]): Generator<HashAt> {
  for (const union = unionOf(width, sources); union.current !== undefined; union.advance()) yield union.current;
}

function unionOf(width: Width, sources: readonly SortedHashes[]): Merge<HashCursor> {
  const unitCount = width / 4;
  return new Merge(
    sources.map((source) => new HashCursor(source)),
    (one, other) => compareHashes(one.units, one.at, other.units, other.at, unitCount),
  );
}

class HashCursor implements Cursor, HashAt {
  units = new Uint32Array(0);
  at = 0;
  readonly #rest: Iterator<HashAt>;

  constructor(source: SortedHashes) {
    this.#rest = source[Symbol.iterator]();
  }

  next(): boolean {
    const { done, value } = this.#rest.next();
    if (done === true) return false;
    this.units = value.units as Uint32Array<ArrayBuffer>;
    this.at = value.at;
    return true;
  }
}

/** Pages handed over at once: 256 KiB. */
const BUFFERED_PAGES = 64;

/** Writes an index from ascending hashes, page by page. */
class IndexWriter {
  readonly #width: Width;
  readonly #pages = new Uint8Array(BUFFERED_PAGES * PAGE_BYTES);
  readonly #units = new Uint32Array(this.#pages.buffer);
  readonly #unitsPerPage: number;
  #bufferedPages = 0;
  /** Units in the page being filled. */
  #filled = 0;
  #takenPages = 0;
  #dataPageCount = 0;
  #hashCount = 0;
  /** Pages of fences: low and high half of each data page's first word. */
  readonly #fencePages: Uint32Array[] = [];

  constructor(header: HashIndexHeader) {
    this.#width = header.width;
    this.#unitsPerPage = (hashesPerPage(header.width) * header.width) / 4;
    this.#pages.set(encodeHeader(header));
    this.#bufferedPages = 1;
  }

  /** Whether `take` must be called before more is added. */
  get isFull(): boolean {
    return this.#bufferedPages === BUFFERED_PAGES;
  }

  /** Adds the hash whose 32-bit units begin at `at`; it must be greater than the one before. */
  add(units: Uint32Array, at: number): void {
    if (this.#filled === 0) this.#addFence(units[at]!, units[at + 1]!);
    const start = (this.#bufferedPages * PAGE_BYTES) / 4 + this.#filled;
    const unitCount = this.#width / 4;
    for (let unit = 0; unit < unitCount; unit++) this.#units[start + unit] = units[at + unit]!;
    this.#filled += unitCount;
    this.#hashCount++;
    if (this.#filled === this.#unitsPerPage) this.#endPage();
  }

  /** Returns the whole pages so far, in their own memory. */
  take(): Uint8Array {
    const pages = this.#pages.slice(0, this.#bufferedPages * PAGE_BYTES);
    this.#takenPages += this.#bufferedPages;
    this.#bufferedPages = 0;
    this.#pages.fill(0);
    return pages;
  }

  /** Yields the rest: the last hashes, the fences and the footer. */
  *end(): Generator<Uint8Array> {
    if (this.#filled > 0) this.#endPage();
    if (this.isFull) yield this.take();
    for (const page of this.#fencePages) {
      this.#units.set(page, (this.#bufferedPages * PAGE_BYTES) / 4);
      this.#endPage();
      if (this.isFull) yield this.take();
    }
    if (this.#bufferedPages > 0) yield this.take();
    yield encodeFooter({ hashCount: this.#hashCount, dataPageCount: this.#dataPageCount }, this.#takenPages);
  }

  #addFence(low: number, high: number): void {
    const at = 2 * (this.#dataPageCount++ % FENCES_PER_PAGE);
    if (at === 0) this.#fencePages.push(new Uint32Array(2 * FENCES_PER_PAGE));
    this.#fencePages.at(-1)!.set([low, high], at);
  }

  #endPage(): void {
    const start = this.#bufferedPages * PAGE_BYTES;
    seal(this.#pages.subarray(start, start + PAGE_BYTES), this.#takenPages + this.#bufferedPages);
    this.#filled = 0;
    this.#bufferedPages++;
  }
}
