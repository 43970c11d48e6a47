import type { Cutter } from '../../bulk/line-blocks.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { Framing } from './framing.ts';
import { type Table, TableError, type TableRecord } from './table.ts';
import { TableRows } from './table-rows.ts';

/** The name of the column that is put behind the others. */
const HASH_COLUMN = 'urlsum';

/** The records of a table, of which one column is hashed. `column` is its number, from 1, or its name in the header. */
export class TableFraming implements Framing {
  readonly headerCount: number;
  readonly #table: Table;
  readonly #name: string | undefined;
  /** Its place among the fields, from 0; with a name, known from the header on. */
  #index: number;
  #header: readonly string[] | undefined;
  /** Fields of the first record: those behind it must have as many. */
  #fieldCount: number | undefined;

  constructor(table: Table, column: string) {
    const isNumber = /^[1-9][0-9]*$/.test(column);
    this.#table = table;
    this.#name = isNumber ? undefined : column;
    this.headerCount = isNumber ? 0 : 1;
    this.#index = isNumber ? Number(column) - 1 : -1;
  }

  cutter(): Cutter {
    return this.#table.cutter();
  }

  takeHeader(block: Uint8Array): { readonly header?: Uint8Array; readonly block: Uint8Array } {
    if (this.#name === undefined) return { block };
    const { end, fields } = this.#firstRecord(block);
    const rest = block.subarray(end);
    const names = fields.map((field) => decodeLine(Buffer.from(field, 'latin1')));
    if (this.#header !== undefined) return this.#sameHeader(names, rest);
    this.#header = names;
    this.#fieldCount = names.length;
    this.#index = names.indexOf(this.#name);
    if (this.#index === -1)
      throw new TableError(
        `it has no column ${JSON.stringify(this.#name)} but ${names.map((name) => JSON.stringify(name)).join(', ')}`,
      );
    return { header: this.#withHashColumn(block.subarray(0, end)), block: rest };
  }

  rows(block: Uint8Array): TableRows {
    const rows = new TableRows(block);
    this.#table.eachRecord(latin1(block), (record) => {
      const problem = this.#problem(record);
      if (problem === undefined) rows.add(record, record.fields[this.#index]!);
      else rows.addMalformed(record, problem);
    });
    return rows;
  }

  #problem({ fields, problem }: TableRecord): string | undefined {
    this.#fieldCount ??= fields.length;
    if (problem !== undefined) return `not a record: ${problem}`;
    if (fields.length !== this.#fieldCount)
      return `not a record of this table: it has ${fields.length} columns, not ${this.#fieldCount}`;
    return this.#index < fields.length
      ? undefined
      : `not a record with a column ${this.#index + 1}: it has ${fields.length} columns`;
  }

  #firstRecord(block: Uint8Array): TableRecord {
    let first: TableRecord | undefined;
    this.#table.eachRecord(latin1(block), (record) => {
      first ??= record;
      return false;
    });
    return first!;
  }

  #sameHeader(names: readonly string[], rest: Uint8Array): { readonly block: Uint8Array } {
    if (names.join('\n') === this.#header!.join('\n')) return { block: rest };
    throw new TableError('its header is not that of the first file');
  }

  #withHashColumn(header: Uint8Array): Uint8Array {
    const end = /\r?\n$/.exec(latin1(header.subarray(-2)))?.[0] ?? '';
    return Buffer.concat([
      header.subarray(0, header.length - end.length),
      Buffer.from(`${this.#table.delimiter}${HASH_COLUMN}${end || '\n'}`),
    ]);
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
