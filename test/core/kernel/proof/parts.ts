// Numbers as sums of functions of unknowns that are independent of each other: `12 * a + f(b)`, each function a table of
// its values. Division, masks and shifts of such a sum are again one where nothing is carried from one table to another;
// where that cannot be seen from the tables, it is an error. This is enough for digits that are computed side by side.
import { DependsOnContents, OPERATIONS, type Operation, type Value } from './operations.ts';

/** An unknown number from `least` to `most`. */
export interface Unknown {
  readonly least: number;
  readonly most: number;
}

/** Modulo 2^64: a constant, and for each unknown a value for each of its numbers, the least first. */
export class Parts {
  readonly constant: bigint;
  readonly tables: ReadonlyMap<Unknown, readonly bigint[]>;

  constructor(constant: bigint, tables: ReadonlyMap<Unknown, readonly bigint[]>) {
    this.constant = constant;
    this.tables = tables;
  }
}

type Number64 = bigint | Parts;

const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
function largest(values: readonly bigint[]): bigint {
  let most = values[0]!;
  for (const value of values) if (value > most) most = value;
  return most;
}

function smallest(values: readonly bigint[]): bigint {
  let least = values[0]!;
  for (const value of values) if (value < least) least = value;
  return least;
}

const allBits = (values: readonly bigint[]): bigint => values.reduce((bits, value) => bits | value, 0n);

/** The sum of these functions of unknowns; a function with one value is a constant. */
export function partsOf(constant: bigint, functions: Iterable<readonly [Unknown, readonly bigint[]]>): Number64 {
  const tables = new Map<Unknown, readonly bigint[]>();
  for (const [unknown, values] of functions) {
    if (values.every((value) => value === values[0])) constant += values[0]!;
    else tables.set(unknown, values.map(unsigned));
  }
  return tables.size === 0 ? unsigned(constant) : new Parts(unsigned(constant), tables);
}

/** The values of a function of an unknown. */
export function tableOf({ least, most }: Unknown, valueOf: (number: bigint) => bigint): bigint[] {
  return Array.from({ length: most - least + 1 }, (_, index) => valueOf(BigInt(least + index)));
}

const constantOf = (x: Number64): bigint => (typeof x === 'bigint' ? x : x.constant);
const tablesOf = (x: Number64): [Unknown, readonly bigint[]][] => (typeof x === 'bigint' ? [] : [...x.tables]);
const mostOf = (x: Number64): bigint => tablesOf(x).reduce((sum, [, values]) => sum + largest(values), constantOf(x));
const leastOf = (x: Number64): bigint => tablesOf(x).reduce((sum, [, values]) => sum + smallest(values), constantOf(x));

export function plus(x: Number64, y: Number64): Number64 {
  const tables = new Map(tablesOf(x));
  for (const [unknown, values] of tablesOf(y)) {
    const others = tables.get(unknown);
    tables.set(unknown, others === undefined ? values : values.map((value, index) => unsigned(value + others[index]!)));
  }
  return partsOf(constantOf(x) + constantOf(y), tables);
}

export function times(x: Number64, factor: bigint): Number64 {
  return partsOf(
    constantOf(x) * factor,
    tablesOf(x).map(([unknown, values]) => [unknown, values.map((value) => value * factor)]),
  );
}

export function minus(x: Number64, y: Number64): Number64 {
  return plus(x, times(y, -1n));
}

/** Rounds down, as `div_u` and `shr_u` do. */
export function dividedBy(x: Number64, divisor: bigint): Number64 {
  if (mostOf(x) >= 2n ** 64n) throw new DependsOnContents('a sum may wrap before it is divided');
  const isMultiple = ([, values]: readonly [Unknown, readonly bigint[]]) =>
    values.every((value) => value % divisor === 0n);
  const rest = tablesOf(x).filter((table) => !isMultiple(table));
  const quotients = tablesOf(x)
    .filter(isMultiple)
    .map(([unknown, values]): [Unknown, readonly bigint[]] => [unknown, values.map((value) => value / divisor)]);
  const constant = constantOf(x);
  if (rest.length === 1) {
    const [unknown, values] = rest[0]!;
    return partsOf(0n, [...quotients, [unknown, values.map((value) => (value + constant) / divisor)]]);
  }
  const sum = rest.reduce((most, [, values]) => most + largest(values), constant % divisor);
  if (sum >= divisor) throw new DependsOnContents('a quotient has a carry from more than one unknown');
  return partsOf(constant / divisor, quotients);
}

/** The bits that can be ones in each function; each is in one of them alone, so that a sum is also their `or`. */
function bitsOf(x: Number64): bigint {
  let bits = constantOf(x);
  for (const [, values] of tablesOf(x)) {
    if ((bits & allBits(values)) !== 0n) throw new DependsOnContents('the bits of two unknowns overlap');
    bits |= allBits(values);
  }
  return bits;
}

export function maskedBy(x: Number64, mask: bigint): Number64 {
  bitsOf(x);
  return partsOf(
    constantOf(x) & mask,
    tablesOf(x).map(([unknown, values]) => [unknown, values.map((value) => value & mask)]),
  );
}

export function joined(x: Number64, y: Number64): Number64 {
  if ((bitsOf(x) & bitsOf(y)) !== 0n) throw new DependsOnContents('the bits of two numbers overlap');
  return plus(x, y);
}

/** Returns the zeros below a number, of the one function whose bits are below all others', and which is never 0. */
export function zerosBelow(x: Number64): Number64 {
  if (typeof x === 'bigint') return (OPERATIONS['i64.ctz'] as (x: bigint) => bigint)(x);
  const bits = bitsOf(x);
  const [unknown, values] = tablesOf(x).find(([, each]) => (allBits(each) & (bits & -bits)) !== 0n) ?? [];
  if (unknown === undefined || values!.includes(0n))
    throw new DependsOnContents('the lowest bit is not of one unknown');
  const zeros = values!.map((value) => zerosBelow(value) as bigint);
  const others = bits & ~allBits(values!);
  if (others !== 0n && (others & ((1n << largest(zeros)) - 1n)) !== 0n) throw new DependsOnContents('bits between');
  return partsOf(0n, [[unknown, zeros]]);
}

/** Decides what is so of all numbers that `x` and `y` can be. */
function decided(x: Value, y: Value, is: (x: bigint, y: bigint) => boolean): number {
  const [a, b] = [long(x), long(y)];
  const answers = [leastOf(a), mostOf(a)].flatMap((one) => [leastOf(b), mostOf(b)].map((other) => is(one, other)));
  const overlap =
    leastOf(a) <= mostOf(b) && leastOf(b) <= mostOf(a) && !(typeof a === 'bigint' && typeof b === 'bigint');
  if (overlap || answers.some((answer) => answer !== answers[0])) throw new DependsOnContents('undecided');
  return Number(answers[0]);
}

const long = (x: Value): Number64 => (typeof x === 'number' ? BigInt(x) : (x as Number64));
function knownLong(x: Value): bigint {
  if (typeof x === 'object') throw new DependsOnContents('two unknown operands');
  return BigInt(x);
}

/** An operation of 32 bits, where no number goes beyond them. */
function short(operate: (x: Number64, y: Number64) => Number64): Operation {
  return (x: Value, y: Value) => {
    const result = operate(long(x), long(y));
    if (mostOf(result) >= 2n ** 32n) throw new DependsOnContents('beyond 32 bits');
    return typeof result === 'bigint' ? Number(result) : result;
  };
}

/** The operations of OPERATIONS, where numbers of 64 bits, and of 32, are `Parts`. */
export const PARTS_OPERATIONS: Readonly<Record<string, Operation>> = {
  ...OPERATIONS,
  'i64.sub': (x: Value, y: Value) => minus(long(x), long(y)),
  'i64.mul': (x: Value, y: Value) => times(long(x), knownLong(y)),
  'i64.div_u': (x: Value, y: Value) => dividedBy(long(x), knownLong(y)),
  'i64.shr_u': (x: Value, count: Value) => dividedBy(long(x), 1n << knownLong(count)),
  'i64.shl': (x: Value, count: Value) => times(long(x), 1n << knownLong(count)),
  'i64.and': (x: Value, mask: Value) => maskedBy(long(x), knownLong(mask)),
  'i64.or': (x: Value, y: Value) => joined(long(x), long(y)),
  'i64.ctz': (x: Value) => zerosBelow(long(x)),
  'i64.eqz': (x: Value) => decided(x, 0n, (one, other) => one === other),
  'i64.ne': (x: Value, y: Value) => decided(x, y, (one, other) => one !== other),
  'i64.eq': (x: Value, y: Value) => decided(x, y, (one, other) => one === other),
  'i64.gt_u': (x: Value, y: Value) => decided(x, y, (one, other) => one > other),
  'i32.wrap_i64': (x: Value) => short((number) => number)(...([x, 0] as never[])),
  'i64.extend_i32_u': (x: Value) => long(x),
  'i32.div_u': (x: Value, y: Value) => short((one) => dividedBy(one, knownLong(y)))(...([x, y] as never[])),
  'i32.mul': (x: Value, y: Value) => short((one) => times(one, knownLong(y)))(...([x, y] as never[])),
  'i32.sub': (x: Value, y: Value) =>
    typeof x === 'number' && typeof y === 'number' ? (x - y) >>> 0 : short(minus)(...([x, y] as never[])),
};
