import { mustBeBytes, mustBeNumber, mustBeOneOf, mustBeRecord, wrongKind } from '../../core/argument.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { checkedGroup, HEAD_BYTES, headsOf, ListError, type ListPlace, packed } from './sorted-prefixes.ts';

/** Bytes per prefix that v5 can encode. */
export type RiceWidth = 4 | 8 | 16 | 32;

const RICE_WIDTHS: readonly RiceWidth[] = [4, 8, 16, 32];

/** Ascending numbers: the first, and each other one as its distance from the one before, in Rice-Golomb code. */
export interface RiceDeltas {
  /** The first number. */
  readonly firstValue: bigint;
  /** Low bits of a distance that are written as they are; the rest of it is written as so many ones. */
  readonly riceParameter: number;
  /** Numbers after the first. */
  readonly entriesCount: number;
  /** The distances. */
  readonly encodedData: Uint8Array;
}

/**
 * The Rice parameters of numbers of 32 bits, RiceDeltaEncoded32Bit. Wider numbers have the same ranges above their lower
 * limbs: 35 to 62, 99 to 126 …
 */
const [LEAST_PARAMETER, MOST_PARAMETER] = [3, 30];

const LIMB_BITS = 32;
const LIMB_END = 2 ** LIMB_BITS;

/**
 * The prefixes of RiceDeltaEncoded32Bit, …64Bit, …128Bit or …256Bit (Safe Browsing v5): big-endian numbers.
 *
 * @param deltas as the message has them; the bits after the last distance do not matter
 * @param width bytes per prefix: 4, 8, 16 or 32
 * @returns `width` bytes per prefix, ascending, without duplicates; at most 8 bytes per byte of data, plus one
 * prefix
 * @throws {TypeError} where the deltas, or a part of them, are of the wrong kind
 * @throws {ListError} where the parameter or the count is out of range, the data end too early, or a number is too
 * large or repeated
 * @see https://developers.google.com/safe-browsing/reference/rest/v5/hashList
 * @example
 * const deltas = { firstValue: 0x30303030n, riceParameter: 3, entriesCount: 2, encodedData: Uint8Array.of(0x22) };
 * decodeRice(deltas, 4); //=> Uint8Array(12) [48, 48, 48, 48, 48, 48, 48, 49, 48, 48, 48, 50]
 */
export function decodeRice(deltas: RiceDeltas, width: 4 | 8 | 16 | 32): Uint8Array<ArrayBuffer> {
  mustBeOneOf('width', width, RICE_WIDTHS);
  return decodeNumbers(mustBeDeltas(deltas), width, 'additions');
}

function mustBeDeltas(deltas: RiceDeltas): RiceDeltas {
  const { firstValue, riceParameter, entriesCount, encodedData } = mustBeRecord('deltas', deltas);
  if (typeof firstValue !== 'bigint') throw wrongKind('deltas.firstValue', 'a bigint', firstValue);
  mustBeNumber('deltas.riceParameter', riceParameter);
  mustBeNumber('deltas.entriesCount', entriesCount);
  mustBeBytes('deltas.encodedData', encodedData);
  return deltas;
}

/**
 * The deltas that `decodeRice` takes, with the parameter that fits evenly spread prefixes.
 *
 * @param prefixes packed, ascending, without duplicates, at least one
 * @param width bytes per prefix: 4, 8, 16 or 32
 * @throws {TypeError} where `prefixes` is not a Uint8Array
 * @throws {ListError} where the prefixes do not ascend, or do not fill their bytes
 * @throws {RangeError} where `prefixes` is empty, or `width` is not one of these numbers
 * @example
 * encodeRice(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 9), 4).firstValue; //=> 1n
 */
export function encodeRice(prefixes: Uint8Array, width: 4 | 8 | 16 | 32): RiceDeltas {
  mustBeOneOf('width', width, RICE_WIDTHS);
  if (mustBeBytes('prefixes', prefixes).length === 0) throw new RangeError('there is no prefix to encode');
  return encodeNumbers(checkedGroup(prefixes, width).prefixes, width);
}

/** Decodes ascending indices of entries. @throws {ListError} */
export function decodeIndices(deltas: RiceDeltas): Uint32Array<ArrayBuffer> {
  return headsOf(decodeNumbers(deltas, 4, 'removals'), HEAD_BYTES);
}

/** Encodes one or more ascending indices. */
export function encodeIndices(indices: Uint32Array): RiceDeltas {
  return encodeNumbers(packed(indices), 4);
}

/**
 * Decodes numbers of `byteLength` bytes as limbs of 32 bits, the lowest first. A Rice parameter extends into the
 * highest limb, so that limb takes the part that is written as ones.
 */
function decodeNumbers(deltas: RiceDeltas, byteLength: number, place: ListPlace): Uint8Array<ArrayBuffer> {
  const { entriesCount, riceParameter, encodedData } = deltas;
  const limbs = limbsOf(deltas.firstValue, byteLength, place);
  const highest = limbs.length - 1;
  checkCount(deltas, highest * LIMB_BITS, place);
  const highestBits = riceParameter - highest * LIMB_BITS;
  const maxOnes = 2 ** (LIMB_BITS - highestBits) - 1;
  const reader = new BitReader(encodedData);
  const bytes = new Uint8Array(byteLength * (1 + entriesCount));
  const view = new DataView(bytes.buffer);
  for (let index = 0; ; index++) {
    for (let limb = 0; limb <= highest; limb++) view.setUint32(byteLength * (index + 1) - 4 * limb - 4, limbs[limb]!);
    if (index === entriesCount) return bytes;
    const ones = reader.unary(maxOnes);
    let seen = ones;
    let carry = 0;
    for (let limb = 0; limb < highest; limb++) {
      const part = reader.bits(LIMB_BITS);
      const sum = limbs[limb]! + part + carry;
      limbs[limb] = sum; // modulo 2^32
      carry = sum >= LIMB_END ? 1 : 0;
      seen |= part;
    }
    const part = reader.bits(highestBits);
    const sum = limbs[highest]! + part + ones * 2 ** highestBits + carry;
    limbs[highest] = sum;
    if (ones > maxOnes) throw new ListError(place, 'rice-overflow', `distance ${index} has more than ${maxOnes} ones`);
    if (reader.isPastEnd) throw new ListError(place, 'rice-truncated', `the data end in distance ${index}`);
    if (sum >= LIMB_END) throw tooLarge(place, index + 1, byteLength);
    if ((seen | part) === 0) throw new ListError(place, 'repeated-entry', `distance ${index} is zero`);
  }
}

/** Checks the count against the data, before memory is allocated. */
function checkCount(deltas: RiceDeltas, lowerBits: number, place: ListPlace): void {
  const { entriesCount, riceParameter, encodedData } = deltas;
  if (!Number.isSafeInteger(entriesCount) || entriesCount < 0)
    throw new ListError(place, 'rice-count', `the number of distances is ${entriesCount}`);
  if (entriesCount === 0) return; // the parameter is zero then
  const [least, max] = [LEAST_PARAMETER + lowerBits, MOST_PARAMETER + lowerBits];
  if (!Number.isInteger(riceParameter) || riceParameter < least || riceParameter > max)
    throw new ListError(place, 'rice-parameter', `the Rice parameter is ${riceParameter}, not ${least} to ${max}`);
  const maxCount = Math.floor((8 * encodedData.length) / (riceParameter + 1));
  if (entriesCount > maxCount) {
    const text = `${encodedData.length} bytes hold at most ${maxCount} distances, not ${entriesCount}`;
    throw new ListError(place, 'rice-truncated', text);
  }
}

function encodeNumbers(bytes: Uint8Array, byteLength: number): RiceDeltas {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const highest = byteLength / 4 - 1;
  const entriesCount = bytes.length / byteLength - 1;
  const firstValue = bigEndian(view, byteLength);
  if (entriesCount === 0) return { firstValue, riceParameter: 0, entriesCount, encodedData: new Uint8Array(0) };
  const highestBits = fittingBits(view.getUint32(bytes.length - byteLength) - view.getUint32(0), entriesCount);
  const writer = new BitWriter();
  const distance = new Uint32Array(highest + 1);
  for (let at = byteLength; at < bytes.length; at += byteLength) {
    subtract(view, at, byteLength, distance);
    writer.unary(distance[highest]! >>> highestBits);
    for (let limb = 0; limb < highest; limb++) writer.bits(distance[limb]!, LIMB_BITS);
    writer.bits(distance[highest]!, highestBits);
  }
  return { firstValue, riceParameter: highest * LIMB_BITS + highestBits, entriesCount, encodedData: writer.take() };
}

/** Returns the logarithm of the mean distance: a guess that is off by one takes 0.1 bits more per number. */
function fittingBits(spread: number, count: number): number {
  return Math.max(LEAST_PARAMETER, Math.min(MOST_PARAMETER, 31 - Math.clz32(spread / count)));
}

/** Writes the number at `at` minus the one before it to `distance`, the lowest limb first. */
function subtract(view: DataView, at: number, byteLength: number, distance: Uint32Array): void {
  let borrow = 0;
  for (let limb = 0; limb < distance.length; limb++) {
    const address = at + byteLength - 4 * limb - 4;
    const difference = view.getUint32(address) - view.getUint32(address - byteLength) - borrow;
    distance[limb] = difference; // modulo 2^32
    borrow = difference < 0 ? 1 : 0;
  }
}

function limbsOf(value: bigint, byteLength: number, place: ListPlace): Uint32Array {
  if (value < 0n || value >> BigInt(8 * byteLength) !== 0n) throw tooLarge(place, 0, byteLength);
  return Uint32Array.from({ length: byteLength / 4 }, (_, limb) =>
    Number((value >> BigInt(LIMB_BITS * limb)) & 0xffff_ffffn),
  );
}

function tooLarge(place: ListPlace, index: number, byteLength: number): ListError {
  return new ListError(place, 'rice-overflow', `number ${index} is not one of ${8 * byteLength} bits`);
}

function bigEndian(view: DataView, byteLength: number): bigint {
  let value = 0n;
  for (let at = 0; at < byteLength; at += 4) value = (value << 32n) | BigInt(view.getUint32(at));
  return value;
}

// Rice-Golomb data are read from the least significant bit of each byte up, and so are the numbers in them.

/** Reads bits of a byte array. Past its end it reads zeros, and `isPastEnd` is true. */
class BitReader {
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
class BitWriter {
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
