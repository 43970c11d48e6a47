// Rice-Golomb data are read from the least significant bit of each byte up, and so are the numbers in them.

/** Reads bits of a byte array. Past its end there are none: `isPastEnd` says so, and zeros are read. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isPastEnd(): boolean {
    return this.#bit > 8 * this.#bytes.length;
  }

  /** The number of ones before the next zero, or `limit` + 1 where there are more than `limit`. */
  unary(limit: number): number {
    let ones = 0;
    while (ones <= limit && this.bits(1) === 1) ones++;
    return ones;
  }

  /** A number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let read = 0; read < count; ) {
      const inByte = this.#bit & 7;
      const taken = Math.min(8 - inByte, count - read);
      const part = ((this.#bytes[this.#bit >> 3] ?? 0) >> inByte) & (2 ** taken - 1);
      value += part * 2 ** read;
      read += taken;
      this.#bit += taken;
    }
    return value;
  }

  /** A number of any size. */
  bigBits(count: number): bigint {
    let value = 0n;
    for (let read = 0; read < count; read += 32) value |= BigInt(this.bits(Math.min(32, count - read))) << BigInt(read);
    return value;
  }
}

/** Writes bits to a growing byte array. */
export class BitWriter {
  #bytes = new Uint8Array(1 << 10);
  #bit = 0;

  unary(ones: number): void {
    for (let one = 0; one < ones; one++) this.bits(1, 1);
    this.bits(0, 1);
  }

  /** The low `count` bits of a number, up to 32. */
  bits(value: number, count: number): void {
    this.#reserve(count);
    for (let written = 0; written < count; ) {
      const inByte = this.#bit & 7;
      const taken = Math.min(8 - inByte, count - written);
      const part = Math.floor(value / 2 ** written) & (2 ** taken - 1);
      this.#bytes[this.#bit >> 3]! |= part << inByte;
      written += taken;
      this.#bit += taken;
    }
  }

  bigBits(value: bigint, count: number): void {
    for (let written = 0; written < count; written += 32) {
      this.bits(Number((value >> BigInt(written)) & 0xffff_ffffn), Math.min(32, count - written));
    }
  }

  /** What was written, the last byte filled up with zeros. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, Math.ceil(this.#bit / 8));
  }

  #reserve(count: number): void {
    if (this.#bit + count <= 8 * this.#bytes.length) return;
    const grown = new Uint8Array(2 * this.#bytes.length);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
