import { isSealed } from './checksum.ts';
import { PAGE_BYTES } from './layout.ts';
import { damaged, type Pages, readPage } from './pages.ts';

/** Pages that were checked, ready to be searched. */
export interface PageReader {
  /** Memory that pages lie in, as 32-bit units. */
  readonly units: Uint32Array;
  /** The unit that the page of a number begins at; it stays there until the next load. @throws {HashIndexError} */
  load(number: number): number;
}

/** All pages in memory, each checked when it is first loaded: what lies in memory of our own does not change. */
export class KeptPages implements PageReader {
  readonly units: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #pages: Pages;
  readonly #isChecked: Uint8Array;

  constructor(pages: Pages) {
    this.#pages = pages;
    this.#bytes = new Uint8Array(pages.byteLength);
    this.units = new Uint32Array(this.#bytes.buffer);
    this.#isChecked = new Uint8Array(pages.byteLength / PAGE_BYTES);
    pages.read(this.#bytes, 0);
  }

  load(number: number): number {
    if (this.#isChecked[number] === 0) this.#check(number);
    return (number * PAGE_BYTES) / 4;
  }

  #check(number: number): void {
    const page = this.#bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    if (!isSealed(page, number)) throw damaged(this.#pages, number);
    this.#isChecked[number] = 1;
  }
}

/** One page at a time. The system's cache of the file is the cache; a page is checked each time it is read. */
export class SinglePage implements PageReader {
  readonly #page = new Uint8Array(PAGE_BYTES);
  readonly units = new Uint32Array(this.#page.buffer);
  readonly #pages: Pages;
  /** The number of the page in memory, or 0. */
  #number = 0;

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  load(number: number): number {
    if (this.#number === number) return 0;
    this.#number = 0;
    readPage(this.#pages, number, this.#page);
    this.#number = number;
    return 0;
  }
}
