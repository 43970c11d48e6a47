import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import type { BatchWriter, ColumnSchema, OpenBatchWriter } from './batch.ts';
import type { Format } from './format.ts';
import { hashSchema } from './hash-columns.ts';
import type { Cell, Cells } from './record-cells.ts';
import { type HashedRecord, RecordColumns } from './record-columns.ts';
import type { RecordReader } from './record-reader.ts';
import { mustNotClash, RecordSchema } from './record-schema.ts';
import { RecordSpool } from './record-spool.ts';
import { textOf } from './row-formats.ts';

export interface ColumnarRecordsOptions {
  readonly reader: RecordReader;
  readonly width: Width;
  readonly hashName: string;
  /** Are columns numbers and booleans, where every value is one? */
  readonly isTyped: boolean;
  readonly open: OpenBatchWriter;
  /** Do texts stand after their length? */
  readonly hasLengths: boolean;
  /** The canonical form of a URL, where records gain that, too. */
  readonly canonicalOf: ((url: string) => string | undefined) | undefined;
  /** Says what does not come along. */
  tell(message: string): void;
}

/** A file that is being written: its columns are known. */
interface Opened {
  readonly columns: RecordColumns;
  readonly writer: BatchWriter;
}

const NOTHING: Cells = new Map();

/**
 * Records as a columnar file, with their own columns and those of the hash. A table without types is written as it is
 * read; otherwise all records are seen before the first is written, and wait on the disk.
 */
export class ColumnarRecords implements Format<HashedRows> {
  readonly #options: ColumnarRecordsOptions;
  #schema = new RecordSchema();
  #spool: RecordSpool | undefined;
  #opened: Opened | undefined;

  constructor(options: ColumnarRecordsOptions) {
    this.#options = options;
  }

  header(header: Uint8Array): Uint8Array {
    const { reader, isTyped } = this.#options;
    const names = reader.readHeader(header);
    mustNotClash(textColumns(names), []);
    this.#schema = new RecordSchema(names);
    if (!isTyped) this.#opened = this.#open();
    return this.take();
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    const record = this.#recordOf(hashed, row, hasResult);
    if (this.#opened !== undefined) return this.#write(this.#opened, record);
    this.#schema.add(this.#cellsOf(record));
    this.#spool ??= new RecordSpool(this.#options.width);
    this.#spool.add(record);
  }

  take(): Uint8Array {
    return this.#opened?.writer.take() ?? new Uint8Array(0);
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

  #open(): Opened {
    const { width, hashName, isTyped, open, hasLengths } = this.#options;
    const own = [...this.#schema.columns(isTyped), ...textColumns(this.#addedTexts())];
    const hash = hashSchema(hashName, `${hashName}_u64`, `${hashName}_i64`);
    mustNotClash(this.#schema.columns(isTyped), [...textColumns(this.#addedTexts()), ...hash]);
    return { columns: new RecordColumns(own, width, hasLengths), writer: open([...own, ...hash]) };
  }

  /** A URL in a nested object has no column among the scalars. */
  #addedTexts(): string[] {
    const { reader, canonicalOf, hashName } = this.#options;
    const path = reader.nestedPath === undefined ? [] : [reader.nestedPath];
    return canonicalOf === undefined ? path : [...path, `${hashName}_canonical`];
  }

  #write({ columns, writer }: Opened, record: HashedRecord): void {
    columns.add(this.#withTexts(this.#cellsOf(record), record.url), record.hash);
    if (columns.isFull) writer.write(columns.take());
  }

  #cellsOf({ record }: HashedRecord): Cells {
    return record === undefined ? NOTHING : this.#options.reader.cellsOf(record);
  }

  #withTexts(cells: Cells, url: string | undefined): Cells {
    const { reader, canonicalOf, hashName } = this.#options;
    if (url === undefined) return cells;
    const canonical = canonicalOf?.(url);
    const more: [string, Cell][] = [];
    if (reader.nestedPath !== undefined) more.push([reader.nestedPath, { kind: 'text', text: url }]);
    if (canonical !== undefined) more.push([`${hashName}_canonical`, { kind: 'text', text: canonical }]);
    return more.length === 0 ? cells : new Map([...cells, ...more]);
  }

  #recordOf({ rows, column }: HashedRows, row: Row, hasResult: boolean): HashedRecord {
    const { width, canonicalOf, reader } = this.#options;
    const isRecord = !rows.malformed.has(row.row);
    const isUrlUsed = canonicalOf !== undefined || reader.nestedPath !== undefined;
    return {
      record: isRecord || reader.isReadable(rows, row.row) ? rows.bytes.subarray(row.start, row.end) : undefined,
      hash: hasResult ? column.bytes.subarray(row.row * width, (row.row + 1) * width) : undefined,
      url: isUrlUsed && isRecord ? textOf(rows, row) : undefined,
    };
  }
}

function textColumns(names: readonly string[]): ColumnSchema[] {
  return names.map((name) => ({ name, type: 'text', isNullable: true }));
}
