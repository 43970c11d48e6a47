import type { Cutter } from '../../bulk/line-blocks.ts';
import { NUMBER_SIGN } from '../../bytes/code-points.ts';
import { concatBytes } from '../../bytes/concat.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { isBlank } from './blank-lines.ts';
import { contentEnd } from './content-end.ts';
import type { Framing } from './framing.ts';
import { type Table, TableError, type TableRecord } from './table.ts';
import { TableRows } from './table-rows.ts';

/** Where the column is, and how many fields a record has, as far as it is known. */
interface TableState {
  readonly index: number;
  readonly fieldCount: number | undefined;
}

/** The records of a table, of which one column is hashed. `column` is its number, from 1, or its name in the header. */
export class TableFraming implements Framing {
  readonly headerCount: number;
  readonly #table: Table;
  readonly #name: string | undefined;
  readonly #skipsBlank: boolean;
  readonly #hasComments: boolean;
  /** Its place among the fields, from 0; with a name, known from the header on. */
  #index: number;
  /** The names of the first input that has the column. */
  #header: readonly string[] | undefined;
  /** Fields of the input's first record: the others must have as many. */
  #fieldCount: number | undefined;

  /**
   * @param skipsBlank are records of nothing but spaces and tabs skipped?
   * @param hasComments are records that begin with # comments? They are rows, and all of each its value.
   */
  constructor(table: Table, column: string, skipsBlank = false, hasComments = false) {
    const isNumber = /^[1-9][0-9]*$/.test(column);
    this.#table = table;
    this.#skipsBlank = skipsBlank;
    this.#hasComments = hasComments;
    this.#name = isNumber ? undefined : column;
    this.headerCount = isNumber ? 0 : 1;
    this.#index = isNumber ? Number(column) - 1 : -1;
  }

  cutter(): Cutter {
    return this.#table.cutter();
  }

  /** Also checks that an input has a column of the given number: that is one error, and not one per record. */
  takeHeader(block: Uint8Array): { readonly header?: Uint8Array; readonly block: Uint8Array } {
    if (this.#name !== undefined) return this.#takeNames(block, this.#name);
    this.#fieldCount = this.#firstFieldCount(block);
    if (this.#fieldCount !== undefined && this.#index >= this.#fieldCount)
      throw new TableError(`it has no column ${this.#index + 1}: its first record has ${columns(this.#fieldCount)}`);
    return { block };
  }

  stateFor(block: Uint8Array): TableState {
    this.#fieldCount ??= this.#firstFieldCount(block);
    return { index: this.#index, fieldCount: this.#fieldCount };
  }

  resume({ index, fieldCount }: TableState): void {
    this.#index = index;
    this.#fieldCount = fieldCount;
  }

  rows(block: Uint8Array): TableRows {
    const rows = new TableRows(this.#table, block);
    this.#table.eachRecord(block, this.#index, (record) => {
      if (this.#isPassedOver(block, record)) return rows.passOver();
      if (this.#isComment(block, record)) return rows.addWhole(record);
      const problem = this.#problem(record);
      if (problem === undefined) rows.add(record);
      else rows.addMalformed(record, problem);
    });
    return rows;
  }

  #isPassedOver(block: Uint8Array, { start, end }: TableRecord): boolean {
    return this.#skipsBlank && isBlank(block, start, contentEnd(block, start, end));
  }

  #isComment(block: Uint8Array, { start }: TableRecord): boolean {
    return this.#hasComments && block[start] === NUMBER_SIGN;
  }

  #problem({ fieldCount, malformation }: TableRecord): string | undefined {
    if (malformation !== undefined) return `not a record: ${malformation}`;
    this.#fieldCount ??= fieldCount;
    if (fieldCount !== this.#fieldCount)
      return `not a record of this table: it has ${columns(fieldCount)}, not ${this.#fieldCount}`;
    return this.#index < fieldCount
      ? undefined
      : `not a record with a column ${this.#index + 1}: it has ${columns(fieldCount)}`;
  }

  /** Of the first record that is one. */
  #firstFieldCount(block: Uint8Array): number | undefined {
    let first: number | undefined;
    this.#table.eachRecord(block, 0, (record) => {
      const isComment = this.#isComment(block, record);
      if (record.malformation === undefined && !isComment && !this.#isPassedOver(block, record))
        first = record.fieldCount;
      return first === undefined;
    });
    return first;
  }

  #takeNames(block: Uint8Array, name: string): { readonly header?: Uint8Array; readonly block: Uint8Array } {
    const comments = this.#commentsBefore(block);
    const header = this.#firstRecord(block.subarray(comments.length));
    const records = block.subarray(comments.length + header.length);
    const rest = comments.length === 0 ? records : concatBytes([comments, records]);
    const names = this.#table.valuesOf(header).map(decodeLine);
    if (this.#header !== undefined) return this.#sameHeader(names, rest);
    this.#index = names.indexOf(name);
    if (this.#index === -1)
      throw new TableError(
        `it has no column ${JSON.stringify(name)} but ${names.map((each) => JSON.stringify(each)).join(', ')}`,
      );
    this.#header = names;
    this.#fieldCount = names.length;
    return { header, block: rest };
  }

  /** They stay in the block, and count as rows after the header. */
  #commentsBefore(block: Uint8Array): Uint8Array {
    let end = 0;
    this.#table.eachRecord(block, 0, (record) => {
      const isComment = this.#isComment(block, record);
      if (isComment) end = record.end;
      return isComment;
    });
    return block.subarray(0, end);
  }

  #firstRecord(block: Uint8Array): Uint8Array {
    let end = 0;
    this.#table.eachRecord(block, 0, (record) => {
      if (record.malformation !== undefined) throw new TableError(`its header is not a record: ${record.malformation}`);
      end = record.end;
      return false;
    });
    return block.subarray(0, end);
  }

  #sameHeader(names: readonly string[], rest: Uint8Array): { readonly block: Uint8Array } {
    if (JSON.stringify(names) === JSON.stringify(this.#header)) return { block: rest };
    throw new TableError('its header is not that of the first file');
  }
}

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}
