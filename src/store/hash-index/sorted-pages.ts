import type { Width } from '../../core/kernel/kernel.ts';
import { compareHashes, type HashAt } from './word-order.ts';

/** Pages of hashes, ready to be searched. */
export interface PageReader {
  /** Memory that holds pages, as 32-bit units. */
  readonly units: Uint32Array;
  /** Returns the unit that a page begins at; it stays there until the next load. @throws {HashIndexError} */
  load(page: number): number;
}

/** Ascending hashes in pages, of which only the first word of each need be in memory: a look-up reads one page. */
export class SortedPages {
  /** Bytes per hash. */
  readonly width: Width;
  /** The number of hashes in all pages. */
  readonly size: number;
  readonly #perPage: number;
  /** Low and high half of each page's first word. */
  readonly #fences: Uint32Array;
  readonly #reader: PageReader;

  /** @param perPage the number of hashes in each page but the last */
  constructor(width: Width, size: number, perPage: number, fences: Uint32Array, reader: PageReader) {
    this.width = width;
    this.size = size;
    this.#perPage = perPage;
    this.#fences = fences;
    this.#reader = reader;
  }

  /** Whether the hash whose 32-bit units begin at `at` is present. @throws {HashIndexError} where its page is damaged */
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
    return Math.min(this.#perPage, this.size - page * this.#perPage);
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
