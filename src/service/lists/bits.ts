import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';

// Rice-Golomb data are read from the least significant bit of each byte up, and so are the numbers in them.

/** Reads bits of a byte array. Past its end it reads zeros, and `isPastEnd` is true. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #byte = 0;
  /** Bits of that byte that have been read: 0 to 7. Kept apart because 512 MiB have more bits than an int32 counts. */
  #shift = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isPastEnd(): boolean {
    return this.#byte + this.#shift / 8 > this.#bytes.length;
  }

  /** Reads ones and the zero after them. Returns the number of ones; if it exceeds `limit`, only some are read. */
  unary(limit: number): number {
    for (let ones = 0; ; ) {
      const zeros = ~this.#next32();
      if (zeros !== 0) {
        const run = 31 - Math.clz32(zeros & -zeros);
        this.#skip(run + 1);
        return ones + run;
      }
      this.#skip(32);
      ones += 32;
      if (ones > limit) return ones;
    }
  }

  /** Reads a number of up to 32 bits. */
  bits(count: number): number {
    const next = this.#next32();
    this.#skip(count);
    return (count === 32 ? next : next & (2 ** count - 1)) >>> 0;
  }

  #next32(): number {
    const bytes = this.#bytes;
    const at = this.#byte;
    const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    return this.#shift === 0 ? low : (low >>> this.#shift) | (bytes[at + 4]! << (32 - this.#shift));
  }

  #skip(count: number): void {
    const bit = this.#shift + count;
    this.#byte += bit >> 3;
    this.#shift = bit & 7;
  }
}

/** Writes bits to bytes. */
export class BitWriter {
  readonly #bytes = new GrowingBytes(1 << 10);
  /** The byte that is not full: its lowest bits, and their number. */
  #byte = 0;
  #shift = 0;

  /** Writes `ones` ones and a zero. */
  unary(ones: number): void {
    for (let rest = ones; rest > 0; rest -= 31) this.bits(0x7fff_ffff, Math.min(31, rest));
    this.bits(0, 1);
  }

  /** Writes the low `count` bits of a number, up to 32. */
  bits(value: number, count: number): void {
    const bytes = this.#bytes.room(5);
    let at = this.#bytes.length;
    let [byte, shift] = [this.#byte, this.#shift]; // in locals: fields of the class are read again in each iteration
    for (let written = 0; written < count; ) {
      const taken = Math.min(8 - shift, count - written);
      byte |= ((value >>> written) & (2 ** taken - 1)) << shift;
      written += taken;
      shift += taken;
      if (shift < 8) break;
      bytes[at++] = byte;
      byte = shift = 0;
    }
    this.#byte = byte;
    this.#shift = shift;
    this.#bytes.length = at;
  }

  /** Returns the bytes written, the last one padded with zeros. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#shift > 0) this.bits(0, 8 - this.#shift);
    return this.#bytes.take().slice();
  }
}
