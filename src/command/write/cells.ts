import { type Column, ListColumn, ValueColumn } from '../../core/bytes/column.ts';
import type { RecordField } from '../read/record-field.ts';
import { BYTE_LIMIT, ROW_LIMIT, valueBytesOf } from './batch.ts';

export type CellKind = 'none' | 'empty' | 'text' | 'number' | 'boolean' | 'nested';

export const NO_BYTES = new Uint8Array(0);

/**
 * A field of a record, as it is spelled there: bytes [start, end), in UTF-8. A text of JSON is between quotation marks
 * that are not part of it. A field of a table without a character is `empty`; `none` is a null, or no field at all.
 */
export class Cell {
  readonly name: string;
  kind: CellKind = 'none';
  bytes: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  /** Whether a backslash of JSON is in it. */
  hasEscapes = false;

  constructor(name: string) {
    this.name = name;
  }

  set(kind: CellKind, bytes: Uint8Array, start: number, end: number, hasEscapes = false): void {
    this.kind = kind;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.hasEscapes = hasEscapes;
  }

  /** Sets a text that is not JSON. */
  setText(text: Uint8Array): void {
    this.set('text', text, 0, text.length);
  }

  /** Without its escapes. */
  get text(): string {
    if (this.hasEscapes) return JSON.parse(textIn(this.bytes, this.start - 1, this.end + 1)) as string;
    return textIn(this.bytes, this.start, this.end);
  }
}

/** Decodes bytes [start, end) of UTF-8. */
export function textIn({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset + start, end - start).toString();
}

/** Adds bytes [start, end) as a value: a text in UTF-8. */
export function addBytes(column: ListColumn, bytes: Uint8Array, start: number, end: number): void {
  column.values.fewBytes(bytes, start, end);
  column.endRow();
}

export function addText(column: ListColumn, text: string): void {
  column.values.text(text);
  column.endRow();
}

/** A column of records, in which a row may have no value. */
export interface CellColumn {
  add(cell: Cell): void;
  take(): Column;
}

export function openCellColumn(field: RecordField): CellColumn {
  const valueBytes = valueBytesOf(field);
  if (valueBytes !== undefined) return valueCells(valueBytes, valueWriter(field));
  if (field.type === 'json') return listCells(addJson);
  return listCells(field.type === 'string' ? addCellText : addBase64);
}

/** Values of any length. A field of a table has a text even if it is empty. */
function listCells(addValue: (column: ListColumn, cell: Cell) => void): CellColumn {
  const column = new ListColumn(1);
  return {
    add(cell) {
      if (cell.kind === 'none') column.endInvalid();
      else addValue(column, cell);
    },
    take: () => column.take(),
  };
}

/** Adds a scalar as it is spelled, but for escapes. */
function addCellText(column: ListColumn, cell: Cell): void {
  if (cell.hasEscapes) addText(column, cell.text);
  else addBytes(column, cell.bytes, cell.start, cell.end);
}

/** An escaped character of JSON, six characters long if it is a surrogate without its other half. */
const ESCAPE = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\./g;

/**
 * Adds a value as it is spelled, so that no digit is lost. Where it has half of a character, readers would refuse the
 * whole file.
 */
function addJson(column: ListColumn, { kind, bytes, start, end, hasEscapes }: Cell): void {
  const quote = kind === 'text' ? 1 : 0;
  if (!hasEscapes) return addBytes(column, bytes, start - quote, end + quote);
  const text = textIn(bytes, start - quote, end + quote);
  addText(
    column,
    text.replace(ESCAPE, (escape) => (escape.length === 6 ? '\\ufffd' : escape)),
  );
}

function addBase64(column: ListColumn, cell: Cell): void {
  const bytes = Buffer.from(cell.text, 'base64');
  addBytes(column, bytes, 0, bytes.length);
}

/** Values of as many bytes each; an empty field of a table has none. */
function valueCells(valueBytes: number, write: (value: DataView, cell: Cell) => void): CellColumn {
  const roomBytes = Math.min(valueBytes * ROW_LIMIT, valueBytes + BYTE_LIMIT);
  const column = new ValueColumn(valueBytes, new Uint8Array(roomBytes));
  const value = new DataView(new ArrayBuffer(Math.max(valueBytes, 8)));
  const bytes = new Uint8Array(value.buffer);
  return {
    add(cell) {
      if (cell.kind === 'none' || cell.kind === 'empty') return column.addInvalid();
      write(value, cell);
      column.add(bytes, 0);
    },
    take: () => column.take(),
  };
}

/** Returns the function that writes a cell as a value, the lowest byte first. */
function valueWriter(field: RecordField): (value: DataView, cell: Cell) => void {
  switch (field.type) {
    case 'boolean':
      return (value, { text }) => value.setUint8(0, text.toLowerCase() === 'true' ? 1 : 0);
    case 'bytes':
      return (value, { text }) => new Uint8Array(value.buffer).set(Buffer.from(text, 'base64'));
    case 'float':
      return field.bits === 32
        ? (value, { text }) => value.setFloat32(0, Number(text), true)
        : (value, { text }) => value.setFloat64(0, Number(text), true);
    case 'decimal':
      return (value, { text }) => {
        const digits = BigInt(text.replace('.', ''));
        for (let at = 0; at < value.byteLength; at += 8)
          value.setBigInt64(at, BigInt.asIntN(64, digits >> BigInt(8 * at)), true);
      };
    default:
      return writeInteger;
  }
}

/** Decimal digits that a double holds exactly, whatever they are. */
const EXACT_DIGITS = 15;

/** A BigInt takes three times as long as a number. */
function writeInteger(value: DataView, cell: Cell): void {
  const { text } = cell;
  if (text.length > EXACT_DIGITS) return value.setBigInt64(0, BigInt(text), true);
  const number = Number(text);
  value.setInt32(0, number, true);
  value.setInt32(4, Math.floor(number / 2 ** 32), true);
}

/** Returns a bit per byte, least significant first. */
export function bitsOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length; at++) bits[at >> 3]! |= bytes[at]! << (at & 7);
  return bits;
}
