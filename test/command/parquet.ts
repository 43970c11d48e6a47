import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';

/** Returns a Parquet file of these columns, which hyparquet writes. */
export function parquet(
  columnData: ColumnSource[],
  options: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {},
): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
}
