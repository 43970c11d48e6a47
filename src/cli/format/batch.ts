/** The type of the values in a column of a columnar format. */
export type ColumnType = 'text' | 'hash' | 'u64' | 'i64' | 'integer' | 'number' | 'boolean';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

/** The rows of a batch or row group, with one column for each in the schema. Valid until the next row is added. */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/** A column in Arrow's layout: a row without a value has zeros, or an empty text. */
export interface BatchColumn {
  readonly nullCount: number;
  /** A bit per row, least significant first, which is set if the row has a value. */
  readonly validity: Uint8Array;
  /** Packed values: texts in UTF-8, 8 bytes per number, a bit per boolean, `width` bytes per hash. */
  readonly values: Uint8Array<ArrayBuffer>;
  /** Text r is values[offsets[r], offsets[r + 1]), which begins with its length if that was asked for. */
  readonly offsets?: Int32Array<ArrayBuffer>;
}

/** Writes a columnar file. */
export interface BatchWriter {
  write(batch: Batch): void;
  /** Returns the bytes that are ready; valid until the next call. */
  take(): Uint8Array;
  /** Writes the part after the batches. */
  end(): void;
}

/** Begins a columnar file. */
export type OpenBatchWriter = (schema: readonly ColumnSchema[]) => BatchWriter;

/** Rows of a batch or row group: 10 MB if URLs are 60 bytes long. */
export const ROW_LIMIT = 1 << 16;
export const BYTE_LIMIT = 1 << 24;

/** Tells which rows of a batch have a value: a bit each, least significant first. */
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
