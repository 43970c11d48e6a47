import type { Width } from '../../kernel/kernel.ts';

/** Tables by the first byte of a hash: one grows at a time, so growing costs a 256th of the memory, not half. */
const TABLE_COUNT = 256;
const FIRST_SLOT_COUNT = 16;

/** Bytes of memory that a hash takes at most: a table is no less than 3/8 full. */
export function bytesPerHash(width: Width): number {
  return (width * 8) / 3;
}

/** Hashes of one width, kept whole, so it is exact. */
export class HashSet {
  readonly #tables: readonly Table[];
  readonly #wordCount: number;
  #words: Uint32Array = new Uint32Array(0);
  #length = 0;
  /** An empty slot is zero, so the one hash that is zero is kept here. */
  #hasZero = false;

  constructor(width: Width) {
    this.#wordCount = width / 4;
    this.#tables = Array.from({ length: TABLE_COUNT }, () => new Table(this.#wordCount));
  }

  get length(): number {
    return this.#length;
  }

  /** Adds the hash at `at` of `words`; false where it was there already. @throws {RangeError} where no memory is left */
  add(words: Uint32Array, at: number): boolean {
    this.#words = words;
    const isNew = this.#addWords(at);
    if (isNew) this.#length++;
    return isNew;
  }

  #addWords(at: number): boolean {
    if (!this.#isZero(at)) return this.#tables[this.#words[at]! % TABLE_COUNT]!.add(this.#words, at);
    const isNew = !this.#hasZero;
    this.#hasZero = true;
    return isNew;
  }

  #isZero(at: number): boolean {
    for (let word = 0; word < this.#wordCount; word++) if (this.#words[at + word] !== 0) return false;
    return true;
  }
}

/** Open addressing with linear probing; the second word of a hash says where to begin. */
class Table {
  readonly #wordCount: number;
  #slots: Uint32Array;
  #slotMask = FIRST_SLOT_COUNT - 1;
  #length = 0;

  constructor(wordCount: number) {
    this.#wordCount = wordCount;
    this.#slots = new Uint32Array(FIRST_SLOT_COUNT * wordCount);
  }

  /** Adds the hash whose words begin at `at`; false where it was there already. */
  add(words: Uint32Array, at: number): boolean {
    const slots = this.#slots;
    for (let slot = words[at + 1]! & this.#slotMask; ; slot = (slot + 1) & this.#slotMask) {
      const found = slot * this.#wordCount;
      if (this.#isEqual(slots, found, words, at)) return false;
      if (!this.#isEmpty(slots, found)) continue;
      for (let word = 0; word < this.#wordCount; word++) slots[found + word] = words[at + word]!;
      this.#length++;
      if (4 * this.#length > 3 * (this.#slotMask + 1)) this.#grow();
      return true;
    }
  }

  #isEqual(slots: Uint32Array, slot: number, words: Uint32Array, at: number): boolean {
    for (let word = 0; word < this.#wordCount; word++) if (slots[slot + word] !== words[at + word]) return false;
    return true;
  }

  #isEmpty(slots: Uint32Array, slot: number): boolean {
    for (let word = 0; word < this.#wordCount; word++) if (slots[slot + word] !== 0) return false;
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(2 * old.length);
    this.#slotMask = 2 * this.#slotMask + 1;
    this.#length = 0;
    for (let slot = 0; slot < old.length; slot += this.#wordCount) if (!this.#isEmpty(old, slot)) this.add(old, slot);
  }
}
