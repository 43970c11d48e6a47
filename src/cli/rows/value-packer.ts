import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { textEncoder } from '../../bytes/utf8.ts';
import type { PackedValues } from './framing.ts';

/** Packs the values of a block's rows as they are found. */
export class ValuePacker {
  readonly #offsets = new GrowingNumbers();
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param byteLength of all values, roughly */
  constructor(byteLength: number) {
    this.#bytes = new Uint8Array(byteLength);
    this.#offsets.push(0);
  }

  /** The value is bytes [start, end): a loop, since most are short. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const packed = this.#bytes; // in a local: a field of the class is read anew in each round
    for (let at = start, to = this.#length; at < end; at++, to++) packed[to] = bytes[at]!;
    this.#length += end - start;
    this.#offsets.push(this.#length);
  }

  /** Packed values: the first begins at 0, each ends at the next of `ends`. */
  addPacked(bytes: Uint8Array, ends: Uint32Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#offsets.pushAll(ends, this.#length);
    this.#length += bytes.length;
  }

  addText(text: string): void {
    const encoded = textEncoder().encode(text);
    this.addBytes(encoded, 0, encoded.length);
  }

  /** A row without a value has an empty one in its place. */
  addNone(): void {
    this.#offsets.push(this.#length);
  }

  get values(): PackedValues {
    return { bytes: this.#bytes.subarray(0, this.#length), offsets: this.#offsets.numbers };
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + byteLength));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
