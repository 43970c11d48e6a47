import type { Width } from '../kernel/kernel.ts';
import { seal } from './checksum.ts';
import { encodeHeader, type HashIndexHeader } from './header.ts';
import { FENCES_PER_PAGE, hashesPerPage, PAGE_BYTES } from './layout.ts';

/** Takes the bytes of an index, in any order of positions; it has written them when it returns. */
export type WriteAt = (bytes: Uint8Array, position: number) => void;

/** Pages that are written at once: 256 KiB. */
const BUFFERED_PAGES = 64;

/** Writes an index from ascending hashes. The header comes last: an index that was not finished has none. */
export class IndexWriter {
  readonly #write: WriteAt;
  readonly #width: Width;
  readonly #profile: string;
  readonly #pages = new Uint8Array(BUFFERED_PAGES * PAGE_BYTES);
  readonly #units = new Uint32Array(this.#pages.buffer);
  readonly #unitsPerPage: number;
  #bufferedPages = 0;
  /** Units in the page that is being filled. */
  #filled = 0;
  #writtenPages = 1;
  #dataPageCount = 0;
  #hashCount = 0;
  /** Low and high half of each data page's first word. */
  #fences = new Uint32Array(1 << 10);

  constructor(width: Width, profile: string, write: WriteAt) {
    this.#width = width;
    this.#profile = profile;
    this.#write = write;
    this.#unitsPerPage = (hashesPerPage(width) * width) / 4;
  }

  /** Adds the hash whose 32-bit units begin at `at`; it must be greater than the one before. */
  add(units: Uint32Array, at: number): void {
    if (this.#filled === this.#unitsPerPage) this.#endPage();
    if (this.#filled === 0) this.#addFence(units[at]!, units[at + 1]!);
    const start = (this.#bufferedPages * PAGE_BYTES) / 4 + this.#filled;
    for (let unit = 0; unit < this.#width / 4; unit++) this.#units[start + unit] = units[at + unit]!;
    this.#filled += this.#width / 4;
    this.#hashCount++;
  }

  /** Writes what is left, the fences and the header. */
  end(): HashIndexHeader {
    if (this.#filled > 0) this.#endPage();
    this.#flush();
    this.#writeFences();
    const { dataPageCount, hashCount } = { dataPageCount: this.#dataPageCount, hashCount: this.#hashCount };
    const header = { width: this.#width, profile: this.#profile, dataPageCount, hashCount };
    this.#write(encodeHeader(header), 0);
    return header;
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
    seal(this.#pages.subarray(start, start + PAGE_BYTES), this.#writtenPages + this.#bufferedPages);
    this.#filled = 0;
    this.#bufferedPages++;
    if (this.#bufferedPages === BUFFERED_PAGES) this.#flush();
  }

  #flush(): void {
    if (this.#bufferedPages === 0) return;
    this.#write(this.#pages.subarray(0, this.#bufferedPages * PAGE_BYTES), this.#writtenPages * PAGE_BYTES);
    this.#writtenPages += this.#bufferedPages;
    this.#bufferedPages = 0;
    this.#pages.fill(0);
  }

  #writeFences(): void {
    for (let fence = 0; fence < this.#dataPageCount; fence += FENCES_PER_PAGE) {
      const end = Math.min(this.#dataPageCount, fence + FENCES_PER_PAGE);
      this.#units.set(this.#fences.subarray(2 * fence, 2 * end), (this.#bufferedPages * PAGE_BYTES) / 4);
      this.#endPage();
    }
    this.#flush();
  }
}
