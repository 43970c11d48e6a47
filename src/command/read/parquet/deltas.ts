import { concatBytes } from '../../../core/bytes/concat.ts';
import type { Cells } from './page-cells.ts';
import { bitsAt, mustHaveBits, varintAt } from './runs.ts';

// Values that are stored as their difference from the one before: integers, and texts by the lengths of their parts.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/

/** Values of a block: writers have 128 and more. */
const BLOCK_LIMIT = 1 << 16;

/** Reads integers, a few at a time. */
export class Deltas {
  /** How many there are, after those that were read. */
  count: number;
  readonly #bytes: Uint8Array;
  readonly #miniblocks: number;
  readonly #perMiniblock: number;
  /** The bits of values in each miniblock of a block, and which of them is read. */
  #widths: Uint8Array = new Uint8Array(0);
  #miniblock = 0;
  /** The miniblock, and what is left of it: `#left` values from the bit `#bit` on. */
  #at: number;
  #byteLength = 0;
  #left = 1;
  #bit = 0;
  #width = 0;
  #least = 0n;
  #value: bigint;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
    const [blockCount, miniblocks, count] = [this.#varint(), this.#varint(), this.#varint()].map(Number);
    this.count = count!;
    this.#miniblocks = miniblocks!;
    this.#perMiniblock = blockCount! / miniblocks!;
    if (!(blockCount! > 0 && blockCount! <= BLOCK_LIMIT && this.#perMiniblock % 32 === 0))
      throw new Error('deltas of a page have blocks of no size');
    this.#value = this.#signed(); // the first value, as a miniblock of one that adds nothing to it
  }

  /** Where the integers end, once all were read. */
  get end(): number {
    return this.#at + this.#byteLength;
  }

  /** Reads as many values as there is room for. @throws where the page ends before them */
  read<T extends Int32Array | BigInt64Array>(values: T): T {
    this.count -= values.length;
    if (this.count < 0) throw new Error(OTHER_COUNT);
    for (let done = 0; done < values.length; ) {
      if (this.#left === 0) this.#begin();
      const next = Math.min(values.length, done + this.#left);
      mustHaveBits(this.#bytes, this.#at, this.#bit + (next - done) * this.#width);
      if (values instanceof Int32Array) this.#addShort(values, done, next);
      else this.#addLong(values, done, next);
      this.#left -= next - done;
      done = next;
    }
    return values;
  }

  #begin(): void {
    this.#at += this.#byteLength;
    if (this.#miniblock === this.#widths.length) {
      this.#least = this.#signed();
      this.#widths = this.#bytes.subarray(this.#at, (this.#at += this.#miniblocks));
      this.#miniblock = 0;
    }
    this.#width = this.#widths[this.#miniblock++] ?? TOO_WIDE;
    if (this.#width > 64) throw new Error('deltas of a page have too many bits');
    this.#byteLength = (this.#perMiniblock * this.#width) / 8;
    this.#left = this.#perMiniblock;
    this.#bit = 0;
  }

  #addShort(values: Int32Array, first: number, next: number): void {
    const [bytes, start, width, least] = [this.#bytes, this.#at, this.#width, Number(BigInt.asIntN(32, this.#least))];
    const lowBits = Math.min(width, 32); // sums wrap at 32 bits, and a number has not 64
    let [value, bit] = [Number(BigInt.asIntN(32, this.#value)), this.#bit];
    for (let index = first; index < next; index++, bit += width)
      values[index] = value = (value + least + bitsAt(bytes, start, bit, lowBits)) | 0;
    this.#value = BigInt(value);
    this.#bit = bit;
  }

  #addLong(values: BigInt64Array, first: number, next: number): void {
    const [bytes, start, width, least] = [this.#bytes, this.#at, this.#width, this.#least];
    const lowBits = Math.min(width, 32);
    let [value, bit] = [this.#value, this.#bit];
    for (let index = first; index < next; index++, bit += width) {
      let delta = BigInt(bitsAt(bytes, start, bit, lowBits));
      if (width > lowBits) delta += BigInt(bitsAt(bytes, start, bit + lowBits, width - lowBits)) << 32n;
      values[index] = value = BigInt.asIntN(64, value + least + delta);
    }
    this.#value = value;
    this.#bit = bit;
  }

  #varint(): bigint {
    const { value, next } = varintAt(this.#bytes, this.#at);
    // a number of more than seven bytes has lost its lowest bits
    const exact = value < Number.MAX_SAFE_INTEGER ? BigInt(value) : longVarint(this.#bytes.subarray(this.#at, next));
    this.#at = next;
    return exact;
  }

  #signed(): bigint {
    const value = this.#varint();
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }
}

const OTHER_COUNT = 'deltas of a page are of another number of values';

/** The width that a miniblock has where its page ends before it. */
const TOO_WIDE = 255;

function longVarint(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 127), 0n);
}

/** Bytes of the texts of a page: each may repeat all of the one before it, and nearly nothing be stored. */
const TEXTS_LIMIT = 1 << 28;

/** Texts of which the lengths come first, and then all bytes; or before these, what each repeats of the one before. */
export class DeltaTexts implements Cells {
  readonly length: number;
  readonly #bytes: Uint8Array;
  /** Where the bytes of each text end. */
  readonly #ends: Uint32Array;
  /** How many bytes each text repeats. */
  readonly #prefixes: Int32Array | undefined;
  /** The last text that was put together: they are asked for in sequence. */
  #text: Uint8Array = new Uint8Array(0);
  #index = -1;

  /** @throws where a text is longer than the page, or repeats more than there is */
  constructor(bytes: Uint8Array, hasPrefixes: boolean, limit: number) {
    const prefixes = hasPrefixes ? lengthsIn(bytes, 0, limit) : undefined;
    const lengths = lengthsIn(bytes, prefixes?.end ?? 0, limit);
    this.#bytes = bytes.subarray(lengths.end);
    this.#prefixes = prefixes?.lengths;
    this.#ends = new Uint32Array(lengths.lengths.length);
    this.length = this.#ends.length;
    if (prefixes !== undefined && prefixes.lengths.length !== this.length) throw new Error(OTHER_COUNT);
    let [end, before, total] = [0, 0, 0];
    for (let index = 0; index < this.length; index++) {
      const [length, prefix] = [lengths.lengths[index]!, prefixes?.lengths[index] ?? 0];
      if (length < 0 || prefix < 0 || prefix > before) throw new Error('a value of a page repeats more than there is');
      end += length;
      if (end > this.#bytes.length) throw new Error('a value of a page is longer than the page');
      this.#ends[index] = end;
      before = prefix + length;
      total += before;
    }
    if (total > TEXTS_LIMIT) throw new Error(`a page has ${total} bytes in values that repeat each other`);
  }

  at(index: number): Uint8Array {
    if (this.#prefixes === undefined) return this.#bytes.subarray(this.#startOf(index), this.#ends[index]);
    while (this.#index < index) this.#next(this.#prefixes[++this.#index]!);
    return this.#text;
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]!;
  }

  #next(prefix: number): void {
    const rest = this.#bytes.subarray(this.#startOf(this.#index), this.#ends[this.#index]);
    this.#text = concatBytes([this.#text.subarray(0, prefix), rest]);
  }
}

function lengthsIn(bytes: Uint8Array, start: number, limit: number) {
  const deltas = new Deltas(bytes, start);
  if (deltas.count > limit) throw new Error(OTHER_COUNT);
  const lengths = deltas.read(new Int32Array(deltas.count));
  return { lengths, end: deltas.end };
}
