import type { FieldType } from '../read/record-field.ts';
import type { ColumnSchema } from './batch.ts';
import type { Cell } from './cells.ts';

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

/** Learns the types of the columns of records. */
export class RecordSchema {
  readonly #isTyped: boolean;
  readonly #seen: number[] = [];

  /** @param isTyped whether columns of scalars are anything but text */
  constructor(isTyped: boolean) {
    this.#isTyped = isTyped;
  }

  /** @throws {Error} on too many names */
  add(cells: readonly Cell[]): void {
    if (cells.length > COLUMN_LIMIT)
      throw new Error(`the records have more than ${COLUMN_LIMIT} different names, too many for columns`);
    for (let column = 0; column < cells.length; column++)
      this.#seen[column] = (this.#seen[column] ?? 0) | this.#bitOf(cells[column]!);
  }

  columns(cells: readonly Cell[]): ColumnSchema[] {
    return cells.map(({ name }, column) => ({ name, ...typeOf(this.#seen[column] ?? 0), isNullable: true }));
  }

  #bitOf(cell: Cell): number {
    if (cell.kind === 'nested') return NESTED;
    if (cell.kind === 'empty' || cell.kind === 'none') return 0;
    if (!this.#isTyped || cell.kind === 'text') return TEXT;
    return cell.kind === 'boolean' ? BOOLEAN : numberBitOf(cell);
  }
}

/** Digits of a safe integer, whatever they are. */
const SAFE_DIGITS = 15;

/** A number that would lose digits, or its sign, stays text. */
function numberBitOf(cell: Cell): number {
  const { text } = cell;
  if (!/^-?\d+$/.test(text) || text === '-0') return Number.isFinite(Number(text)) ? DECIMAL : TEXT;
  if (text.length <= SAFE_DIGITS || Number.isSafeInteger(Number(text))) return SAFE_INTEGER;
  const integer = BigInt(text);
  return integer === BigInt.asIntN(64, integer) ? INTEGER : TEXT;
}

/** Returns the type of a number or boolean if every value is one. One object or array makes all values JSON. */
function typeOf(bits: number): FieldType {
  if ((bits & NESTED) !== 0) return { type: 'json' };
  if (bits === 0) return { type: 'string' };
  if (bits === BOOLEAN) return { type: 'boolean' };
  if ((bits & ~(SAFE_INTEGER | INTEGER)) === 0) return { type: 'int', bits: 64 };
  return (bits & ~(SAFE_INTEGER | DECIMAL)) === 0 ? { type: 'float', bits: 64 } : { type: 'string' };
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
