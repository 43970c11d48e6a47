import type { Width } from '../../kernel/kernel.ts';
import { type Batch, BYTE_LIMIT, type ColumnSchema, ROW_LIMIT } from './batch.ts';
import { HashColumns } from './hash-columns.ts';
import type { Cells } from './record-cells.ts';
import { type CellColumn, openColumn } from './scalar-column.ts';

/** A record and what was made of it. */
export interface HashedRecord {
  /** Undefined for what is not a record. */
  readonly record: Uint8Array | undefined;
  readonly hash: Uint8Array | undefined;
  /** Its URL, as given. */
  readonly url: string | undefined;
}

/** The columns of records while a batch fills: their own, then those of the hash. */
export class RecordColumns {
  readonly #names: readonly string[];
  readonly #columns: readonly CellColumn[];
  readonly #hashes: HashColumns;

  constructor(own: readonly ColumnSchema[], width: Width, hasLengths: boolean) {
    this.#names = own.map(({ name }) => name);
    this.#columns = own.map((column) => openColumn(column, hasLengths));
    this.#hashes = new HashColumns(width);
  }

  get isFull(): boolean {
    const byteLength = this.#columns.reduce((sum, column) => sum + column.byteLength, 0);
    return this.#hashes.rowCount === ROW_LIMIT || byteLength >= BYTE_LIMIT;
  }

  get isEmpty(): boolean {
    return this.#hashes.rowCount === 0;
  }

  add(cells: Cells, hash: Uint8Array | undefined): void {
    for (const [index, column] of this.#columns.entries()) column.add(cells.get(this.#names[index]!));
    if (hash === undefined) this.#hashes.addNull();
    else this.#hashes.add(hash, 0);
  }

  /** The rows so far; the next one begins another batch. */
  take(): Batch {
    const { rowCount } = this.#hashes;
    return { rowCount, columns: [...this.#columns.map((column) => column.take()), ...this.#hashes.take()] };
  }
}
