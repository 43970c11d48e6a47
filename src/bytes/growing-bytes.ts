import { textEncoder } from './utf8.ts';

const FIRST_CAPACITY = 1 << 16;

const HEX_DIGITS = '0123456789abcdef';

/** Both digits of a byte, the first in the lower half: one store per byte takes half the time of two. */
export const HEX_PAIRS = /* @__PURE__ */ Uint16Array.from(
  { length: 256 },
  (_, byte) => HEX_DIGITS.charCodeAt(byte >> 4) | (HEX_DIGITS.charCodeAt(byte & 15) << 8),
);

/** Texts of this many UTF-16 units or more are encoded separately: room for their longest form may be too much. */
const LONG_UNITS = 1 << 20;

/** Bytes in one buffer that doubles when it is full, and is reused after each take. */
export class GrowingBytes {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = viewOf(this.#bytes);
  #length = 0;

  /** The number of bytes since the last take. */
  get length(): number {
    return this.#length;
  }

  /** Returns memory with room for `byteLength` bytes from `length` on; the caller then sets `length` to their end. */
  room(byteLength: number): Uint8Array {
    this.#reserve(byteLength);
    return this.#bytes;
  }

  set length(length: number) {
    this.#length = length;
  }

  /** Returns what was written since the last take, valid until the next write. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes four bytes, the lowest first; `setUint32` can later replace them. */
  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  setUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  bytes(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(source.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  hex(source: Uint8Array, start: number, end: number): void {
    this.#reserve(2 * (end - start));
    const view = this.#view; // in a local: fields of the class are read again in each iteration
    let to = this.#length;
    for (let at = start; at < end; at++, to += 2) view.setUint16(to, HEX_PAIRS[source[at]!]!, true);
    this.#length = to;
  }

  /** Writes a few bytes in a loop: `bytes` makes a view first. */
  fewBytes(source: Uint8Array, start = 0, end = source.length): void {
    this.#reserve(end - start);
    const bytes = this.#bytes;
    for (let at = start, to = this.#length; at < end; at++, to++) bytes[to] = source[at]!;
    this.#length += end - start;
  }

  text(value: string): void {
    if (value.length >= LONG_UNITS) {
      const encoded = textEncoder().encode(value);
      return this.bytes(encoded, 0, encoded.length);
    }
    this.#reserve(3 * value.length);
    this.#length += textEncoder().encodeInto(value, this.#bytes.subarray(this.#length)).written;
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + byteLength));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
