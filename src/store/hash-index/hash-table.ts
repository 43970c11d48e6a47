import type { Width } from '../../core/kernel/kernel.ts';
import { compareHashes } from './layout.ts';

/** Parts grow one at a time: growing costs a 256th of the memory, not half. */
const PART_COUNT = 256;
const FIRST_SLOT_COUNT = 16;

/** A part fuller than the first share doubles; if it may not, one fuller than the second makes the table full. */
const GROWING_SHARE = 3 / 4;
const FULL_SHARE = 7 / 8;

/**
 * Distinct hashes of one width, kept whole, so it is exact: open addressing with linear probing. Part and slot of a hash
 * come from random numbers of this table, too: whoever chooses URLs can choose the first bits of their hashes, 256 tries
 * for each byte, and would fill one part, or one row of slots, otherwise.
 */
export class HashTable {
  /** The number of hashes. */
  size = 0;
  /** Whether it must be emptied before more is added: one more hash might not fit. Without a limit it never is. */
  isFull = false;
  readonly #unitCount: number;
  /** The most units that a part may have. */
  readonly #limitUnits: number;
  readonly #parts: Uint32Array[];
  /** The number of hashes in each part. */
  readonly #counts = new Uint32Array(PART_COUNT);
  /** The number of hashes with each first byte of their order: says where each goes when they are sorted. */
  readonly #firstBytes = new Uint32Array(DIGIT_COUNT);
  /** Odd factors, for the low and the high half of a hash's first word. */
  readonly #factors = crypto.getRandomValues(new Uint32Array(2)).map((number) => number | 1);
  /** A free slot is zero, so the one hash that is zero is noted here. */
  #hasZero = false;

  /** @param limitBytes of memory, including that of the sorted hashes; the least is 32 bytes for 4096 slots */
  constructor(width: Width, limitBytes = Number.POSITIVE_INFINITY) {
    this.#unitCount = width / 4;
    this.#limitUnits = limitBytes / 2 / PART_COUNT / 4;
    this.#parts = Array.from({ length: PART_COUNT }, () => new Uint32Array(FIRST_SLOT_COUNT * this.#unitCount));
  }

  /** Adds the hash whose 32-bit units begin at `at`; false if it was there. @throws {RangeError} without memory */
  add(units: Uint32Array, at: number): boolean {
    if (isZero(units, at, this.#unitCount)) {
      if (this.#hasZero) return false;
      this.#hasZero = true;
    } else {
      const place = this.#placeOf(units, at);
      const number = place >>> PART_SHIFT;
      const part = this.#parts[number]!;
      if (!this.#put(part, place, units, at)) return false;
      this.#counts[number]!++;
      if (this.#counts[number]! * this.#unitCount > GROWING_SHARE * part.length) this.#grow(number);
    }
    this.#firstBytes[units[at + 1]! >>> 24]!++;
    this.size++;
    return true;
  }

  has(units: Uint32Array, at: number): boolean {
    if (isZero(units, at, this.#unitCount)) return this.#hasZero;
    const place = this.#placeOf(units, at);
    const part = this.#parts[place >>> PART_SHIFT]!;
    return !isZero(part, this.#slotFor(part, place, units, at), this.#unitCount);
  }

  /** Returns the hashes in ascending order, packed, and empties the table. */
  takeSorted(): Uint32Array<ArrayBuffer> {
    const unitCount = this.#unitCount;
    const sorted = new Uint32Array(this.size * unitCount);
    const next = new Uint32Array(DIGIT_COUNT); // of each first byte: where its next hash goes
    for (let byte = 1; byte < DIGIT_COUNT; byte++)
      next[byte] = next[byte - 1]! + unitCount * this.#firstBytes[byte - 1]!;
    if (this.#hasZero) next[0] = unitCount;
    for (const part of this.#parts) {
      for (let slot = 0; slot < part.length; slot += unitCount) {
        if (isZero(part, slot, unitCount)) continue;
        const byte = part[slot + 1]! >>> 24;
        const to = next[byte]!;
        next[byte] = to + unitCount;
        copyHash(part, slot, sorted, to, unitCount);
      }
      part.fill(0);
    }
    const pivot = new Uint32Array(unitCount);
    for (let byte = 0, from = 0; byte < DIGIT_COUNT; from = next[byte++]!)
      sortHashes(sorted, from, next[byte]!, unitCount, pivot);
    this.#counts.fill(0);
    this.#firstBytes.fill(0);
    this.size = 0;
    this.isFull = this.#hasZero = false;
    return sorted;
  }

  /** Returns 32 bits: the upper ones say in which part a hash is, the lower ones from which slot on. */
  #placeOf(units: Uint32Array, at: number): number {
    const sum = Math.imul(units[at]!, this.#factors[0]!) + Math.imul(units[at + 1]!, this.#factors[1]!);
    const mixed = Math.imul(sum ^ (sum >>> 16), MIXING_FACTOR);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** Returns the slot of the hash, or the free slot where it goes. Mostly its first two units tell. */
  #slotFor(part: Uint32Array, place: number, units: Uint32Array, at: number): number {
    const unitCount = this.#unitCount;
    const isWhole = unitCount === 2; // a hash of 8 bytes has no others
    const low = units[at]!;
    const high = units[at + 1]!;
    let slot = (place * unitCount) & (part.length - 1);
    for (;;) {
      const slotLow = part[slot]!;
      const slotHigh = part[slot + 1]!;
      const isAlike = slotLow === low && slotHigh === high;
      if (isAlike && (isWhole || compareHashes(part, slot, units, at, unitCount) === 0)) return slot;
      if ((slotLow | slotHigh) === 0 && (isWhole || isZero(part, slot, unitCount))) return slot;
      slot += unitCount;
      if (slot === part.length) slot = 0;
    }
  }

  /** Returns false if the hash was there already. */
  #put(part: Uint32Array, place: number, units: Uint32Array, at: number): boolean {
    const slot = this.#slotFor(part, place, units, at);
    if (!isZero(part, slot, this.#unitCount)) return false;
    copyHash(units, at, part, slot, this.#unitCount);
    return true;
  }

  /** Doubles a part, where the limit allows. */
  #grow(number: number): void {
    const part = this.#parts[number]!;
    if (2 * part.length > this.#limitUnits) {
      this.isFull ||= this.#counts[number]! * this.#unitCount > FULL_SHARE * part.length;
      return;
    }
    const grown = new Uint32Array(2 * part.length);
    for (let at = 0; at < part.length; at += this.#unitCount)
      if (!isZero(part, at, this.#unitCount)) this.#put(grown, this.#placeOf(part, at), part, at);
    this.#parts[number] = grown;
  }
}

const PART_SHIFT = 24;
/** Spreads a difference in any bit over those above it. */
const MIXING_FACTOR = 0x7feb352d;

function copyHash(from: Uint32Array, at: number, to: Uint32Array, toAt: number, unitCount: number): void {
  for (let unit = 0; unit < unitCount; unit++) to[toAt + unit] = from[at + unit]!;
}

/** Fewer hashes are sorted by insertion. */
const FEW = 12;
/** The number of values of a byte. */
const DIGIT_COUNT = 256;

/**
 * Sorts the different hashes in units [start, end) in place: quicksort by a hash in the middle, which is that of random
 * numbers, so that no input is a bad one.
 */
function sortHashes(hashes: Uint32Array, start: number, end: number, unitCount: number, pivot: Uint32Array): void {
  while (end - start >= FEW * unitCount) {
    copyHash(hashes, start + unitCount * (((end - start) / unitCount) >>> 1), pivot, 0, unitCount);
    let low = start;
    let high = end - unitCount;
    while (low <= high) {
      while (compareHashes(hashes, low, pivot, 0, unitCount) < 0) low += unitCount;
      while (compareHashes(hashes, high, pivot, 0, unitCount) > 0) high -= unitCount;
      if (low > high) break;
      swapHashes(hashes, low, high, unitCount);
      low += unitCount;
      high -= unitCount;
    }
    sortHashes(hashes, start, high + unitCount, unitCount, pivot);
    start = low;
  }
  for (let next = start + unitCount; next < end; next += unitCount)
    for (let at = next; at > start && compareHashes(hashes, at - unitCount, hashes, at, unitCount) > 0; at -= unitCount)
      swapHashes(hashes, at - unitCount, at, unitCount);
}

function swapHashes(hashes: Uint32Array, one: number, other: number, unitCount: number): void {
  for (let unit = 0; unit < unitCount; unit++) {
    const kept = hashes[one + unit]!;
    hashes[one + unit] = hashes[other + unit]!;
    hashes[other + unit] = kept;
  }
}

function isZero(units: Uint32Array, at: number, unitCount: number): boolean {
  for (let unit = 0; unit < unitCount; unit++) if (units[at + unit] !== 0) return false;
  return true;
}
