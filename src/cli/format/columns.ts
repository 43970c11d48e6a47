import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { textOf } from './row-formats.ts';

/** Rows of a batch or row group: 10 MB of it where URLs are 60 bytes long. */
const ROW_LIMIT = 1 << 16;
const BYTE_LIMIT = 1 << 24;

/** The columns of a batch while it fills. */
export class Columns {
  readonly urls: string[] = [];
  /** Undefined for a row without a hash; else its bytes, this batch's own. */
  readonly hashes: (Uint8Array<ArrayBuffer> | undefined)[] = [];
  #byteLength = 0;

  get isFull(): boolean {
    return this.urls.length >= ROW_LIMIT || this.#byteLength >= BYTE_LIMIT;
  }

  add({ rows, column }: HashedRows, bounds: Row, hasResult: boolean): void {
    const { row, start, end } = bounds;
    this.urls.push(textOf(rows, bounds));
    this.hashes.push(hasResult ? column.bytes.slice(row * column.width, (row + 1) * column.width) : undefined);
    this.#byteLength += end - start;
  }

  /** The first word of each hash, as Spark, BigQuery, Trino and Postgres have it, which lack unsigned integers. */
  signedWords(): (bigint | undefined)[] {
    return this.hashes.map((hash) => (hash === undefined ? undefined : new DataView(hash.buffer).getBigInt64(0, true)));
  }

  unsignedWords(): (bigint | undefined)[] {
    return this.hashes.map((hash) =>
      hash === undefined ? undefined : new DataView(hash.buffer).getBigUint64(0, true),
    );
  }

  clear(): void {
    this.urls.length = 0;
    this.hashes.length = 0;
    this.#byteLength = 0;
  }
}
