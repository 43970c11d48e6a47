import type { Width } from '../kernel/kernel.ts';
import { compareHashes } from './word-order.ts';

const FIRST_SLOT_COUNT = 1 << 12;

/** Slots after the last one that a hash may name: a run of full slots at the end goes on there. */
const SPARE_SLOTS = 1 << 10;

/** A table is at most three quarters full; it grows by doubling, and both sizes lie in memory for that time. */
const FULL_SHARE = 0.75;
const BYTES_WHILE_GROWING = 3;

/**
 * Distinct hashes of one width in bounded memory. A hash's slot is named by its upper bits, so the slots are nearly in
 * the order of the hashes, and one pass of insertions sorts them.
 */
export class HashTable {
  readonly #unitCount: number;
  readonly #limitBytes: number;
  #slots: Uint32Array;
  #slotCount = FIRST_SLOT_COUNT;
  #size = 0;
  /** A free slot is zero, so the one hash that is zero is kept here. */
  #hasZero = false;

  /** @param limitBytes of memory; the least a table takes is 32 bytes for each of 5120 slots */
  constructor(width: Width, limitBytes = Number.POSITIVE_INFINITY) {
    this.#unitCount = width / 4;
    this.#limitBytes = limitBytes;
    this.#slots = new Uint32Array((FIRST_SLOT_COUNT + SPARE_SLOTS) * this.#unitCount);
  }

  get size(): number {
    return this.#size + (this.#hasZero ? 1 : 0);
  }

  /** Whether one more hash may find no room: it is then time to empty the table. */
  get isFull(): boolean {
    const isCrowded = this.#size >= FULL_SHARE * this.#slotCount - 1;
    return isCrowded && BYTES_WHILE_GROWING * this.#slots.byteLength > this.#limitBytes;
  }

  /** Adds the hash whose 32-bit units begin at `at`; false where it was there already. */
  add(units: Uint32Array, at: number): boolean {
    if (isZero(units, at, this.#unitCount)) return this.#addZero();
    if (this.#size + 1 > FULL_SHARE * this.#slotCount) this.#grow();
    for (;;) {
      const slot = this.#slotFor(units, at);
      if (slot === -1) this.#grow();
      else return this.#put(slot, units, at);
    }
  }

  has(units: Uint32Array, at: number): boolean {
    if (isZero(units, at, this.#unitCount)) return this.#hasZero;
    const slot = this.#slotFor(units, at);
    return slot !== -1 && !isZero(this.#slots, slot, this.#unitCount);
  }

  /** The hashes in ascending order, packed; the table is empty afterwards. */
  takeSorted(): Uint32Array<ArrayBuffer> {
    const sorted = new Uint32Array(this.size * this.#unitCount);
    let end = this.#hasZero ? this.#unitCount : 0;
    for (let slot = 0; slot < this.#slots.length; slot += this.#unitCount) {
      if (isZero(this.#slots, slot, this.#unitCount)) continue;
      this.#insert(sorted, end, slot);
      end += this.#unitCount;
    }
    this.#slots.fill(0);
    this.#size = 0;
    this.#hasZero = false;
    return sorted;
  }

  /** Where the hash is, or the free slot where it goes; -1 where the table ends before either. */
  #slotFor(units: Uint32Array, at: number): number {
    const unitCount = this.#unitCount;
    let slot = Math.floor((units[at + 1]! / 2 ** 32) * this.#slotCount) * unitCount;
    for (; slot < this.#slots.length; slot += unitCount) {
      if (isZero(this.#slots, slot, unitCount) || compareHashes(this.#slots, slot, units, at, unitCount) === 0)
        return slot;
    }
    return -1;
  }

  #put(slot: number, units: Uint32Array, at: number): boolean {
    if (!isZero(this.#slots, slot, this.#unitCount)) return false;
    for (let unit = 0; unit < this.#unitCount; unit++) this.#slots[slot + unit] = units[at + unit]!;
    this.#size++;
    return true;
  }

  #addZero(): boolean {
    const isNew = !this.#hasZero;
    this.#hasZero = true;
    return isNew;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slotCount *= 2;
    this.#slots = new Uint32Array((this.#slotCount + SPARE_SLOTS) * this.#unitCount);
    this.#size = 0;
    for (let slot = 0; slot < old.length; slot += this.#unitCount) {
      if (!isZero(old, slot, this.#unitCount)) this.add(old, slot);
    }
  }

  /** Puts the hash of a slot where it belongs among the sorted hashes before `end`: mostly last. */
  #insert(sorted: Uint32Array, end: number, slot: number): void {
    const unitCount = this.#unitCount;
    let at = end;
    while (at > 0 && compareHashes(sorted, at - unitCount, this.#slots, slot, unitCount) > 0) at -= unitCount;
    if (at < end) sorted.copyWithin(at + unitCount, at, end);
    for (let unit = 0; unit < unitCount; unit++) sorted[at + unit] = this.#slots[slot + unit]!;
  }
}

function isZero(units: Uint32Array, at: number, unitCount: number): boolean {
  for (let unit = 0; unit < unitCount; unit++) if (units[at + unit] !== 0) return false;
  return true;
}
