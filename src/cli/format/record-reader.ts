import { decodeLine } from '../../bytes/utf8.ts';
import { NO_BRACE, type Rows } from '../rows/framing.ts';
import type { Records } from '../rows/open-framing.ts';
import type { Table } from '../rows/table.ts';
import { type CellsOf, fieldsOf, membersOf } from './record-cells.ts';

/** Reads the columns of records. */
export interface RecordReader {
  /** The names in the header of a table. */
  readHeader(header: Uint8Array): readonly string[];
  readonly cellsOf: CellsOf;
  /** Can a row be read that has no URL? */
  isReadable(rows: Rows, row: number): boolean;
  /** The path to a URL that is no member of the record itself. */
  readonly nestedPath: string | undefined;
}

export async function openRecordReader({ kind, delimiter, column }: Records): Promise<RecordReader> {
  if (kind === 'json') return jsonReader(column);
  const table =
    kind === 'csv'
      ? (await import('../rows/csv.ts')).CSV
      : (await import('../rows/delimited.ts')).delimitedBy(delimiter);
  return tableReader(table);
}

/** An object without the field is a record; its closing brace was found. */
function jsonReader(path: string): RecordReader {
  return {
    readHeader: () => [],
    cellsOf: membersOf,
    isReadable: (rows, row) => (rows.closingBraceOf?.(row) ?? NO_BRACE) !== NO_BRACE,
    nestedPath: path.includes('.') ? path : undefined,
  };
}

/** Columns without a header are called by their numbers. */
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
