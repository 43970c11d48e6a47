import type { Width } from '../kernel/kernel.ts';
import { seal } from './checksum.ts';
import { encodeFooter, encodeHeader, type HashIndexHeader } from './header.ts';
import { FENCES_PER_PAGE, hashesPerPage, PAGE_BYTES } from './layout.ts';

/** Pages that are handed over at once: 256 KiB. */
const BUFFERED_PAGES = 64;

/** Writes an index from ascending hashes, page after page. */
export class IndexWriter {
  readonly #width: Width;
  readonly #pages = new Uint8Array(BUFFERED_PAGES * PAGE_BYTES);
  readonly #units = new Uint32Array(this.#pages.buffer);
  readonly #unitsPerPage: number;
  #bufferedPages = 0;
  /** Units in the page that is being filled. */
  #filled = 0;
  #takenPages = 0;
  #dataPageCount = 0;
  #hashCount = 0;
  /** Low and high half of each data page's first word. */
  #fences = new Uint32Array(1 << 10);

  constructor(header: HashIndexHeader) {
    this.#width = header.width;
    this.#unitsPerPage = (hashesPerPage(header.width) * header.width) / 4;
    this.#pages.set(encodeHeader(header));
    this.#bufferedPages = 1;
  }

  /** Must `take` be called before more is added? */
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

  /** The whole pages so far, in memory of their own. */
  take(): Uint8Array {
    const pages = this.#pages.slice(0, this.#bufferedPages * PAGE_BYTES);
    this.#takenPages += this.#bufferedPages;
    this.#bufferedPages = 0;
    this.#pages.fill(0);
    return pages;
  }

  /** The rest: the last hashes, the fences and the footer. */
  *end(): Generator<Uint8Array> {
    if (this.#filled > 0) this.#endPage();
    if (this.isFull) yield this.take();
    for (let fence = 0; fence < this.#dataPageCount; fence += FENCES_PER_PAGE) {
      const end = Math.min(this.#dataPageCount, fence + FENCES_PER_PAGE);
      this.#units.set(this.#fences.subarray(2 * fence, 2 * end), (this.#bufferedPages * PAGE_BYTES) / 4);
      this.#endPage();
      if (this.isFull) yield this.take();
    }
    if (this.#bufferedPages > 0) yield this.take();
    yield encodeFooter({ hashCount: this.#hashCount, dataPageCount: this.#dataPageCount }, this.#takenPages);
  }

  #addFence(low: number, high: number): void {
    if (2 * this.#dataPageCount === this.#fences.length) {
      const grown = new Uint32Array(2 * this.#fences.length);
      grown.set(this.#fences);
      this.#fences = grown;
    }
    this.#fences[2 * this.#dataPageCount] = low;
    this.#fences[2 * this.#dataPageCount + 1] = high;
    this.#dataPageCount++;
  }

  #endPage(): void {
    const start = this.#bufferedPages * PAGE_BYTES;
    seal(this.#pages.subarray(start, start + PAGE_BYTES), this.#takenPages + this.#bufferedPages);
    this.#filled = 0;
    this.#bufferedPages++;
  }
}
