import { textEncoder } from '../../bytes/utf8.ts';
import { isSameKey, KeySort, type PackedKeys } from './key-sort.ts';

/**
 * The order of the specification is that of code points, which is that of UTF-8 bytes. Java's strings compare by UTF-16
 * units: that differs where a character beyond U+FFFF meets one of U+E000 to U+FFFF, which then comes second.
 */
export type KeyOrder = 'code-points' | 'utf16';

/** U+E000 to U+FFFF begin with bytes EE and EF, characters beyond with F0 to F4; F5 and F6 begin nothing. */
const FIRST = 0xee;
const LAST = 0xef;
const BEYOND = 0xf0;
const DISTANCE = 0xf5 - FIRST;

/** Whether UTF-8 has characters of both kinds on which the two orders disagree. */
function dependsOnOrder(utf8: Uint8Array): boolean {
  return utf8.some((byte) => byte >= BEYOND) && utf8.some((byte) => byte === FIRST || byte === LAST);
}

/** Turns UTF-8 in place into bytes whose order is that of UTF-16 units; a second time it changes nothing. */
function toUtf16Order(utf8: Uint8Array): void {
  for (let at = 0; at < utf8.length; at++) if (utf8[at] === FIRST || utf8[at] === LAST) utf8[at]! += DISTANCE;
}

export function fromUtf16Order(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= FIRST + DISTANCE) bytes[at]! -= DISTANCE;
}

/** Up to this many UTF-16 units, a key is encoded in place, with room for three bytes each. */
const IN_PLACE_LENGTH = 1 << 14;

/** Bytes [start, end); a key from an iterator is valid until the next one. */
export interface Key {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Keys that are sorted in memory or, in a runtime with files, in runs. */
export interface Keys {
  readonly count: number;
  /** Whether there are characters of both kinds on which the two orders disagree. */
  readonly dependsOnOrder: boolean;
  add(key: string): void;
  /** Returns the different keys, in order. */
  sorted(order?: KeyOrder): Iterable<Key>;
}

/** Sort keys as UTF-8, one after another in one buffer. */
export class KeyTable implements Keys {
  #bytes: Uint8Array<ArrayBuffer>;
  #starts = new Uint32Array(1 << 10);
  #count = 0;
  readonly #sort = new KeySort();

  /** @param byteLength room for keys, which grows as needed; the system commits no more memory than is written */
  constructor(byteLength = 1 << 16) {
    this.#bytes = new Uint8Array(byteLength);
  }

  get count(): number {
    return this.#count;
  }

  /** The bytes of the keys, and of what sorting them takes. */
  get byteLength(): number {
    return this.#end + this.#count * KEY_OVERHEAD_BYTES;
  }

  add(key: string): void {
    if (key.length <= IN_PLACE_LENGTH) {
      this.#reserve(key.length * 3);
      this.#addEnd(textEncoder().encodeInto(key, this.#bytes.subarray(this.#end)).written);
    } else this.addBytes(textEncoder().encode(key));
  }

  /** Adds a key that is UTF-8 already. */
  addBytes(key: Uint8Array): void {
    this.#reserve(key.length);
    this.#bytes.set(key, this.#end);
    this.#addEnd(key.length);
  }

  *sorted(order: KeyOrder = 'code-points'): Generator<Key> {
    if (order === 'utf16') toUtf16Order(this.#bytes.subarray(0, this.#end));
    const keys = this.#packed();
    const current = { bytes: keys.bytes, start: 0, end: 0 };
    let last = -1;
    for (const key of this.#sort.sorted(keys)) {
      if (last !== -1 && isSameKey(keys, last, key)) continue;
      current.start = keys.starts[key]!;
      current.end = keys.starts[key + 1]!;
      yield current;
      last = key;
    }
  }

  get dependsOnOrder(): boolean {
    return dependsOnOrder(this.#bytes.subarray(0, this.#end));
  }

  clear(): void {
    this.#count = 0;
  }

  get #end(): number {
    return this.#starts[this.#count]!;
  }

  #packed(): PackedKeys {
    return { bytes: this.#bytes, starts: this.#starts, count: this.#count };
  }

  #addEnd(byteLength: number): void {
    const end = this.#end + byteLength;
    if (++this.#count === this.#starts.length) this.#starts = grown(this.#starts, new Uint32Array(this.#count * 2));
    this.#starts[this.#count] = end;
  }

  #reserve(byteLength: number): void {
    const needed = this.#end + byteLength;
    if (needed > this.#bytes.length)
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(needed, this.#bytes.length * 2)));
  }
}

/** A key's start, its place in the order, its word for sorting. */
const KEY_OVERHEAD_BYTES = 4 + 4 + 8;

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
