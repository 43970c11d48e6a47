import { decodeLine } from '../../bytes/utf8.ts';
import { openTable, type Records } from '../rows/framing.ts';
import { NO_BRACE, type RowBatch } from '../rows/row-batch.ts';
import type { Table } from '../rows/table.ts';

/** A scalar of a record, as it is spelled there. A field of a table without a character is `empty`. */
export interface Cell {
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'empty' | 'nested';
  readonly text: string;
}

/** The cells of a record by column name. */
export type Cells = ReadonlyMap<string, Cell>;

/** Reads records into cells. */
export interface RecordReader {
  /** Returns the names in the header of a table. */
  readHeader(header: Uint8Array): readonly string[];
  cellsOf(record: Uint8Array): Cells;
  /** Whether a row without a URL can be read. */
  isReadable(rows: RowBatch, row: number): boolean;
  /** The path to a URL in a nested object. */
  readonly nestedPath: string | undefined;
}

export async function openRecordReader({ kind, delimiter, column }: Records): Promise<RecordReader> {
  return kind === 'csv' || kind === 'delimited' ? tableReader(await openTable(kind, delimiter)) : jsonReader(column);
}

/** Reads JSON objects. One without the field is a record, too: its closing brace was found. */
function jsonReader(path: string): RecordReader {
  return {
    readHeader: () => [],
    cellsOf: membersOf,
    isReadable: ({ closingBraces }, row) => closingBraces[row] !== NO_BRACE,
    nestedPath: path.includes('.') ? path : undefined,
  };
}

/** Reads records of a table. Columns without a header are named by their numbers. */
function tableReader(table: Table): RecordReader {
  let names: readonly string[] | undefined;
  return {
    readHeader: (header) => (names = table.valuesOf(header).map(decodeLine)),
    cellsOf(record) {
      const values = table.valuesOf(record);
      names ??= values.map((_, index) => `column${index + 1}`);
      return fieldsOf(names, values);
    },
    isReadable: () => false,
    nestedPath: undefined,
  };
}

/** RFC 8259, section 6 */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/** A token of JSON: a string, a bracket, comma or colon, or any other scalar. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const NESTED: Cell = { kind: 'nested', text: '' };

/** Returns the members of a JSON object, the last of each name. */
function membersOf(record: Uint8Array): Cells {
  const cells = new Map<string, Cell>();
  let depth = 0;
  let name: string | undefined;
  for (const [token] of decodeLine(record).matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (depth === 1) cells.set(name!, NESTED);
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
    } else if (depth === 1 && token === ',') {
      name = undefined;
    } else if (depth === 1 && token !== ':') {
      if (name === undefined) name = stringOf(token);
      else cells.set(name, scalarOf(token));
    }
  }
  return cells;
}

function scalarOf(token: string): Cell {
  if (token === 'null') return { kind: 'null', text: '' };
  if (token.startsWith('"')) return { kind: 'text', text: stringOf(token) };
  return { kind: token === 'true' || token === 'false' ? 'boolean' : 'number', text: token };
}

function stringOf(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/** Returns the fields of a table's record, in the order of its columns. */
function fieldsOf(names: readonly string[], values: readonly Uint8Array[]): Cells {
  return new Map(names.map((name, index) => [name, fieldOf(decodeLine(values[index]!))]));
}

function fieldOf(text: string): Cell {
  if (text === '') return { kind: 'empty', text };
  if (NUMBER.test(text)) return { kind: 'number', text };
  return { kind: BOOLEAN.test(text) ? 'boolean' : 'text', text };
}
