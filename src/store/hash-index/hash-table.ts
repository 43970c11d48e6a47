import type { Width } from '../../core/kernel/kernel.ts';
import { compareHashes } from './layout.ts';

/** The number of parts, which grow one at a time: that takes a 256th more memory, not half. */
const PART_COUNT = 256;
const FIRST_SLOT_COUNT = 16;

/** A part fuller than the first share doubles; if it may not, one fuller than the second makes the table full. */
const GROWING_SHARE = 3 / 4;
const FULL_SHARE = 7 / 8;

/**
 * Distinct hashes of one width, kept whole, so it is exact: open addressing with linear probing. Part and slot of a
 * hash come from random numbers of this table, too: whoever chooses URLs can choose the first bits of their hashes, 256
 * tries for each byte, and would fill one part, or one row of slots, otherwise.
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
    const sort = new HashSort(sorted, unitCount);
    for (let byte = 0, from = 0; byte < DIGIT_COUNT; from = next[byte++]!) sort.sort(from, next[byte]!, 1);
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

/** The least number of hashes that are sorted by digits, and not by insertion. */
const FEW = 80;
/** The values of a digit: a byte of a hash, in the order of its words. */
const DIGIT_COUNT = 256;

/**
 * Sorts hashes in place by radix, the first digit first (McIlroy, Bostic and McIlroy, 1993): a hash is moved once per
 * digit at most, so no input is a bad one. Of random hashes, two or three digits tell nearly all apart.
 */
class HashSort {
  readonly #hashes: Uint32Array;
  readonly #unitCount: number;
  /** The places of the next hash for each value of each digit that is sorted by, and of the ends. */
  readonly #next: readonly Uint32Array[];
  readonly #ends: readonly Uint32Array[];
  /** The hash that is inserted. */
  readonly #held: Uint32Array;

  constructor(hashes: Uint32Array, unitCount: number) {
    this.#hashes = hashes;
    this.#unitCount = unitCount;
    this.#held = new Uint32Array(unitCount);
    const perDigit = () => Array.from({ length: 4 * unitCount }, () => new Uint32Array(DIGIT_COUNT));
    this.#next = perDigit();
    this.#ends = perDigit();
  }

  /** Sorts the hashes in units [start, end), which agree in the digits before `digit`. */
  sort(start: number, end: number, digit: number): void {
    if (end - start < FEW * this.#unitCount) return this.#sortFew(start, end);
    const ends = this.#ends[digit]!;
    this.#count(start, end, digit);
    this.#distribute(digit);
    if (digit + 1 === this.#ends.length) return;
    for (let value = 0, from = start; value < DIGIT_COUNT; from = ends[value++]!)
      this.sort(from, ends[value]!, digit + 1);
  }

  #count(start: number, end: number, digit: number): void {
    const hashes = this.#hashes;
    const unitCount = this.#unitCount;
    const next = this.#next[digit]!;
    const ends = this.#ends[digit]!.fill(0);
    const [unit, shift] = [unitOf(digit), shiftOf(digit)];
    for (let at = start + unit; at < end; at += unitCount) ends[(hashes[at]! >>> shift) & 0xff]! += unitCount;
    for (let value = 0, at = start; value < DIGIT_COUNT; value++) {
      next[value] = at;
      at = ends[value]! += at;
    }
  }

  /** Swaps each hash to where those with its digit go, until one comes in its place that belongs there. */
  #distribute(digit: number): void {
    const hashes = this.#hashes;
    const unitCount = this.#unitCount;
    const next = this.#next[digit]!;
    const ends = this.#ends[digit]!;
    const [unit, shift] = [unitOf(digit), shiftOf(digit)];
    for (let value = 0; value < DIGIT_COUNT; value++) {
      for (let at = next[value]!; at < ends[value]!; ) {
        const found = (hashes[at + unit]! >>> shift) & 0xff;
        if (found === value) at += unitCount;
        else {
          this.#swap(at, next[found]!);
          next[found]! += unitCount;
        }
      }
    }
  }

  #swap(one: number, other: number): void {
    const hashes = this.#hashes;
    for (let unit = 0; unit < this.#unitCount; unit++) {
      const kept = hashes[one + unit]!;
      hashes[one + unit] = hashes[other + unit]!;
      hashes[other + unit] = kept;
    }
  }

  #sortFew(start: number, end: number): void {
    const hashes = this.#hashes;
    const unitCount = this.#unitCount;
    const held = this.#held;
    for (let next = start + unitCount; next < end; next += unitCount) {
      let at = next;
      while (at > start && compareHashes(hashes, at - unitCount, hashes, next, unitCount) > 0) at -= unitCount;
      copyHash(hashes, next, held, 0, unitCount);
      for (let unit = next - 1; unit >= at; unit--) hashes[unit + unitCount] = hashes[unit]!;
      copyHash(held, 0, hashes, at, unitCount);
    }
  }
}

/** Returns the unit that has a digit: the upper half of a word before the lower. */
function unitOf(digit: number): number {
  return (digit >> 2) ^ 1;
}

function shiftOf(digit: number): number {
  return 24 - 8 * (digit & 3);
}

function isZero(units: Uint32Array, at: number, unitCount: number): boolean {
  for (let unit = 0; unit < unitCount; unit++) if (units[at + unit] !== 0) return false;
  return true;
}
