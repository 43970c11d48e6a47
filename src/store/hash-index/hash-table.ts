import type { Width } from '../../core/kernel/kernel.ts';
import { compareHashes } from './word-order.ts';

/** Parts, by the first byte of a hash's order, grow one at a time: growing costs a 256th of the memory, not half. */
const PART_COUNT = 256;
const FIRST_SLOT_COUNT = 16;

/** A part fuller than the first share doubles; if it may not, one fuller than the second makes the table full. */
const GROWING_SHARE = 3 / 4;
const FULL_SHARE = 7 / 8;

/**
 * The share of a part's slots in which searches begin. One that reaches the last slot goes on in the first, where its
 * hash is out of order: this makes that rare.
 */
const HOME_SHARE = 63 / 64;

/** Returns how many bytes of memory a hash takes at most: a part is at least 3/8 full. */
export function bytesPerHash(width: Width): number {
  return (width * 8) / 3;
}

/**
 * Distinct hashes of one width, kept whole, so it is exact: open addressing with linear probing. A hash's upper bits
 * choose its slot, so the slots are nearly in the order of the hashes, and one pass of insertions sorts them.
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
      const number = units[at + 1]! >>> 24;
      const part = this.#parts[number]!;
      if (!this.#put(part, units, at)) return false;
      this.#counts[number]!++;
      if (this.#counts[number]! * this.#unitCount > GROWING_SHARE * part.length) this.#grow(number);
    }
    this.size++;
    return true;
  }

  has(units: Uint32Array, at: number): boolean {
    if (isZero(units, at, this.#unitCount)) return this.#hasZero;
    const part = this.#parts[units[at + 1]! >>> 24]!;
    return !isZero(part, this.#slotFor(part, units, at), this.#unitCount);
  }

  /** Returns the hashes in ascending order, packed, and empties the table. */
  takeSorted(): Uint32Array<ArrayBuffer> {
    const sorted = new Uint32Array(this.size * this.#unitCount);
    let end = this.#hasZero ? this.#unitCount : 0;
    for (const part of this.#parts) {
      for (let slot = 0; slot < part.length; slot += this.#unitCount) {
        if (isZero(part, slot, this.#unitCount)) continue;
        this.#insert(sorted, end, part, slot);
        end += this.#unitCount;
      }
      part.fill(0);
    }
    this.#counts.fill(0);
    this.size = 0;
    this.isFull = this.#hasZero = false;
    return sorted;
  }

  /** Returns the slot of the hash, or the free slot where it goes. Mostly its first two units tell. */
  #slotFor(part: Uint32Array, units: Uint32Array, at: number): number {
    const unitCount = this.#unitCount;
    const isWhole = unitCount === 2; // a hash of 8 bytes has no others
    const low = units[at]!;
    const high = units[at + 1]!;
    let slot = Math.floor((high & 0xff_ffff) * (HOME_SHARE / 2 ** 24) * part.length) & -unitCount;
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
  #put(part: Uint32Array, units: Uint32Array, at: number): boolean {
    const slot = this.#slotFor(part, units, at);
    if (!isZero(part, slot, this.#unitCount)) return false;
    for (let unit = 0; unit < this.#unitCount; unit++) part[slot + unit] = units[at + unit]!;
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
      if (!isZero(part, at, this.#unitCount)) this.#put(grown, part, at);
    this.#parts[number] = grown;
  }

  /** Inserts the hash of a slot among the sorted hashes before `end`: mostly last. */
  #insert(sorted: Uint32Array, end: number, part: Uint32Array, slot: number): void {
    const unitCount = this.#unitCount;
    let at = end;
    while (at > 0 && compareHashes(sorted, at - unitCount, part, slot, unitCount) > 0) at -= unitCount;
    if (at < end) sorted.copyWithin(at + unitCount, at, end);
    for (let unit = 0; unit < unitCount; unit++) sorted[at + unit] = part[slot + unit]!;
  }
}

function isZero(units: Uint32Array, at: number, unitCount: number): boolean {
  for (let unit = 0; unit < unitCount; unit++) if (units[at + unit] !== 0) return false;
  return true;
}
