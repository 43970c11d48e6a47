// Words of 32 bits that depend on unknown bytes, in a canonical form: terms that are equal by the rules below are one
// object, so a proof of equality is `===`. A number is a word that depends on nothing.
//
//   term     = product & mask ^ product & mask ^ …     the algebraic normal form of bitwise functions; the product of
//                                                      nothing is all ones, and its mask is a constant
//   product  = factor & factor & …                     each factor once
//   factor   = atom rotated to the right
//   atom     = variable | sum                          a sum has addends with coefficients, modulo 2^32
//
// A shift is a rotation with a mask, so `x >>> 7 | x << 25` becomes the rotation by itself, and so do bytes that are
// taken apart and put together. Ch and Maj of FIPS 180-4 have one form in whatever way they are written. Two terms of
// different form may be equal all the same (`x + x` and `x << 1`): a proof fails then, but never shows what is wrong.

export type Word = number | Term;

interface Atom {
  readonly id: number;
  readonly name: string;
  /** The bits that can be ones. */
  readonly bits: number;
  readonly sum?: Sum;
}

/** Addends in the order of their ids, each with a coefficient that is not 0. */
interface Sum {
  readonly constant: number;
  readonly terms: readonly Term[];
  readonly counts: readonly number[];
}

/** Numbers of factors, ascending: the id of an atom times 32, and a rotation. */
interface Product {
  readonly id: number;
  readonly factors: readonly number[];
}

export class Term {
  readonly id: number;
  readonly products: readonly Product[];
  /** One for each product, not 0. */
  readonly masks: readonly number[];
  /** Its addends, where it is a sum and nothing else. */
  readonly sum: Sum | undefined;
  readonly #bytes: (number | Byte)[] = [];

  constructor(id: number, products: readonly Product[], masks: readonly number[], sum: Sum | undefined) {
    this.id = id;
    this.products = products;
    this.masks = masks;
    this.sum = sum;
  }

  /** Byte 0 is the least significant; a number where it depends on nothing. */
  byte(index: number): number | Byte {
    return (this.#bytes[index] ??= this.#byte(index));
  }

  #byte(index: number): number | Byte {
    const byte = masked(this, (0xff << (8 * index)) >>> 0);
    return typeof byte === 'number' ? (byte >>> (8 * index)) & 0xff : new Byte(this, index);
  }
}

/** A byte of a term, as memory holds it. */
export class Byte {
  readonly term: Term;
  readonly index: number;

  constructor(term: Term, index: number) {
    this.term = term;
    this.index = index;
  }
}

const ALL = 0xffffffff;

let atoms: Atom[] = [];
let atomsByKey = new Map<string, Atom>();
/** Products by the factor, where it is one; a number is found sooner than text. */
let productsByKey = new Map<string | number, Product>();
let productsById: Product[] = [];
let termsByKey = new Map<string | number, Term>();
let termCount = 0;
/** Results of operations by the ids of their operands: the messages of one claim are mostly those of the one before. */
const results = { and: new Map<number, Word>(), xor: new Map<number, Word>(), add: new Map<number, Word>() };

/** SHA-256 takes 35 and 378; the terms of a wrong kernel can grow without end. */
const MAX_PRODUCTS = 128;
const MAX_ADDENDS = 1000;
const BEYOND = 'a term grows beyond what SHA-256 takes';

/** Forgets every term. Terms from before must not be used again. */
export function forgetTerms(): void {
  atoms = [];
  atomsByKey = new Map();
  productsByKey = new Map();
  productsById = [];
  termsByKey = new Map();
  for (const map of Object.values(results)) map.clear();
}

/** How many terms there are: 100,000 take some 200 MB. */
export function countOfTerms(): number {
  return termsByKey.size;
}

/** An unknown word, of which only `bits` can be ones. */
export function variable(name: string, bits = ALL): Term {
  const atom = atomOf(`v${name}`, name, bits, undefined);
  return termOf([productOf([atom.id * 32])], [atom.bits], undefined) as Term;
}

export function xor(x: Word, y: Word): Word {
  if (typeof x === 'number' && typeof y === 'number') return (x ^ y) >>> 0;
  return remembered(results.xor, x, y, () => {
    const masks = new Map<number, number>();
    addProducts(masks, x);
    addProducts(masks, y);
    return termOfMasks(masks);
  });
}

export function and(x: Word, y: Word): Word {
  if (typeof x === 'number') return typeof y === 'number' ? (x & y) >>> 0 : masked(y, x);
  if (typeof y === 'number') return masked(x, y);
  return remembered(results.and, x, y, () => {
    const masks = new Map<number, number>();
    for (const [i, one] of x.products.entries())
      for (const [j, other] of y.products.entries()) {
        const mask = x.masks[i]! & y.masks[j]!;
        if (mask === 0) continue;
        const { id } = productOf([...new Set([...one.factors, ...other.factors])].sort(ascending));
        masks.set(id, masks.get(id)! ^ mask);
      }
    return termOfMasks(masks);
  });
}

export function or(x: Word, y: Word): Word {
  return xor(xor(x, y), and(x, y));
}

export function rotr(x: Word, count: number): Word {
  const by = count & 31;
  if (by === 0) return x;
  if (typeof x === 'number') return rotatedNumber(x, by);
  const products = x.products.map(({ factors }) =>
    productOf(factors.map((factor) => (factor & ~31) | ((factor + by) & 31)).sort(ascending)),
  );
  return sortedTerm(
    products,
    x.masks.map((mask) => rotatedNumber(mask, by)),
  );
}

export function shr(x: Word, count: number): Word {
  return and(rotr(x, count), ALL >>> (count & 31));
}

export function shl(x: Word, count: number): Word {
  return and(rotr(x, 32 - (count & 31)), (ALL << (count & 31)) >>> 0);
}

export function add(x: Word, y: Word): Word {
  if (typeof x === 'number' && typeof y === 'number') return (x + y) >>> 0;
  return remembered(results.add, x, y, () => sumOf(x, y, 1));
}

export function subtract(x: Word, y: Word): Word {
  if (typeof x === 'number' && typeof y === 'number') return (x - y) >>> 0;
  return sumOf(x, y, -1);
}

/** Puts four bytes together, the least significant first. */
export function wordOfBytes(bytes: readonly (number | Byte)[]): Word {
  const [first] = bytes;
  if (typeof first === 'object' && bytes.every((byte, index) => byte === first.term.byte(index))) return first.term;
  return bytes.reduce<Word>((word, byte, index) => {
    if (typeof byte === 'number') return xor(word, (byte << (8 * index)) >>> 0);
    return xor(word, and(rotr(byte.term, 8 * (byte.index - index + 4)), (0xff << (8 * index)) >>> 0));
  }, 0);
}

export function byteOfWord(word: Word, index: number): number | Byte {
  return typeof word === 'number' ? (word >>> (8 * index)) & 0xff : word.byte(index);
}

/** The word's value where the variables have these values, by name. */
export function evaluate(word: Word, valueOf: (name: string) => number, known = new Map<object, number>()): number {
  if (typeof word === 'number') return word;
  const before = known.get(word);
  if (before !== undefined) return before;
  const valueOfAtom = (atom: Atom): number => {
    if (atom.sum === undefined) return (valueOf(atom.name) & atom.bits) >>> 0;
    let total = atom.sum.constant;
    for (const [index, term] of atom.sum.terms.entries())
      total += Math.imul(evaluate(term, valueOf, known), atom.sum.counts[index]!);
    return total >>> 0;
  };
  let value = 0;
  for (const [index, { factors }] of word.products.entries()) {
    const ones = factors.reduce(
      (all, factor) => all & rotatedNumber(valueOfAtom(atoms[factor >>> 5]!), factor & 31),
      -1,
    );
    value ^= ones & word.masks[index]!;
  }
  known.set(word, value >>> 0);
  return value >>> 0;
}

function remembered(map: Map<number, Word>, x: Word, y: Word, operate: () => Word): Word {
  if (typeof x === 'number' || typeof y === 'number') return operate();
  const key = x.id < y.id ? x.id * 2 ** 26 + y.id : y.id * 2 ** 26 + x.id;
  const before = map.get(key);
  if (before !== undefined) return before;
  const result = operate();
  map.set(key, result);
  return result;
}

function addProducts(masks: Map<number, number>, word: Word): void {
  if (typeof word === 'number') masks.set(productOf([]).id, masks.get(productOf([]).id)! ^ word);
  else for (const [index, { id }] of word.products.entries()) masks.set(id, masks.get(id)! ^ word.masks[index]!);
}

function masked(term: Term, mask: number): Word {
  if (mask === ALL) return term;
  const kept = term.products.map((_, index) => (term.masks[index]! & mask) >>> 0);
  return termOf(
    term.products.filter((_, index) => kept[index] !== 0),
    kept.filter((each) => each !== 0),
    undefined,
  );
}

/** `x + sign * y`, by merging their addends. */
function sumOf(x: Word, y: Word, sign: number): Word {
  const [one, other] = [addendsOf(x), addendsOf(y)];
  const terms: Term[] = [];
  const counts: number[] = [];
  for (let [i, j] = [0, 0]; i < one.terms.length || j < other.terms.length; ) {
    const [term, otherTerm] = [one.terms[i], other.terms[j]];
    const isFirst = otherTerm === undefined || (term !== undefined && term.id <= otherTerm.id);
    let count = isFirst ? one.counts[i++]! : 0;
    if (!isFirst || term === otherTerm) count = (count + sign * other.counts[j++]!) | 0;
    if (count === 0) continue;
    terms.push((isFirst ? term : otherTerm)!);
    counts.push(count);
  }
  const constant = (one.constant + sign * other.constant) >>> 0;
  if (terms.length === 0) return constant;
  if (terms.length > MAX_ADDENDS) throw new RangeError(BEYOND);
  if (constant === 0 && terms.length === 1 && counts[0] === 1) return terms[0]!;
  const sum = { constant, terms, counts };
  const atom = atomOf(keyOfSum(sum), '', ALL, sum);
  return termOf([productOf([atom.id * 32])], [ALL], atom.sum);
}

function addendsOf(word: Word): Sum {
  if (typeof word === 'number') return { constant: word, terms: [], counts: [] };
  return word.sum ?? { constant: 0, terms: [word], counts: [1] };
}

/** All its numbers, each in two units: digits would take three times as long. */
function keyOfSum({ constant, terms, counts }: Sum): string {
  const numbers = new Uint32Array(1 + 2 * terms.length);
  numbers[0] = constant;
  for (const [index, { id }] of terms.entries()) {
    numbers[1 + 2 * index] = id;
    numbers[2 + 2 * index] = counts[index]!;
  }
  return `+${String.fromCharCode.apply(null, new Uint16Array(numbers.buffer) as never)}`;
}

function termOfMasks(masks: ReadonlyMap<number, number>): Word {
  const ids = [...masks.keys()].filter((id) => masks.get(id) !== 0).sort(ascending);
  return termOf(
    ids.map((id) => productsById[id]!),
    ids.map((id) => masks.get(id)! >>> 0),
    undefined,
  );
}

function sortedTerm(products: readonly Product[], masks: readonly number[]): Word {
  const order = products.map((_, index) => index).sort((one, other) => products[one]!.id - products[other]!.id);
  return termOf(
    order.map((index) => products[index]!),
    order.map((index) => masks[index]!),
    undefined,
  );
}

/** Products are in the order of their ids. */
function termOf(products: readonly Product[], masks: readonly number[], sum: Sum | undefined): Word {
  if (products.length === 0) return 0;
  if (products.length === 1 && products[0]!.factors.length === 0) return masks[0]!;
  if (products.length > MAX_PRODUCTS) throw new RangeError(BEYOND);
  const keys = products.map(({ id }, index) => id * 2 ** 32 + masks[index]!);
  const key = keys.length === 1 ? keys[0]! : keys.join();
  let term = termsByKey.get(key);
  if (term === undefined) {
    // what is a sum and nothing else is one, however it came about
    const only = products.length === 1 && masks[0] === ALL && products[0]!.factors.length === 1;
    const factor = products[0]!.factors[0]!;
    term = new Term(
      termCount++,
      products,
      masks,
      sum ?? (only && (factor & 31) === 0 ? atoms[factor >>> 5]!.sum : sum),
    );
    termsByKey.set(key, term);
  }
  return term;
}

function atomOf(key: string, name: string, bits: number, sum: Sum | undefined): Atom {
  let atom = atomsByKey.get(key);
  if (atom === undefined) {
    atom = { id: atoms.length, name, bits, ...(sum && { sum }) };
    atoms.push(atom);
    atomsByKey.set(key, atom);
  }
  return atom;
}

/** @param factors ascending */
function productOf(factors: readonly number[]): Product {
  const key = factors.length === 1 ? factors[0]! : factors.join();
  let product = productsByKey.get(key);
  if (product === undefined) {
    product = { id: productsById.length, factors };
    productsById.push(product);
    productsByKey.set(key, product);
  }
  return product;
}

function rotatedNumber(value: number, by: number): number {
  return ((value >>> by) | (value << (32 - by))) >>> 0;
}

const ascending = (one: number, other: number): number => one - other;
