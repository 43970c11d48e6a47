import type { SchemaElement } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { type Batch, Columns } from './columns.ts';
import type { Format } from './format.ts';
import { optionalPackage } from './optional-package.ts';
import { type PackedColumn, type PageWriter, writeChunk } from './parquet-chunk.ts';
import { columnsOf } from './parquet-columns.ts';
import { openCompression } from './parquet-compression.ts';

/** A Parquet file: url, hash, u64 and i64 in row groups. @throws {MissingPackageError} */
export async function openParquet(width: Width, profile: string): Promise<Format<HashedRows>> {
  return optionalPackage('--format parquet', 'hyparquet-writer', async () => {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const { writePageHeader } = await import('hyparquet-writer/src/datapage.js');
    const file = new ByteWriter();
    const writer = new ParquetWriter({
      writer: file,
      schema: schemaOf(width),
      kvMetadata: [{ key: 'urlsum.profile', value: profile }],
      createdBy: 'urlsum',
    });
    const compression = openCompression(writer.compressors.SNAPPY);
    return new ParquetFormat(writer, { file, writeHeader: writePageHeader, compression }, width);
  });
}

/** The package writes what stands before and after the row groups. */
class ParquetFormat implements Format<HashedRows> {
  readonly #columns: Columns;
  readonly #width: Width;
  readonly #writer: Parquet.ParquetWriter;
  readonly #pages: PageWriter;

  constructor(writer: Parquet.ParquetWriter, pages: PageWriter, width: Width) {
    this.#columns = new Columns(width, { hasLengths: true });
    this.#width = width;
    this.#writer = writer;
    this.#pages = pages;
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    this.#columns.add(hashed, row, hasResult);
    if (this.#columns.isFull) this.#addRowGroup(this.#columns.take());
  }

  /** The writer keeps count of the bytes in `offset`, so its buffer may be emptied at any time. */
  take(): Uint8Array {
    const { file } = this.#pages;
    const bytes = file.getBytes();
    file.index = 0;
    return bytes;
  }

  end(): Iterable<Uint8Array> {
    if (!this.#columns.isEmpty) this.#addRowGroup(this.#columns.take());
    void this.#writer.finish(); // synchronous: the bytes go to memory
    return [this.take()];
  }

  #addRowGroup(batch: Batch): void {
    const start = this.#pages.file.offset;
    const columns = columnsOf(batch, this.#width).map((column: PackedColumn) => writeChunk(this.#pages, column));
    this.#writer.num_rows += BigInt(batch.rowCount);
    this.#writer.row_groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      num_rows: BigInt(batch.rowCount),
      total_compressed_size: BigInt(this.#pages.file.offset - start),
    });
  }
}

function schemaOf(width: Width): SchemaElement[] {
  return [
    { name: 'urlsum', num_children: 4 },
    {
      name: 'url',
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      logical_type: { type: 'STRING' },
      repetition_type: 'REQUIRED',
    },
    { name: 'hash', type: 'FIXED_LEN_BYTE_ARRAY', type_length: width, repetition_type: 'OPTIONAL' },
    { name: 'u64', type: 'INT64', converted_type: 'UINT_64', repetition_type: 'OPTIONAL' },
    { name: 'i64', type: 'INT64', repetition_type: 'OPTIONAL' },
  ];
}
