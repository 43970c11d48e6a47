import { textEncoder } from '../../bytes/utf8.ts';
import type { PackedValues } from './framing.ts';

const FIRST_OFFSETS = 1 << 10;

/** Packs the values of a block's rows as they are found. */
export class ValuePacker {
  #offsets = new Uint32Array(FIRST_OFFSETS);
  /** Values so far. */
  #count = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param byteLength of all values, roughly */
  constructor(byteLength: number) {
    this.#bytes = new Uint8Array(byteLength);
  }

  /** The value is bytes [start, end): a loop, since most are short. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const packed = this.#bytes; // in a local: a field of the class is read anew in each round
    for (let at = start, to = this.#length; at < end; at++, to++) packed[to] = bytes[at]!;
    this.#end(end - start);
  }

  addText(text: string): void {
    const encoded = textEncoder().encode(text);
    this.addBytes(encoded, 0, encoded.length);
  }

  /** A row without a value has an empty one in its place. */
  addNone(): void {
    this.#end(0);
  }

  get values(): PackedValues {
    return { bytes: this.#bytes.subarray(0, this.#length), offsets: this.#offsets.subarray(0, this.#count + 1) };
  }

  #end(byteLength: number): void {
    this.#length += byteLength;
    this.#count++;
    if (this.#count === this.#offsets.length) this.#growOffsets();
    this.#offsets[this.#count] = this.#length;
  }

  #growOffsets(): void {
    const grown = new Uint32Array(2 * this.#offsets.length);
    grown.set(this.#offsets);
    this.#offsets = grown;
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + byteLength));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
