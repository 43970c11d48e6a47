import { asciiBytes } from '../bytes/ascii.ts';
import { FULL_STOP } from '../bytes/code-points.ts';
import { hashOfHost } from '../url/host-hash.ts';

/** Where a rule applies: a host, and the beginning of a path. */
interface Address {
  readonly host: string;
  readonly path: string;
}

/** Numbers of a host in a slot: its hash, where its name begins and ends, and where its rules begin and end. */
const SLOT_NUMBERS = 5;

/**
 * Finds the rules of hosts by hashes of their names, and among them by paths: by open addressing in flat arrays, since
 * thousands of objects do not fit in a processor's cache.
 */
export class HostTable {
  readonly #slots: Uint32Array;
  readonly #mask: number;
  /** Of each rule, where its path ends in `#text`; it begins where that before it ends, or the name of its host. */
  readonly #pathEnds: Uint32Array;
  /** Of each host, its name and the paths of its rules. */
  readonly #text: Uint8Array;

  /** @param addresses those of one host one after another, that with the longest path first */
  constructor(addresses: readonly Address[]) {
    const isNew = (index: number) => addresses[index]!.host !== addresses[index - 1]?.host;
    this.#mask = 2 ** Math.ceil(Math.log2(2 * addresses.length + 1)) - 1;
    this.#slots = new Uint32Array(SLOT_NUMBERS * (this.#mask + 1));
    this.#pathEnds = new Uint32Array(addresses.length);
    this.#text = asciiBytes(addresses.map(({ host, path }, index) => (isNew(index) ? host : '') + path).join(''));
    for (let index = 0, at = 0; index < addresses.length; ) {
      const nameEnd = at + addresses[index]!.host.length;
      const slot = this.#takeSlot(at, nameEnd);
      this.#slots[slot + 3] = index;
      at = nameEnd;
      do {
        at += addresses[index]!.path.length;
        this.#pathEnds[index] = at;
      } while (++index < addresses.length && !isNew(index));
      this.#slots[slot + 4] = index;
    }
  }

  /**
   * Returns the number of the rule for a page: of those that fit, that with the longest host, then the longest path; -1
   * if there is none.
   */
  ruleOf(bytes: Uint8Array, hostStart: number, hostEnd: number, pathStart: number, pathEnd: number): number {
    for (let at = hostStart; at < hostEnd; at++) {
      if (at > hostStart && bytes[at - 1] !== FULL_STOP) continue;
      const slot = this.#slotOf(bytes, at, hostEnd);
      if (slot === -1) continue;
      const rule = this.#ruleIn(slot, bytes, pathStart, pathEnd);
      if (rule !== -1) return rule;
    }
    return -1;
  }

  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const hash = hashOfHost(bytes, start, end) >>> 0;
    for (let at = this.#firstOf(hash); ; at = (at + 1) & this.#mask) {
      const slot = SLOT_NUMBERS * at;
      const nameEnd = slots[slot + 2]!;
      if (nameEnd === 0) return -1;
      if (slots[slot] === hash && this.#isAt(bytes, start, end, slots[slot + 1]!, nameEnd)) return slot;
    }
  }

  #ruleIn(slot: number, bytes: Uint8Array, pathStart: number, pathEnd: number): number {
    const rulesEnd = this.#slots[slot + 4]!;
    let start = this.#slots[slot + 2]!;
    for (let rule = this.#slots[slot + 3]!; rule < rulesEnd; rule++) {
      const end = this.#pathEnds[rule]!;
      const prefixEnd = pathStart + end - start;
      if (prefixEnd <= pathEnd && this.#isAt(bytes, pathStart, prefixEnd, start, end)) return rule;
      start = end;
    }
    return -1;
  }

  /** Whether the bytes [start, end) are those of `#text` from `expected` to `expectedEnd`. */
  #isAt(bytes: Uint8Array, start: number, end: number, expected: number, expectedEnd: number): boolean {
    if (end - start !== expectedEnd - expected) return false;
    const text = this.#text;
    for (let index = 0; index < end - start; index++) if (bytes[start + index] !== text[expected + index]) return false;
    return true;
  }

  #takeSlot(nameStart: number, nameEnd: number): number {
    const hash = hashOfHost(this.#text, nameStart, nameEnd) >>> 0;
    let at = this.#firstOf(hash);
    while (this.#slots[SLOT_NUMBERS * at + 2] !== 0) at = (at + 1) & this.#mask;
    this.#slots.set([hash, nameStart, nameEnd], SLOT_NUMBERS * at);
    return SLOT_NUMBERS * at;
  }

  #firstOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}
