import { isUtf8 } from 'node:buffer';
import type { Width } from '../../kernel/kernel.ts';
import type { Rows } from '../rows/framing.ts';
import { givenBounds } from '../rows/values.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { type Batch, BYTE_LIMIT, type ColumnSchema, ROW_LIMIT } from './batch.ts';
import { HashColumns, hashSchema } from './hash-columns.ts';
import { textOf, WHOLE_BYTES } from './row-formats.ts';
import { TextColumn } from './text-column.ts';

/** The columns of lines: `url`, the line as given, and its hash. */
export const LINE_SCHEMA: readonly ColumnSchema[] = [
  { name: 'url', type: 'text', isNullable: false },
  ...hashSchema('hash', 'u64', 'i64'),
];

/** The rows of a batch while it fills, packed: what columnar formats write without a look at each row. */
export class LineColumns {
  readonly #width: Width;
  readonly #urls: TextColumn;
  readonly #hashes: HashColumns;
  /** The rows that were added last, and whether all of their bytes are UTF-8. */
  #rows: Rows | undefined;
  #areUtf8 = false;

  constructor(width: Width, hasLengths: boolean) {
    this.#width = width;
    this.#urls = new TextColumn(hasLengths);
    this.#hashes = new HashColumns(width);
  }

  get isFull(): boolean {
    return this.#hashes.rowCount === ROW_LIMIT || this.#urls.byteLength >= BYTE_LIMIT;
  }

  get isEmpty(): boolean {
    return this.#hashes.rowCount === 0;
  }

  add({ rows, column }: HashedRows, row: Row, hasResult: boolean): void {
    this.#addUrl(rows, row);
    if (hasResult) this.#hashes.add(column.bytes, row.row * this.#width);
    else this.#hashes.addNull();
  }

  /** The rows so far; the next one begins another batch. */
  take(): Batch {
    const { rowCount } = this.#hashes;
    return { rowCount, columns: [this.#urls.take(), ...this.#hashes.take()] };
  }

  #addUrl(rows: Rows, row: Row): void {
    const { bytes, start, end } = givenBounds(rows, row.row, row.start, row.end);
    if (end - start > WHOLE_BYTES || !this.#isText(rows)) this.#urls.addText(textOf(rows, row));
    else this.#urls.addBytes(bytes, start, end);
  }

  /** Values are packed from rows, so together with them they are text one by one. */
  #isText(rows: Rows): boolean {
    if (rows === this.#rows) return this.#areUtf8;
    this.#rows = rows;
    this.#areUtf8 = isUtf8(rows.bytes) && ('lines' in rows.values || isUtf8(rows.values.bytes));
    return this.#areUtf8;
  }
}
