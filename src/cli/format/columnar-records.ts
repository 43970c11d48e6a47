import { ValueColumn } from '../../bytes/column.ts';
import type { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { Width } from '../../kernel/index.ts';
import { HEADER, VALUE } from '../rows/row-batch.ts';
import { EMPTY, type KeptRows, type ResultBatch } from '../stage/stage.ts';
import {
  type Batch,
  type BatchWriter,
  BYTE_LIMIT,
  type ColumnSchema,
  type OpenBatchWriter,
  ROW_LIMIT,
  textSchema,
} from './batch.ts';
import { type CellColumn, openCellColumn } from './cells.ts';
import type { Format } from './format.ts';
import { hashSchema, withWords } from './hash-columns.ts';
import type { Cell, Cells, RecordReader } from './record-reader.ts';
import { mustNotClash, RecordSchema } from './record-schema.ts';
import { type HashedRecord, RecordSpool } from './record-spool.ts';
import { type AddedText, digestOf, textOf } from './row-text.ts';

export interface ColumnarRecordsOptions {
  readonly reader: RecordReader;
  readonly width: Width;
  readonly hashName: string;
  /** Whether a column whose values are all numbers or all booleans has their type. */
  readonly isTyped: boolean;
  readonly open: OpenBatchWriter;
  /** Whether each text is written after its length. */
  readonly hasLengths: boolean;
  /** What records gain besides the hash. */
  readonly texts: readonly AddedText[];
  /** Tells the user what is left out. */
  tell(message: string): void;
}

/** A file that has been begun, because its columns are known. */
interface Opened {
  readonly columns: RecordColumns;
  readonly writer: BatchWriter;
}

const NOTHING: Cells = new Map();

/**
 * Writes records as a columnar file, with their own columns and those of the hash. A table without types is written as
 * it is read; otherwise all records are read before the first is written, and are kept on disk meanwhile.
 */
export class ColumnarRecords implements Format {
  readonly #options: ColumnarRecordsOptions;
  #schema = new RecordSchema();
  #spool: RecordSpool | undefined;
  #opened: Opened | undefined;

  constructor(options: ColumnarRecordsOptions) {
    this.#options = options;
  }

  write(results: ResultBatch, { rows: kept, count, fields }: KeptRows, out: GrowingBytes): void {
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      if (results.rows.kinds[row] === HEADER) this.#readHeader(results, row);
      else this.#add(this.#recordOf(results, row, fields[row] === EMPTY));
    }
    const written = this.#opened?.writer.take();
    if (written !== undefined) out.bytes(written, 0, written.length);
  }

  *end(): Generator<Uint8Array> {
    const opened = this.#opened ?? this.#open();
    for (const record of this.#spool?.records() ?? []) {
      this.#write(opened, record);
      const piece = opened.writer.take();
      if (piece.length > 0) yield piece;
    }
    if (!opened.columns.isEmpty) opened.writer.write(opened.columns.take());
    opened.writer.end();
    yield opened.writer.take();
    const nested = this.#schema.nestedNames;
    if (nested.length > 0) this.#options.tell(`objects and arrays are left out: ${nested.join(', ')}`);
  }

  #readHeader({ rows: { rows } }: ResultBatch, row: number): void {
    const { reader, isTyped } = this.#options;
    const names = reader.readHeader(rows.bytes.subarray(rows.starts[row], rows.ends[row]));
    mustNotClash(textSchema(names), []);
    this.#schema = new RecordSchema(names);
    if (!isTyped) this.#opened = this.#open();
  }

  #add(record: HashedRecord): void {
    if (this.#opened !== undefined) return this.#write(this.#opened, record);
    this.#schema.add(this.#cellsOf(record));
    this.#spool ??= new RecordSpool(this.#options.width);
    this.#spool.add(record);
  }

  #open(): Opened {
    const { width, hashName, isTyped, open, hasLengths } = this.#options;
    const own = [...this.#schema.columns(isTyped), ...textSchema(this.#addedTexts())];
    const hash = hashSchema(hashName, `${hashName}_u64`, `${hashName}_i64`);
    mustNotClash(this.#schema.columns(isTyped), [...textSchema(this.#addedTexts()), ...hash]);
    return { columns: new RecordColumns(own, width, hasLengths), writer: open([...own, ...hash]) };
  }

  /** Names the columns for a URL in a nested object, which has none of its own, and for the texts that records gain. */
  #addedTexts(): string[] {
    const { reader, texts } = this.#options;
    const path = reader.nestedPath === undefined || this.#schema.has(reader.nestedPath) ? [] : [reader.nestedPath];
    return [...path, ...texts.map(({ name }) => name.member)];
  }

  #write({ columns, writer }: Opened, record: HashedRecord): void {
    columns.add(this.#withTexts(this.#cellsOf(record), record.url), record.hash);
    if (columns.isFull) writer.write(columns.take());
  }

  #cellsOf({ record }: HashedRecord): Cells {
    return record === undefined ? NOTHING : this.#options.reader.cellsOf(record);
  }

  #withTexts(cells: Cells, url: string | undefined): Cells {
    const { reader, texts } = this.#options;
    if (url === undefined) return cells;
    const more: [string, Cell][] = [];
    if (reader.nestedPath !== undefined) more.push([reader.nestedPath, { kind: 'text', text: url }]);
    for (const { name, of } of texts) {
      const text = of(url);
      if (text !== undefined) more.push([name.member, { kind: 'text', text }]);
    }
    return more.length === 0 ? cells : new Map([...cells, ...more]);
  }

  #recordOf(results: ResultBatch, row: number, isEmpty: boolean): HashedRecord {
    const { texts, reader } = this.#options;
    const { rows } = results;
    const { bytes, starts, ends } = rows.rows;
    const isRecord = rows.kinds[row] === VALUE;
    const isUrlUsed = texts.length > 0 || reader.nestedPath !== undefined;
    return {
      record: isRecord || reader.isReadable(rows, row) ? bytes.subarray(starts[row], ends[row]) : undefined,
      hash: isEmpty ? undefined : digestOf(results, row),
      url: isUrlUsed && isRecord ? textOf(rows, row) : undefined,
    };
  }
}

/** The columns of records while a batch is collected: their own, then those of the hash. */
class RecordColumns {
  readonly #names: readonly string[];
  readonly #columns: readonly CellColumn[];
  readonly #hashes: ValueColumn;
  readonly #width: Width;

  constructor(own: readonly ColumnSchema[], width: Width, hasLengths: boolean) {
    this.#names = own.map(({ name }) => name);
    this.#columns = own.map((column) => openCellColumn(column, hasLengths));
    this.#hashes = new ValueColumn(width, new Uint8Array(ROW_LIMIT * width));
    this.#width = width;
  }

  get isFull(): boolean {
    const byteLength = this.#columns.reduce((sum, column) => sum + column.byteLength, 0);
    return this.#hashes.length === ROW_LIMIT || byteLength >= BYTE_LIMIT;
  }

  get isEmpty(): boolean {
    return this.#hashes.length === 0;
  }

  add(cells: Cells, hash: Uint8Array | undefined): void {
    for (const [index, column] of this.#columns.entries()) column.add(cells.get(this.#names[index]!));
    if (hash === undefined) this.#hashes.addInvalid();
    else this.#hashes.add(hash, 0);
  }

  /** Returns the rows so far; the next row begins another batch. */
  take(): Batch {
    const rowCount = this.#hashes.length;
    const hashes = withWords(this.#hashes.take(), this.#width);
    return { rowCount, columns: [...this.#columns.map((column) => column.take()), ...hashes] };
  }
}
