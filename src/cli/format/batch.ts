import type { Column } from '../../bytes/column.ts';

/** The type of the values in a column of a columnar format. */
export type ColumnType = 'text' | 'hash' | 'u64' | 'i64' | 'integer' | 'number' | 'boolean';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

/** Returns the schema of columns of texts, each of which may be missing. */
export function textSchema(names: readonly string[]): ColumnSchema[] {
  return names.map((name) => ({ name, type: 'text', isNullable: true }));
}

/**
 * The rows of a batch or row group, with one column for each in the schema: texts in UTF-8, 8 bytes per number, one byte
 * per boolean, `width` bytes per hash. Valid until the next row is added.
 */
export interface Batch {
  readonly rowCount: number;
  /** In Parquet, a text begins with its length. */
  readonly columns: readonly Column[];
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
