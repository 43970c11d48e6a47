// Runs of repeated values and of packed ones: the RLE/bit-packing hybrid, in which levels and indices are.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/

/** The width that an index has where its page ends before it. */
export const NO_WIDTH = 255;

/** Packed values come in groups of eight, and some writers fill up a run of groups. */
const PADDING_VALUES = 512;

/** Reads runs, a few values at a time: a page may have millions. */
export class Runs {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  /** How many values there are at most, from the next run on. */
  #rest: number;
  /** Where the next run begins, or the packed values of this one do. */
  #at: number;
  /** What is left of the run: values from the bit `#bit` on, or `#value` each time. */
  #left = 0;
  #bit = 0;
  #isPacked = false;
  #value = 0;

  constructor(bytes: Uint8Array, start: number, width: number, count: number) {
    this.#bytes = bytes;
    this.#width = width;
    this.#rest = count;
    this.#at = start;
  }

  /** Returns a reader of values that are packed without a run, such as plain booleans. */
  static packed(bytes: Uint8Array, width: number, count: number): Runs {
    const runs = new Runs(bytes, 0, width, count);
    runs.#isPacked = true;
    runs.#left = count;
    return runs;
  }

  /** Reads as many values as there is room for. @throws where the page ends before them */
  read<T extends Uint8Array | Uint32Array>(values: T): T {
    for (let done = 0; done < values.length; ) {
      if (this.#left === 0) this.#begin();
      const next = Math.min(values.length, done + this.#left);
      if (this.#isPacked) this.#unpack(values, done, next);
      else values.fill(this.#value, done, next);
      this.#left -= next - done;
      done = next;
    }
    return values;
  }

  #begin(): void {
    if (this.#width > 32) throw new Error('values of a page have too many bits');
    if (this.#width === 0) return void (this.#left = this.#rest); // an index without bits is 0
    if (this.#isPacked) this.#at += this.#bit / 8;
    const head = varintAt(this.#bytes, this.#at);
    this.#at = head.next;
    this.#bit = 0;
    this.#isPacked = head.value % 2 === 1;
    this.#left = this.#isPacked ? 4 * (head.value - 1) : head.value / 2;
    if (this.#left > this.#rest + (this.#isPacked ? PADDING_VALUES : 0))
      throw new Error('a run of a page has too many values');
    this.#rest -= this.#left;
    if (this.#isPacked) return;
    const byteLength = Math.ceil(this.#width / 8);
    mustHaveBits(this.#bytes, this.#at, 8 * byteLength);
    this.#value = bitsAt(this.#bytes, this.#at, 0, 8 * byteLength);
    this.#at += byteLength;
  }

  #unpack(values: Uint8Array | Uint32Array, first: number, next: number): void {
    const [bytes, start, width] = [this.#bytes, this.#at, this.#width];
    let bit = this.#bit;
    this.#bit += (next - first) * width;
    mustHaveBits(bytes, start, this.#bit);
    for (let index = first; index < next; index++, bit += width) values[index] = bitsAt(bytes, start, bit, width);
  }
}

/** @throws where the bytes end before so many bits from `start` on */
export function mustHaveBits(bytes: Uint8Array, start: number, bits: number): void {
  if (start + Math.ceil(bits / 8) > bytes.length) throw new Error('values of a page are longer than the page');
}

/** Bits that lie in four bytes, wherever they begin. */
const SHORT_BITS = 25;

/** Returns the value of `width` bits, up to 53. Bytes after the end count as 0. */
export function bitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  if (width > SHORT_BITS) return longBitsAt(bytes, start, bit, width);
  const at = start + (bit >> 3);
  const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return (four >>> (bit & 7)) & ((1 << width) - 1);
}

function longBitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  let [value, factor] = [0, 1];
  for (let done = 0; done < width; ) {
    const from = (bit + done) & 7;
    const taken = Math.min(8 - from, width - done);
    value += (((bytes[start + ((bit + done) >> 3)] ?? 0) >> from) & ((1 << taken) - 1)) * factor;
    factor *= 2 ** taken;
    done += taken;
  }
  return value;
}

export function varintAt(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let [value, factor] = [0, 1];
  for (let at = start; at < Math.min(bytes.length, start + 10); factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
  throw new Error('a number of a page has no end');
}
