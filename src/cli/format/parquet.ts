import type { SchemaElement } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Width } from '../../kernel/index.ts';
import type { Batch, BatchWriter, ColumnSchema, ColumnType, OpenBatchWriter } from './batch.ts';
import { openCompression, type PageWriter, writeChunk } from './parquet-chunk.ts';
import { PARQUET_TYPES, packedColumn } from './parquet-columns.ts';

/** Returns the function that opens a Parquet file, which is written in row groups. */
export async function openParquet(width: Width, facts: ReadonlyMap<string, string>): Promise<OpenBatchWriter> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const { writePageHeader } = await import('hyparquet-writer/src/datapage.js');
  return (columns) => {
    const file = new ByteWriter();
    const writer = new ParquetWriter({
      writer: file,
      schema: schemaOf(columns, width),
      kvMetadata: Array.from(facts, ([key, value]) => ({ key, value })),
      createdBy: 'urlsum',
    });
    const compression = openCompression(writer.compressors.SNAPPY);
    return new RowGroups(writer, { file, writeHeader: writePageHeader, compression }, columns, width);
  };
}

/** Writes the row groups; the package writes the file before and after them. */
class RowGroups implements BatchWriter {
  readonly #columns: readonly ColumnSchema[];
  readonly #width: Width;
  readonly #writer: Parquet.ParquetWriter;
  readonly #pages: PageWriter;

  constructor(writer: Parquet.ParquetWriter, pages: PageWriter, columns: readonly ColumnSchema[], width: Width) {
    this.#writer = writer;
    this.#pages = pages;
    this.#columns = columns;
    this.#width = width;
  }

  write({ rowCount, columns }: Batch): void {
    const start = this.#pages.file.offset;
    const chunks = columns.map((column, index) =>
      writeChunk(this.#pages, packedColumn(this.#columns[index]!, column, this.#width)),
    );
    this.#writer.num_rows += BigInt(rowCount);
    this.#writer.row_groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      num_rows: BigInt(rowCount),
      total_compressed_size: BigInt(this.#pages.file.offset - start),
    });
  }

  /** The writer counts the bytes in `offset`, so its buffer can be emptied at any time. */
  take(): Uint8Array {
    const { file } = this.#pages;
    const bytes = file.getBytes();
    file.index = 0;
    return bytes;
  }

  end(): void {
    void this.#writer.finish(); // synchronous, as the bytes go to memory
  }
}

function schemaOf(columns: readonly ColumnSchema[], width: Width): SchemaElement[] {
  const more: Partial<Record<ColumnType, Partial<SchemaElement>>> = {
    text: { converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    hash: { type_length: width },
    u64: { converted_type: 'UINT_64' },
  };
  return [
    { name: 'urlsum', num_children: columns.length },
    ...columns.map(({ name, type, isNullable }) => ({
      name,
      type: PARQUET_TYPES[type],
      ...more[type],
      repetition_type: isNullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ];
}
