// What the numeric and vector instructions do to terms (WebAssembly Core Specification 2.0, §4.3). What cannot be said of
// a term, and is not needed of one, is an error: `DependsOnContents` for an address, a branch or a count.
import { add, and, type Byte, byteOfWord, or, rotr, shl, shr, subtract, type Word, wordOfBytes, xor } from './terms.ts';

/** Four words, lane 0 first. */
export type Vector = readonly Word[];

/** An i64 whose two words are not both known; where they are, it is a bigint. */
export class Long {
  readonly low: Word;
  readonly high: Word;

  constructor(low: Word, high: Word) {
    this.low = low;
    this.high = high;
  }
}

export type Value = Word | bigint | Long | Vector | object;
export type Operation = (...operands: never[]) => Value;

/** Control flow, an address or a count that the contents of memory decide. */
export class DependsOnContents extends Error {}

export function known(word: Value): number {
  if (typeof word === 'number') return word;
  throw new DependsOnContents('depends on the contents of memory');
}

export function bytesOf(vector: Vector): (number | Byte)[] {
  return Array.from({ length: 16 }, (_, index) => byteOfWord(vector[index >> 2]!, index & 3));
}

export function vectorOf(bytes: readonly (number | Byte)[]): Vector {
  return [0, 4, 8, 12].map((at) => wordOfBytes(bytes.slice(at, at + 4)));
}

export function longOf(low: Word, high: Word): bigint | Long {
  if (typeof low !== 'number' || typeof high !== 'number') return new Long(low, high);
  return (BigInt(high) << 32n) | BigInt(low);
}

export function lowOf(long: Value): Word {
  return long instanceof Long ? long.low : Number(BigInt.asUintN(32, long as bigint));
}

export function highOf(long: Value): Word {
  return long instanceof Long ? long.high : Number((long as bigint) >> 32n);
}

/** An instruction on words of which all must be known. */
function ofNumbers(operate: (x: number, y: number) => number): Operation {
  return (x: Word, y: Word) => operate(known(x), known(y)) >>> 0;
}

function ofNumber(operate: (x: number) => number): Operation {
  return (x: Word) => operate(known(x)) >>> 0;
}

const test = (is: (x: number, y: number) => boolean): Operation => ofNumbers((x, y) => Number(is(x, y)));

function ofLongs(operate: (x: bigint, y: bigint) => bigint): Operation {
  return (x: Value, y: Value) => BigInt.asUintN(64, operate(knownLong(x), knownLong(y)));
}

const testOfLongs = (is: (x: bigint, y: bigint) => boolean): Operation => {
  return (x: Value, y: Value) => Number(is(knownLong(x), knownLong(y)));
};

function knownLong(long: Value): bigint {
  if (typeof long === 'bigint') return long;
  throw new DependsOnContents('depends on the contents of memory');
}

/** A bitwise operation, word by word. */
function bitwise(operate: (x: Word, y: Word) => Word) {
  const words: Operation = operate;
  const longs: Operation = (x: Value, y: Value) => {
    return longOf(operate(lowOf(x), lowOf(y)), operate(highOf(x), highOf(y)));
  };
  const vectors: Operation = (x: Vector, y: Vector) => x.map((word, lane) => operate(word, y[lane]!));
  return { words, longs, vectors };
}

const [AND, OR, XOR] = [bitwise(and), bitwise(or), bitwise(xor)];

/** The zeros above the lowest one. */
const trailingZeros = (x: number): number => (x === 0 ? 32 : 31 - Math.clz32(x & -x));

function trailingZerosOfLong(x: bigint): bigint {
  const low = Number(BigInt.asUintN(32, x));
  return BigInt(low === 0 ? 32 + trailingZeros(Number(x >> 32n)) : trailingZeros(low));
}

function onesOf(x: bigint): bigint {
  return BigInt(x.toString(2).replaceAll('0', '').length);
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'i32.eqz': ofNumber((x) => Number(x === 0)),
  'i32.eq': test((x, y) => x === y),
  'i32.ne': test((x, y) => x !== y),
  'i32.lt_u': test((x, y) => x < y),
  'i32.le_u': test((x, y) => x <= y),
  'i32.gt_u': test((x, y) => x > y),
  'i32.ge_u': test((x, y) => x >= y),
  'i32.lt_s': test((x, y) => (x | 0) < (y | 0)),
  'i32.le_s': test((x, y) => (x | 0) <= (y | 0)),
  'i32.gt_s': test((x, y) => (x | 0) > (y | 0)),
  'i32.ge_s': test((x, y) => (x | 0) >= (y | 0)),
  'i32.clz': ofNumber(Math.clz32),
  'i32.ctz': ofNumber(trailingZeros),
  'i32.add': add as Operation,
  'i32.sub': subtract as Operation,
  'i32.mul': ofNumbers(Math.imul),
  'i32.div_u': ofNumbers((x, y) => Math.floor(x / divisor(y))),
  'i32.rem_u': ofNumbers((x, y) => x % divisor(y)),
  'i32.and': AND.words,
  'i32.or': OR.words,
  'i32.xor': XOR.words,
  'i32.shl': (x: Word, count: Word) => shl(x, known(count)),
  'i32.shr_u': (x: Word, count: Word) => shr(x, known(count)),
  'i32.shr_s': ofNumbers((x, y) => x >> y),
  'i32.rotl': (x: Word, count: Word) => rotr(x, -known(count)),
  'i32.rotr': (x: Word, count: Word) => rotr(x, known(count)),

  'i64.eqz': (x: Value) => Number(knownLong(x) === 0n),
  'i64.eq': testOfLongs((x, y) => x === y),
  'i64.ne': testOfLongs((x, y) => x !== y),
  'i64.lt_u': testOfLongs((x, y) => x < y),
  'i64.gt_u': testOfLongs((x, y) => x > y),
  'i64.ctz': (x: Value) => trailingZerosOfLong(knownLong(x)),
  'i64.popcnt': (x: Value) => onesOf(knownLong(x)),
  'i64.add': ofLongs((x, y) => x + y),
  'i64.sub': ofLongs((x, y) => x - y),
  'i64.mul': ofLongs((x, y) => x * y),
  'i64.div_u': ofLongs((x, y) => x / y),
  'i64.and': AND.longs,
  'i64.or': OR.longs,
  'i64.xor': XOR.longs,
  'i64.shl': ofLongs((x, y) => x << (y & 63n)),
  'i64.shr_u': ofLongs((x, y) => x >> (y & 63n)),

  'f64.floor': (x: number) => Math.floor(x),
  'f64.sqrt': (x: number) => Math.sqrt(x),
  'f64.add': (x: number, y: number) => x + y,
  'f64.sub': (x: number, y: number) => x - y,
  'f64.mul': (x: number, y: number) => x * y,
  'f64.div': (x: number, y: number) => x / y,

  'i32.wrap_i64': (x: Value) => lowOf(x),
  'i64.extend_i32_s': (x: Word) => BigInt.asUintN(64, BigInt(known(x) | 0)),
  'i64.extend_i32_u': (x: Word) => longOf(x, 0),
  'f64.convert_i32_u': (x: Word) => known(x),
  'i32.trunc_sat_f64_u': (x: number) => (x > 0 ? Math.min(Math.trunc(x), 0xffffffff) : 0),
  'i64.trunc_sat_f64_s': (x: number) => BigInt.asUintN(64, saturated(x)),

  'v128.and': AND.vectors,
  'v128.or': OR.vectors,
  'v128.xor': XOR.vectors,
  'i8x16.splat': (x: Word) => vectorOf(new Array(16).fill(byteOfWord(x, 0))),
  'i32x4.splat': (x: Word) => [x, x, x, x],
  'i32x4.add': (x: Vector, y: Vector) => x.map((word, lane) => add(word, y[lane]!)),
  'i32x4.shl': (x: Vector, count: Word) => x.map((word) => shl(word, known(count))),
  'i32x4.shr_u': (x: Vector, count: Word) => x.map((word) => shr(word, known(count))),
  'i16x8.shr_u': (x: Vector, count: Word) => x.map((word) => shiftedHalves(word, known(count) & 15)),
  'i8x16.swizzle': (x: Vector, indices: Vector) => {
    const bytes = bytesOf(x);
    return vectorOf(bytesOf(indices).map((index) => bytes[known(index)] ?? 0));
  },
};

/** Each 16 bits of a word, shifted by itself. */
function shiftedHalves(word: Word, count: number): Word {
  const half = 0xffff >>> count;
  return and(shr(word, count), ((half << 16) | half) >>> 0);
}

/** §4.3.2: an undefined result is a trap. */
function divisor(y: number): number {
  if (y === 0) throw new Error('division by zero');
  return y;
}

function saturated(x: number): bigint {
  if (Number.isNaN(x)) return 0n;
  if (x >= 2 ** 63) return 2n ** 63n - 1n;
  return x <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(x));
}

/** The instructions whose immediates are lanes. */
export const LANE_OPERATIONS: Readonly<Record<string, (lanes: readonly number[], ...operands: never[]) => Value>> = {
  'i8x16.shuffle': (lanes, x: Vector, y: Vector) => {
    const bytes = [...bytesOf(x), ...bytesOf(y)];
    return vectorOf(lanes.map((lane) => bytes[lane]!));
  },
  'i32x4.replace_lane': ([lane], x: Vector, word: Word) => x.with(lane!, word),
};
