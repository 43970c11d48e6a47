/** What a column of a columnar format holds. */
export type ColumnType = 'text' | 'hash' | 'u64' | 'i64' | 'integer' | 'number' | 'boolean';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

/** The rows of a batch or row group, a column for each of the schema; all of it holds until the next row is added. */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/** A column in Arrow's layout: rows without a value have zeros, or an empty text. */
export interface BatchColumn {
  readonly nullCount: number;
  /** A bit per row, least significant first: has it a value? */
  readonly validity: Uint8Array;
  /** Texts one after another, in UTF-8; 8 bytes per number; a bit per boolean; `width` bytes per hash. */
  readonly values: Uint8Array<ArrayBuffer>;
  /** Text r is values[offsets[r], offsets[r + 1]): after its length, where that was asked for. */
  readonly offsets?: Int32Array<ArrayBuffer>;
}

/** A columnar file that is being written. */
export interface BatchWriter {
  write(batch: Batch): void;
  /** What is ready; valid until the next call. */
  take(): Uint8Array;
  /** Writes what stands after the batches. */
  end(): void;
}

/** Begins a file of columns. */
export type OpenBatchWriter = (schema: readonly ColumnSchema[]) => BatchWriter;

/** Rows of a batch or row group: 10 MB of it where URLs are 60 bytes long. */
export const ROW_LIMIT = 1 << 16;
export const BYTE_LIMIT = 1 << 24;

/** Which rows of a batch have a value: a bit each, the least significant first. */
export class Validity {
  readonly #bits = new Uint8Array(ROW_LIMIT / 8);
  #rowCount = 0;
  #validCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  get nullCount(): number {
    return this.#rowCount - this.#validCount;
  }

  get bits(): Uint8Array {
    return this.#bits.subarray(0, Math.ceil(this.#rowCount / 8));
  }

  add(hasValue: boolean): void {
    const row = this.#rowCount++;
    if (!hasValue) return;
    this.#bits[row >> 3]! |= 1 << (row & 7);
    this.#validCount++;
  }
}
