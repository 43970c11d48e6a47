import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import { textEncoder } from '../../../core/bytes/text.ts';
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
  readonly #bytes: GrowingBytes;
  /** Where each key begins, and the last one ends. */
  readonly #starts = new GrowingBytes(1 << 12);
  readonly #sort = new KeySort();

  /** @param byteLength room for keys, which grows as needed; the system commits no more memory than is written */
  constructor(byteLength = 1 << 16) {
    this.#bytes = new GrowingBytes(byteLength);
    this.#starts.uint32(0);
  }

  get count(): number {
    return this.#starts.length / 4 - 1;
  }

  /** The bytes of the keys, and of what sorting them takes. */
  get byteLength(): number {
    return this.#bytes.length + this.count * KEY_OVERHEAD_BYTES;
  }

  add(key: string): void {
    if (key.length > IN_PLACE_LENGTH) return this.addBytes(textEncoder().encode(key));
    this.#bytes.text(key);
    this.#starts.uint32(this.#bytes.length);
  }

  /** Adds a key that is UTF-8 already. */
  addBytes(key: Uint8Array): void {
    this.#bytes.bytes(key, 0, key.length);
    this.#starts.uint32(this.#bytes.length);
  }

  *sorted(order: KeyOrder = 'code-points'): Generator<Key> {
    if (order === 'utf16') toUtf16Order(this.#bytes.written);
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
    return dependsOnOrder(this.#bytes.written);
  }

  clear(): void {
    this.#bytes.take();
    this.#starts.take();
    this.#starts.uint32(0);
  }

  #packed(): PackedKeys {
    return { bytes: this.#bytes.written, starts: this.#starts.numbers, count: this.count };
  }
}

/** A key's start, its place in the order, its word for sorting. */
const KEY_OVERHEAD_BYTES = 4 + 4 + 8;
