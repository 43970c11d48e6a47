import { isUtf8 } from 'node:buffer';
import { ListColumn, ValueColumn } from '../../core/bytes/column.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { givenSpans, type RowBatch } from '../read/row-batch.ts';
import { EMPTY, type KeptRows, type ResultBatch } from '../work/stage.ts';
import {
  type BatchWriter,
  BYTE_LIMIT,
  type ColumnSchema,
  hashSchema,
  type OpenBatchWriter,
  ROW_LIMIT,
  textSchema,
  withWords,
} from './batch.ts';
import { addBytes, addText } from './cells.ts';
import type { Format } from './format.ts';
import { type AddedText, textOf, WHOLE_BYTES } from './row-text.ts';

/** The line as given. */
const URL_SCHEMA: ColumnSchema = { name: 'url', type: 'string', isNullable: false };

/** Writes lines and their hashes as a columnar file, and the texts that they gain as its last columns. */
export class ColumnarLines implements Format {
  readonly #urls = new ListColumn(1);
  readonly #hashes: ValueColumn;
  readonly #width: Width;
  readonly #texts: readonly { readonly of: AddedText['of']; readonly column: ListColumn }[];
  readonly #writer: BatchWriter;

  constructor(width: Width, texts: readonly AddedText[], open: OpenBatchWriter) {
    this.#hashes = new ValueColumn(width, new Uint8Array(ROW_LIMIT * width));
    this.#width = width;
    this.#texts = texts.map(({ of }) => ({ of, column: new ListColumn(1) }));
    const added = textSchema(texts.map(({ name }) => name.column));
    this.#writer = open([URL_SCHEMA, ...hashSchema(width, 'hash', 'u64', 'i64'), ...added]);
  }

  write({ rows, digests, width }: ResultBatch, { rows: kept, count, fields }: KeptRows): void {
    const isText = isAllUtf8(rows.rows, rows.length) && isAllUtf8(rows.values, rows.length);
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      this.#addUrl(rows, row, isText);
      if (fields[row] === EMPTY) this.#hashes.addInvalid();
      else this.#hashes.add(digests, row * width);
      this.#addTexts(rows, row);
      if (this.#isFull) this.#writeBatch();
    }
  }

  take(): Uint8Array {
    return this.#writer.take();
  }

  end(): Iterable<Uint8Array> {
    if (this.#hashes.length > 0) this.#writeBatch();
    this.#writer.end();
    return [this.#writer.take()];
  }

  get #isFull(): boolean {
    return this.#hashes.length === this.#writer.rowLimit || this.#urls.values.length >= BYTE_LIMIT;
  }

  #writeBatch(): void {
    const rowCount = this.#hashes.length;
    const hashes = withWords(this.#hashes.take(), this.#width);
    const texts = this.#texts.map(({ column }) => column.take());
    this.#writer.write({ rowCount, columns: [this.#urls.take(), ...hashes, ...texts] });
  }

  #addTexts(rows: RowBatch, row: number): void {
    if (this.#texts.length === 0) return;
    const url = textOf(rows, row);
    for (const { of, column } of this.#texts) {
      const text = of(url);
      if (text === undefined) column.endInvalid();
      else addText(column, text);
    }
  }

  #addUrl(rows: RowBatch, row: number, isText: boolean): void {
    const { bytes, starts, ends } = givenSpans(rows, row);
    const [start, end] = [starts[row]!, ends[row]!];
    if (end - start > WHOLE_BYTES || !isText) addText(this.#urls, textOf(rows, row));
    else addBytes(this.#urls, bytes, start, end);
  }
}

/** If the bytes from the first line to the last are valid UTF-8, so is each line. */
function isAllUtf8({ bytes, starts, ends }: Spans, length: number): boolean {
  return isUtf8(bytes.subarray(starts[0], ends[length - 1]));
}
