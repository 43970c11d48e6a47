import { isUtf8 } from 'node:buffer';
import { ValueColumn } from '../../core/bytes/column.ts';
import { rowIn } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/utf8.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import type { RecordField } from '../read/record-field.ts';
import { givenIn, HEADER, VALUE } from '../read/row-batch.ts';
import { EMPTY, type KeptRows, type ResultBatch } from '../work/stage.ts';
import {
  type Batch,
  type BatchWriter,
  BYTE_LIMIT,
  type ColumnSchema,
  hashSchema,
  type OpenBatchWriter,
  textSchema,
  withWords,
} from './batch.ts';
import { Cell, type CellColumn, NO_BYTES, openCellColumn } from './cells.ts';
import type { Format } from './format.ts';
import type { RecordReader } from './record-reader.ts';
import { mustNotClash, RecordSchema } from './record-schema.ts';
import { type HashedRecord, RecordSpool } from './record-spool.ts';
import { type AddedText, digestOf } from './row-text.ts';

export interface ColumnarRecordsOptions {
  readonly reader: RecordReader;
  readonly width: Width;
  readonly hashName: string;
  /** Whether a column whose values are all numbers or all booleans has their type. */
  readonly isTyped: boolean;
  /** The columns, where the input declares them: known once there is a row. */
  readonly declaredFields: (() => readonly RecordField[]) | undefined;
  readonly open: OpenBatchWriter;
  /** What records gain besides the hash. */
  readonly texts: readonly AddedText[];
}

/** A file that has been begun, because its columns are known. */
interface Opened {
  /** The cells of a record, and of what it gains. */
  readonly cells: readonly Cell[];
  readonly added: readonly AddedCell[];
  readonly columns: RecordColumns;
  readonly writer: BatchWriter;
}

/** A text that records gain, computed from their URL. */
interface AddedCell {
  readonly cell: Cell;
  of(url: Uint8Array): Uint8Array | undefined;
}

/**
 * Writes records as a columnar file, with their own columns and those of the hash. A table without types is written as
 * it is read, and so is an input that declares its columns; otherwise all records are read before the first is written,
 * and are kept on disk meanwhile.
 */
export class ColumnarRecords implements Format {
  readonly #options: ColumnarRecordsOptions;
  readonly #schema: RecordSchema;
  #spool: RecordSpool | undefined;
  #opened: Opened | undefined;

  constructor(options: ColumnarRecordsOptions) {
    this.#options = options;
    this.#schema = new RecordSchema(options.isTyped);
  }

  write(results: ResultBatch, { rows: kept, count, fields }: KeptRows): void {
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      if (results.rows.kinds[row] === HEADER) this.#readHeader(results, row);
      else this.#add(this.#recordOf(results, row, fields[row] === EMPTY));
    }
  }

  take(): Uint8Array {
    return this.#opened?.writer.take() ?? NO_BYTES;
  }

  *end(): Generator<Uint8Array> {
    const opened = this.#opened ?? this.#open();
    const rest = this.#spool?.readAll((record) => this.#write(opened, record)) ?? [];
    for (const _ of rest) yield opened.writer.take();
    if (!opened.columns.isEmpty) opened.writer.write(opened.columns.take());
    opened.writer.end();
    yield opened.writer.take();
  }

  #readHeader({ rows }: ResultBatch, row: number): void {
    const { reader, isTyped } = this.#options;
    reader.readHeader(rowIn(rows.rows, row));
    mustNotClash(textSchema(reader.cells.map(({ name }) => name)), []);
    if (!isTyped) this.#opened = this.#open();
  }

  #add(record: HashedRecord): void {
    const { reader, width, declaredFields } = this.#options;
    if (declaredFields !== undefined) this.#opened ??= this.#open();
    if (this.#opened !== undefined) return this.#write(this.#opened, record);
    reader.read(record.record, record.url);
    this.#schema.add(reader.cells);
    this.#spool ??= new RecordSpool(width);
    this.#spool.add(record);
  }

  #open(): Opened {
    const { reader, width, hashName, open } = this.#options;
    const own = this.#ownColumns().map((column) => this.#typed(column));
    const added = this.#addedCells();
    const more = textSchema(added.map(({ cell }) => cell.name));
    const hash = hashSchema(width, hashName, `${hashName}_u64`, `${hashName}_i64`);
    mustNotClash(own, [...more, ...hash]);
    const cells = [...reader.cells, ...added.map(({ cell }) => cell)];
    const writer = open([...own, ...more, ...hash]);
    return { cells, added, columns: new RecordColumns([...own, ...more], width, writer.rowLimit), writer };
  }

  #ownColumns(): ColumnSchema[] {
    const { reader, declaredFields } = this.#options;
    const fields = declaredFields?.();
    if (fields === undefined) return this.#schema.columns(reader.cells);
    reader.expect(fields.map(({ name }) => name));
    return fields.map((field) => ({ ...field, isNullable: true }));
  }

  /** A URL in a nested object has a column of its own, whatever else is in it. */
  #typed(column: ColumnSchema): ColumnSchema {
    const { name } = column;
    return name === this.#options.reader.nestedPath ? { name, type: 'string', isNullable: true } : column;
  }

  #addedCells(): AddedCell[] {
    const { reader, texts } = this.#options;
    const path = reader.cells.some(({ name }) => name === reader.nestedPath) ? undefined : reader.nestedPath;
    const ofPath = path === undefined ? [] : [{ cell: new Cell(path), of: (url: Uint8Array) => url }];
    const ofTexts = texts.map(({ name, of }) => ({
      cell: new Cell(name.member),
      of(url: Uint8Array) {
        const text = of(decodeLine(url));
        return text === undefined ? undefined : Buffer.from(text);
      },
    }));
    return [...ofPath, ...ofTexts];
  }

  #write({ cells, columns, writer, added }: Opened, { record, hash, url }: HashedRecord): void {
    this.#options.reader.read(record, url);
    for (const { cell, of } of added) {
      const text = url === undefined ? undefined : of(url);
      if (text === undefined) cell.kind = 'none';
      else cell.setText(text);
    }
    columns.add(cells, hash);
    if (columns.isFull) writer.write(columns.take());
  }

  #recordOf(results: ResultBatch, row: number, isEmpty: boolean): HashedRecord {
    const { texts, reader } = this.#options;
    const { rows } = results;
    const isRecord = rows.kinds[row] === VALUE;
    const isUrlUsed = texts.length > 0 || reader.nestedPath !== undefined;
    return {
      record: isRecord || reader.isReadable(rows, row) ? asUtf8(rowIn(rows.rows, row)) : undefined,
      hash: isEmpty ? undefined : digestOf(results, row),
      url: isUrlUsed && isRecord ? asUtf8(givenIn(rows, row)) : undefined,
    };
  }
}

/** Returns the bytes if they are UTF-8; otherwise a copy in which what is not is U+FFFD. */
function asUtf8(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(decodeLine(bytes));
}

/** What a cell takes at least: an offset or a number. */
const LEAST_BYTES = 8;

/** The columns of records while a batch is collected: their own, then those of the hash. */
class RecordColumns {
  readonly #columns: readonly CellColumn[];
  readonly #hashes: ValueColumn;
  readonly #width: Width;
  readonly #rowLimit: number;
  /** About as many bytes as the rows so far have. */
  #byteLength = 0;

  constructor(own: readonly ColumnSchema[], width: Width, rowLimit: number) {
    this.#columns = own.map((column) => openCellColumn(column));
    this.#hashes = new ValueColumn(width, new Uint8Array(rowLimit * width));
    this.#width = width;
    this.#rowLimit = rowLimit;
  }

  get isFull(): boolean {
    return this.#hashes.length === this.#rowLimit || this.#byteLength >= BYTE_LIMIT;
  }

  get isEmpty(): boolean {
    return this.#hashes.length === 0;
  }

  add(cells: readonly Cell[], hash: Uint8Array | undefined): void {
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]!;
      this.#columns[index]!.add(cell);
      this.#byteLength += cell.kind === 'none' ? LEAST_BYTES : Math.max(LEAST_BYTES, cell.end - cell.start);
    }
    if (hash === undefined) this.#hashes.addInvalid();
    else this.#hashes.add(hash, 0);
  }

  /** Returns the rows so far; the next row begins another batch. */
  take(): Batch {
    const rowCount = this.#hashes.length;
    const hashes = withWords(this.#hashes.take(), this.#width);
    this.#byteLength = 0;
    return { rowCount, columns: [...this.#columns.map((column) => column.take()), ...hashes] };
  }
}
