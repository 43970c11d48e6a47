import { textEncoder } from '../../bytes/utf8.ts';
import { dependsOnOrder, type KeyOrder, toUtf16Order } from './key-order.ts';
import { isSameKey, type PackedKeys, sortedKeys } from './key-sort.ts';

/** UTF-16 units whose UTF-8 bytes are worth room for the longest case, three each; longer keys are encoded apart. */
const IN_PLACE_LENGTH = 1 << 14;

/** Takes the bytes [start, end) of a key. */
export type KeySink = (bytes: Uint8Array, start: number, end: number) => void;

/** Different keys, handed on in order. */
export interface SortedKeys {
  drain(sink: KeySink, order?: KeyOrder): void;
}

/** Sort keys as UTF-8, one after another in one piece of memory. */
export class KeyTable implements SortedKeys {
  #bytes: Uint8Array<ArrayBuffer>;
  #starts = new Uint32Array(1 << 10);
  #count = 0;

  /** @param byteLength room for keys, which grows where it must; a host touches no more of it than is used */
  constructor(byteLength = 1 << 16) {
    this.#bytes = new Uint8Array(byteLength);
  }

  get count(): number {
    return this.#count;
  }

  /** What the keys take, and what sorting them does. */
  get byteLength(): number {
    return this.#end + this.#count * BYTES_BESIDE_A_KEY;
  }

  add(key: string): void {
    if (key.length <= IN_PLACE_LENGTH) {
      this.#reserve(key.length * 3);
      this.#addEnd(textEncoder().encodeInto(key, this.#bytes.subarray(this.#end)).written);
    } else this.addBytes(textEncoder().encode(key));
  }

  /** A key that is UTF-8 already. */
  addBytes(key: Uint8Array): void {
    this.#reserve(key.length);
    this.#bytes.set(key, this.#end);
    this.#addEnd(key.length);
  }

  drain(sink: KeySink, order: KeyOrder = 'code-points'): void {
    if (order === 'utf16') toUtf16Order(this.#bytes.subarray(0, this.#end));
    const keys = this.#packed();
    const sorted = sortedKeys(keys);
    sorted.forEach((key, index) => {
      if (index > 0 && isSameKey(keys, sorted[index - 1]!, key)) return;
      sink(keys.bytes, keys.starts[key]!, keys.starts[key + 1]!);
    });
  }

  /** Are there characters of both kinds on which the two orders disagree? */
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

/** Its start, its place in the order, and its word there. */
const BYTES_BESIDE_A_KEY = 4 + 4 + 8;

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
