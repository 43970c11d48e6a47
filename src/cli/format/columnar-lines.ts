import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import type { BatchWriter } from './batch.ts';
import type { Format } from './format.ts';
import type { LineColumns } from './line-columns.ts';

/** Lines and their hashes as a columnar file. */
export class ColumnarLines implements Format<HashedRows> {
  readonly #columns: LineColumns;
  readonly #writer: BatchWriter;

  constructor(columns: LineColumns, writer: BatchWriter) {
    this.#columns = columns;
    this.#writer = writer;
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    this.#columns.add(hashed, row, hasResult);
    if (this.#columns.isFull) this.#writer.write(this.#columns.take());
  }

  take(): Uint8Array {
    return this.#writer.take();
  }

  end(): Iterable<Uint8Array> {
    if (!this.#columns.isEmpty) this.#writer.write(this.#columns.take());
    this.#writer.end();
    return [this.#writer.take()];
  }
}
