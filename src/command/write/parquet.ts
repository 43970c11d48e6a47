import zlib from 'node:zlib';
import type { DecodedArray } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Column } from '../../core/bytes/column.ts';
import {
  type Batch,
  type BatchWriter,
  type ColumnSchema,
  numbersOf,
  type OpenBatchWriter,
  ROW_LIMIT,
} from './batch.ts';
import { schemaOf } from './parquet-schema.ts';

/** Returns the function that opens a Parquet file, which is written in row groups. */
export async function openParquet(facts: ReadonlyMap<string, string>): Promise<OpenBatchWriter> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  return (columns) => {
    const file = new ByteWriter();
    const writer = new ParquetWriter({
      writer: file,
      schema: schemaOf(columns),
      kvMetadata: Array.from(facts, ([key, value]) => ({ key, value })),
      createdBy: 'urlsum',
      ...compression(),
    });
    return new RowGroups(writer, file, columns);
  };
}

type WriterOptions = ConstructorParameters<typeof Parquet.ParquetWriter>[0];

interface ZstdOptions {
  readonly params: Readonly<Record<number, number>>;
}

/** Part of Node since 22.15; the types of Node 20 lack it. */
const { zstdCompressSync } = zlib as {
  zstdCompressSync?: (bytes: Uint8Array, options: ZstdOptions) => Uint8Array;
};
const { ZSTD_c_compressionLevel: LEVEL } = zlib.constants as { ZSTD_c_compressionLevel?: number };

/**
 * Zstandard at level 1 if the host has it: 31 bytes and 250 ns for a URL of 64 bytes. The package's Snappy, in
 * JavaScript, takes 43 bytes and 1,200 ns.
 */
function compression(): Pick<WriterOptions, 'codec' | 'compressors'> {
  if (zstdCompressSync === undefined || LEVEL === undefined) return { codec: 'SNAPPY' };
  const fastest = { params: { [LEVEL]: 1 } };
  return { codec: 'ZSTD', compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, fastest) } };
}

class RowGroups implements BatchWriter {
  /**
   * The package takes each value of a column as an object. With twice as many rows, those live long enough to leave the
   * young generation, and a run takes 15 to 60 MB more, by when they are collected.
   */
  readonly rowLimit = ROW_LIMIT / 4;
  readonly #columns: readonly ColumnSchema[];
  readonly #writer: Parquet.ParquetWriter;
  readonly #file: Parquet.ByteWriter;

  constructor(writer: Parquet.ParquetWriter, file: Parquet.ByteWriter, columns: readonly ColumnSchema[]) {
    this.#writer = writer;
    this.#file = file;
    this.#columns = columns;
  }

  write({ rowCount, columns }: Batch): void {
    if (rowCount === 0) return;
    const columnData = columns.map((column, index) => sourceOf(this.#columns[index]!, column, index === 0));
    void this.#writer.write({ columnData, rowGroupSize: rowCount }); // synchronous, as the bytes go to memory
    for (const { meta_data } of this.#writer.row_groups.at(-1)!.columns) keepBounds(meta_data?.statistics);
  }

  /** The writer counts the bytes in `offset`, so its buffer can be emptied at any time. */
  take(): Uint8Array {
    const bytes = this.#file.getBytes();
    this.#file.index = 0;
    return bytes;
  }

  /**
   * The package would convert each value of a converted type: serialize JSON, which loses digits, and look texts up in
   * a table of all of them. So the types are named after the values are written.
   */
  end(): void {
    this.#writer.schema = this.#writer.schema.map((element) => {
      const converted = CONVERTED_TYPES[element.logical_type?.type ?? ''];
      return converted === undefined ? element : { ...element, converted_type: converted };
    });
    void this.#writer.finish();
  }
}

const CONVERTED_TYPES: Readonly<Record<string, 'UTF8' | 'JSON'>> = { STRING: 'UTF8', JSON: 'JSON' };

/**
 * The package asks for the values of a column when it writes it, and before that for the number of those of the first:
 * those of one column at a time are in memory.
 */
function sourceOf(schema: ColumnSchema, column: Column, isAskedTwice: boolean): Parquet.ColumnSource {
  let kept: DecodedArray | undefined;
  return {
    name: schema.name,
    get data() {
      const values = kept ?? valuesOf(schema, column);
      kept = isAskedTwice && kept === undefined ? values : undefined;
      return values;
    },
    encoding: 'PLAIN', // a dictionary takes longer than what it spares Snappy, and -0 for 0
    ...(schema.type === 'json' && { statistics: false }),
    ...(schema.isHash === true && { codec: 'UNCOMPRESSED' }),
  };
}

/** Bounds are views of memory that the next batch overwrites. */
function keepBounds(bounds: { min_value?: unknown; max_value?: unknown } | undefined): void {
  if (bounds?.min_value instanceof Uint8Array) bounds.min_value = Uint8Array.from(bounds.min_value);
  if (bounds?.max_value instanceof Uint8Array) bounds.max_value = Uint8Array.from(bounds.max_value);
}

function valuesOf(schema: ColumnSchema, column: Column): DecodedArray {
  const { offsets, invalid } = column;
  const packed = offsets === undefined ? packedValuesOf(schema, column) : listsOf(column, offsets);
  if (invalid.length === 0) return packed;
  const values: unknown[] = Array.isArray(packed) ? packed : Array.from<unknown>(packed);
  for (const row of invalid) values[row] = null;
  return values;
}

function listsOf({ length, bytes }: Column, offsets: Uint32Array): Uint8Array[] {
  const { buffer, byteOffset } = bytes;
  const lists: Uint8Array[] = new Array(length);
  for (let row = 0; row < length; row++)
    lists[row] = new Uint8Array(buffer, byteOffset + offsets[row]!, offsets[row + 1]! - offsets[row]!);
  return lists;
}

function packedValuesOf(schema: ColumnSchema, { length, bytes }: Column): DecodedArray {
  switch (schema.type) {
    case 'boolean':
      return Array.from(bytes, (byte) => byte === 1);
    case 'bytes':
      return rowsOf(bytes, length);
    case 'decimal':
      return rowsOf(bytes, length).map(integerOf);
    default: {
      const numbers = numbersOf(schema, bytes);
      return numbers instanceof Uint32Array ? Array.from(numbers) : (numbers as DecodedArray);
    }
  }
}

function rowsOf({ buffer, byteOffset, byteLength }: Uint8Array, length: number): Uint8Array[] {
  const width = byteLength / length;
  return Array.from({ length }, (_, row) => new Uint8Array(buffer, byteOffset + row * width, width));
}

/** Reads a signed integer of 128 or 256 bits, the lowest byte first. */
function integerOf({ buffer, byteOffset, byteLength }: Uint8Array): bigint {
  const words = new BigInt64Array(buffer, byteOffset, byteLength / 8);
  return words.reduceRight((upper, word) => (upper << 64n) | BigInt.asUintN(64, word));
}
