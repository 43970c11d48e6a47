import type { Cutter } from '../../bulk/index.ts';
import { NUMBER_SIGN } from '../../bytes/code-points.ts';
import { withoutRecordEnd } from '../../bytes/lines.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { BatchBuilder, type WriteValue } from './batch-builder.ts';
import { isBlank } from './lines.ts';
import type { Framing } from './row-batch.ts';
import { BLANK, HEADER, LATER_HEADER, type RowBatch } from './row-batch.ts';

/** How a table's records and fields are told apart. */
export interface Table {
  /** Between two fields. */
  readonly delimiter: string;
  /** For one input. */
  cutter(): Cutter;
  /** The records of a block, or of an input's first bytes; `column`: whose field's bounds are wanted, from 0. */
  records(column: number): TableRecords;
  /** The values of the fields of a record that is not malformed. */
  valuesOf(record: Uint8Array): Uint8Array[];
  readonly writeValue: WriteValue;
}

/** The record that `next` went to. */
export interface TableRecords {
  /** Where it lies in the block, its line end included: [start, end). */
  readonly start: number;
  readonly end: number;
  /** Why it is not a record: it has no fields then. */
  readonly malformation: string | undefined;
  readonly fieldCount: number;
  /** The field of the wanted column: [fieldStart, fieldEnd), where the record has so many. */
  readonly fieldStart: number;
  readonly fieldEnd: number;
  /** Goes to the next record; false where there is none. `isEnd`: the input ends with these bytes, or the block. */
  next(bytes: Uint8Array, isEnd: boolean): boolean;
}

/** The table, or the header of one, is not as the options say. */
export class TableError extends Error {}

export interface TableOptions {
  /** Are records of nothing but spaces and tabs skipped? */
  readonly skipsBlank: boolean;
  /** Are records that begin with # comments? They are rows, and all of each its value. */
  readonly hasComments: boolean;
}

/** Where the column is, how many fields a record has, as far as it is known, and what the first record is. */
interface TableState {
  readonly index: number;
  readonly fieldCount: number | undefined;
  readonly header: typeof HEADER | typeof LATER_HEADER | undefined;
}

/** The records of a table, of which one column is hashed. `column` is its number, from 1, or its name in the header. */
export class TableFraming implements Framing {
  readonly #table: Table;
  readonly #name: string | undefined;
  readonly #number: number;
  readonly #options: TableOptions;
  /** The names of the first input that has the column. */
  #header: readonly string[] | undefined;
  readonly #builder = new BatchBuilder();

  constructor(table: Table, column: string, options: TableOptions) {
    const isNumber = /^[1-9][0-9]*$/.test(column);
    this.#table = table;
    this.#name = isNumber ? undefined : column;
    this.#number = isNumber ? Number(column) : 0;
    this.#options = options;
  }

  cutter(): Cutter {
    return this.#table.cutter();
  }

  /** A column that an input has not is one error, and not one per record. @throws {TableError} */
  stateOf(block: Uint8Array, before: unknown): TableState {
    if (before !== undefined) return this.#laterState(block, before as TableState);
    return this.#name === undefined ? this.#numberState(block) : this.#nameState(block, this.#name);
  }

  *batches(block: Uint8Array, state: unknown): Generator<RowBatch> {
    const builder = this.#builder;
    let { index, fieldCount, header } = state as TableState;
    const records = this.#table.records(index);
    builder.begin(block);
    while (records.next(block, true)) {
      const { start, end, fieldStart, fieldEnd } = records;
      if (!builder.hasRoom(1, end - start)) yield builder.take();
      const rowEnd = withoutRecordEnd(block, start, end);
      const isComment = this.#isComment(block, start);
      if (isComment) {
        builder.add(start, rowEnd, start, end);
      } else if (header !== undefined) {
        builder.addOther(start, rowEnd, header);
        header = undefined;
      } else if (this.#isBlank(block, start, rowEnd)) {
        builder.addOther(start, rowEnd, BLANK);
      } else {
        if (records.malformation === undefined) fieldCount ??= records.fieldCount;
        const problem = problemOf(records, index, fieldCount);
        if (problem === undefined) builder.addField(this.#table.writeValue, start, rowEnd, fieldStart, fieldEnd);
        else builder.addMalformed(start, rowEnd, problem);
      }
    }
    if (builder.length > 0) yield builder.take();
  }

  #laterState(block: Uint8Array, { index, fieldCount }: TableState): TableState {
    return { index, fieldCount: fieldCount ?? this.#firstFieldCount(block), header: undefined };
  }

  #numberState(block: Uint8Array): TableState {
    const fieldCount = this.#firstFieldCount(block);
    if (fieldCount !== undefined && this.#number > fieldCount)
      throw new TableError(`it has no column ${this.#number}: its first record has ${columns(fieldCount)}`);
    return { index: this.#number - 1, fieldCount, header: undefined };
  }

  #nameState(block: Uint8Array, name: string): TableState {
    const names = this.#namesIn(block);
    if (this.#header !== undefined && JSON.stringify(names) !== JSON.stringify(this.#header))
      throw new TableError('its header is not that of the first file');
    const index = names.indexOf(name);
    if (index === -1)
      throw new TableError(
        `it has no column ${JSON.stringify(name)} but ${names.map((each) => JSON.stringify(each)).join(', ')}`,
      );
    const header = this.#header === undefined ? HEADER : LATER_HEADER;
    this.#header = names;
    return { index, fieldCount: names.length, header };
  }

  /** Of the header, which comments may stand before. */
  #namesIn(block: Uint8Array): string[] {
    const records = this.#table.records(0);
    while (records.next(block, true)) {
      if (this.#isComment(block, records.start)) continue;
      if (records.malformation !== undefined)
        throw new TableError(`its header is not a record: ${records.malformation}`);
      return this.#table.valuesOf(block.subarray(records.start, records.end)).map(decodeLine);
    }
    return this.#table.valuesOf(new Uint8Array(0)).map(decodeLine);
  }

  /** Of the first record that is one. */
  #firstFieldCount(block: Uint8Array): number | undefined {
    const records = this.#table.records(0);
    while (records.next(block, true)) {
      const { start, end, malformation, fieldCount } = records;
      const isRecord = malformation === undefined && !this.#isComment(block, start);
      if (isRecord && !this.#isBlank(block, start, withoutRecordEnd(block, start, end))) return fieldCount;
    }
    return undefined;
  }

  #isBlank(block: Uint8Array, start: number, end: number): boolean {
    return this.#options.skipsBlank && isBlank(block, start, end);
  }

  #isComment(block: Uint8Array, start: number): boolean {
    return this.#options.hasComments && block[start] === NUMBER_SIGN;
  }
}

/** Why a record has no value in the column. */
function problemOf({ fieldCount, malformation }: TableRecords, index: number, wanted = fieldCount): string | undefined {
  if (malformation !== undefined) return `not a record: ${malformation}`;
  if (fieldCount !== wanted) return `not a record of this table: it has ${columns(fieldCount)}, not ${wanted}`;
  return index < fieldCount ? undefined : `not a record with a column ${index + 1}: it has ${columns(fieldCount)}`;
}

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}
