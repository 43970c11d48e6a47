import { type Column, ListColumn, ValueColumn } from '../../bytes/column.ts';
import { type ColumnSchema, ROW_LIMIT } from './batch.ts';
import type { Cell } from './record-reader.ts';

// What columns of records are filled with: texts, and the scalars of records.

/** A loop copies this many bytes in less time than it takes to make a view of them. */
const FEW_BYTES = 128;

/** Adds bytes [start, end) as a text in UTF-8, with its byte length before it, as Parquet has texts, or without. */
export function addTextBytes(
  column: ListColumn,
  hasLength: boolean,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const { values } = column;
  if (hasLength) values.uint32(end - start);
  if (end - start > FEW_BYTES) values.bytes(bytes, start, end);
  else values.fewBytes(bytes, start, end);
  column.endRow();
}

/** Adds a text, with its byte length before it or without. */
export function addText(column: ListColumn, hasLength: boolean, text: string): void {
  const { values } = column;
  const start = values.length;
  if (hasLength) values.uint32(0);
  values.text(text);
  if (hasLength) values.setUint32(start, values.length - start - 4);
  column.endRow();
}

/** A column of records, in which a row without a scalar of its type has no value. */
export interface CellColumn {
  /** The bytes of the rows so far, as they will be in a file. */
  readonly byteLength: number;
  add(cell: Cell | undefined): void;
  take(): Column;
}

export function openCellColumn({ type }: ColumnSchema, hasLengths: boolean): CellColumn {
  if (type === 'text') return textCells(hasLengths);
  return type === 'boolean' ? booleanCells() : numberCells(type === 'integer');
}

/** Each scalar as it is spelled. */
function textCells(hasLengths: boolean): CellColumn {
  const column = new ListColumn(1);
  return {
    get byteLength() {
      return column.values.length;
    },
    add(cell) {
      if (cell === undefined || cell.kind === 'nested' || cell.kind === 'null') column.endInvalid();
      else addText(column, hasLengths, cell.text);
    },
    take: () => column.take(),
  };
}

/** Numbers of 64 bits, signed integers or doubles; an empty field has none. */
function numberCells(areIntegers: boolean): CellColumn {
  const column = new ValueColumn(8, new Uint8Array(8 * ROW_LIMIT));
  const number = new DataView(new ArrayBuffer(8));
  const bytes = new Uint8Array(number.buffer);
  return {
    get byteLength() {
      return 8 * column.length;
    },
    add(cell) {
      if (cell?.kind !== 'number') return column.addInvalid();
      if (areIntegers) number.setBigInt64(0, BigInt(cell.text), true);
      else number.setFloat64(0, Number(cell.text), true);
      column.add(bytes, 0);
    },
    take: () => column.take(),
  };
}

const ZERO = Uint8Array.of(0);
const ONE = Uint8Array.of(1);

/** One byte each, 0 or 1: a bit in a file. */
function booleanCells(): CellColumn {
  const column = new ValueColumn(1, new Uint8Array(ROW_LIMIT));
  return {
    get byteLength() {
      return column.length / 8;
    },
    add(cell) {
      if (cell?.kind === 'boolean') column.add(cell.text.toLowerCase() === 'true' ? ONE : ZERO, 0);
      else column.addInvalid();
    },
    take: () => column.take(),
  };
}

/** Returns a bit per byte, least significant first. */
export function bitsOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length; at++) bits[at >> 3]! |= bytes[at]! << (at & 7);
  return bits;
}
