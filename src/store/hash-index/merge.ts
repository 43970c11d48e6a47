import type { Width } from '../../core/kernel/kernel.ts';
import {
  encodeFooter,
  encodeHeader,
  FENCES_PER_PAGE,
  type HashIndexHeader,
  hashesPerPage,
  PAGE_BYTES,
  seal,
} from './layout.ts';
import { compareHashes, type HashAt } from './word-order.ts';

/** Ascending hashes, one at a time: `units` holds one at `at` until the next is asked for. */
export type SortedHashes = Iterable<HashAt>;

interface Cursor {
  readonly rest: Iterator<HashAt>;
  units: Uint32Array;
  at: number;
}

/**
 * Yields the pages of an index of the union of ascending hashes, each once. Takes a page of memory per source, and
 * log2(sources) steps per hash.
 */
export function* mergedIndex(header: HashIndexHeader, sources: readonly SortedHashes[]): Generator<Uint8Array> {
  const writer = new IndexWriter(header);
  for (const union = new Union(header.width, sources); union.current !== undefined; union.advance()) {
    writer.add(union.current.units, union.current.at);
    if (writer.isFull) yield writer.take();
  }
  yield* writer.end();
}

/** Yields the union of ascending hashes, ascending, each once. */
export function* mergedHashes(width: Width, sources: readonly SortedHashes[]): Generator<HashAt> {
  for (const union = new Union(width, sources); union.current !== undefined; union.advance()) yield union.current;
}

/** The union of ascending hashes, one at a time. */
class Union {
  readonly #unitCount: number;
  readonly #heap: Cursor[];
  readonly #last: Uint32Array;

  constructor(width: Width, sources: readonly SortedHashes[]) {
    this.#unitCount = width / 4;
    this.#heap = cursorsOf(sources);
    this.#last = new Uint32Array(this.#unitCount);
    for (let root = Math.floor(this.#heap.length / 2) - 1; root >= 0; root--) sink(this.#heap, root, this.#unitCount);
  }

  /** Where the least hash is; undefined after the last. */
  get current(): Cursor | undefined {
    return this.#heap[0];
  }

  /** Goes on to the next hash that differs. */
  advance(): void {
    const { units, at } = this.#heap[0]!;
    for (let unit = 0; unit < this.#unitCount; unit++) this.#last[unit] = units[at + unit]!;
    do {
      advance(this.#heap);
      sink(this.#heap, 0, this.#unitCount);
    } while (this.#heap.length > 0 && this.#isLast(this.#heap[0]!));
  }

  #isLast({ units, at }: Cursor): boolean {
    return compareHashes(this.#last, 0, units, at, this.#unitCount) === 0;
  }
}

function cursorsOf(sources: readonly SortedHashes[]): Cursor[] {
  return sources.flatMap((source) => {
    const rest = source[Symbol.iterator]();
    const { done, value } = rest.next();
    return done === true ? [] : [{ rest, units: value.units, at: value.at }];
  });
}

/** Advances the first cursor; one that has ended is replaced by the last. */
function advance(heap: Cursor[]): void {
  const first = heap[0]!;
  const { done, value } = first.rest.next();
  if (done === true) {
    const last = heap.pop()!;
    if (heap.length > 0) heap[0] = last;
  } else {
    first.units = value.units;
    first.at = value.at;
  }
}

/** Restores the order of a binary heap below `root`: no cursor is after one of its children. */
function sink(heap: Cursor[], root: number, unitCount: number): void {
  for (let parent = root, child; (child = 2 * parent + 1) < heap.length; parent = child) {
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!, unitCount)) child++;
    if (!isBefore(heap[child]!, heap[parent]!, unitCount)) return;
    const moved = heap[parent]!;
    heap[parent] = heap[child]!;
    heap[child] = moved;
  }
}

function isBefore(one: Cursor, other: Cursor, unitCount: number): boolean {
  return compareHashes(one.units, one.at, other.units, other.at, unitCount) < 0;
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
