import type { ColumnSchema, ColumnType } from './batch.ts';
import type { Cell, Cells } from './record-reader.ts';

/** More names than this are data, not columns; each takes memory in every batch. */
const COLUMN_LIMIT = 1000;

/** The kinds of values seen in a column, as bits. */
const TEXT = 1;
/** SAFE_INTEGER is exact as a double, INTEGER only in 64 bits. */
const SAFE_INTEGER = 2;
const INTEGER = 4;
const DECIMAL = 8;
const BOOLEAN = 16;
const NESTED = 32;

/** Learns the columns of records and their types. */
export class RecordSchema {
  readonly #seen = new Map<string, number>();

  constructor(names: readonly string[] = []) {
    for (const name of names) this.#seen.set(name, 0);
  }

  /** @throws {Error} on too many names */
  add(cells: Cells): void {
    for (const [name, cell] of cells) this.#seen.set(name, (this.#seen.get(name) ?? 0) | bitOf(cell));
    if (this.#seen.size <= COLUMN_LIMIT) return;
    throw new Error(`the records have more than ${COLUMN_LIMIT} different names, too many for columns`);
  }

  has(name: string): boolean {
    return this.#seen.has(name);
  }

  /** Returns the columns in the order in which they were first seen, as texts unless `isTyped`. */
  columns(isTyped: boolean): ColumnSchema[] {
    const scalars = [...this.#seen].filter(([, bits]) => bits !== NESTED);
    return scalars.map(([name, bits]) => ({ name, type: isTyped ? typeOf(bits) : 'text', isNullable: true }));
  }

  /** The names of members that are an object or an array in some record, and then have no place in a column. */
  get nestedNames(): string[] {
    return [...this.#seen].filter(([, bits]) => (bits & NESTED) !== 0).map(([name]) => name);
  }
}

function bitOf({ kind, text }: Cell): number {
  if (kind === 'empty' || kind === 'null') return 0;
  if (kind === 'number') return numberBitOf(text);
  return { text: TEXT, boolean: BOOLEAN, nested: NESTED }[kind];
}

/** A number that would lose digits, or its sign, stays text. */
function numberBitOf(text: string): number {
  if (!/^-?\d+$/.test(text) || text === '-0') return Number.isFinite(Number(text)) ? DECIMAL : TEXT;
  if (Number.isSafeInteger(Number(text))) return SAFE_INTEGER;
  const integer = BigInt(text);
  return integer === BigInt.asIntN(64, integer) ? INTEGER : TEXT;
}

/** Returns the type of a number or boolean if every value is one. */
function typeOf(bits: number): ColumnType {
  const scalars = bits & ~NESTED;
  if (scalars === 0) return 'text';
  if (scalars === BOOLEAN) return 'boolean';
  if ((scalars & ~(SAFE_INTEGER | INTEGER)) === 0) return 'integer';
  return (scalars & ~(SAFE_INTEGER | DECIMAL)) === 0 ? 'number' : 'text';
}

/** @throws {Error} where two columns would have one name */
export function mustNotClash(own: readonly ColumnSchema[], added: readonly ColumnSchema[]): void {
  const names = new Set<string>();
  for (const { name } of own) {
    if (names.has(name)) throw new Error(`two columns have the name ${JSON.stringify(name)}`);
    names.add(name);
  }
  for (const { name } of added)
    if (names.has(name))
      throw new Error(
        `the records already have a column ${JSON.stringify(name)}: choose another name with --hash-name`,
      );
}
