import type { DecodedArray, SchemaElement } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { type Batch, Columns } from './columns.ts';
import type { Format } from './format.ts';
import { optionalPackage } from './optional-package.ts';

/** A Parquet file: url, hash, u64 and i64 in row groups. @throws {MissingPackageError} */
export async function openParquet(width: Width, profile: string): Promise<Format<HashedRows>> {
  return new ParquetFormat(
    await optionalPackage('--format parquet', 'hyparquet-writer', () => import('hyparquet-writer')),
    width,
    profile,
  );
}

class ParquetFormat implements Format<HashedRows> {
  readonly #columns: Columns;
  readonly #width: Width;
  readonly #bytes: Parquet.ByteWriter;
  readonly #writer: Parquet.ParquetWriter;

  constructor({ ByteWriter, ParquetWriter }: typeof Parquet, width: Width, profile: string) {
    this.#columns = new Columns(width);
    this.#width = width;
    this.#bytes = new ByteWriter();
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(width),
      kvMetadata: [{ key: 'urlsum.profile', value: profile }],
      createdBy: 'urlsum',
    });
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    this.#columns.add(hashed, row, hasResult);
    if (this.#columns.isFull) this.#flush();
  }

  /** The writer keeps count of the bytes in `offset`, so its buffer may be emptied at any time. */
  take(): Uint8Array {
    const bytes = this.#bytes.getBytes();
    this.#bytes.index = 0;
    return bytes;
  }

  end(): Iterable<Uint8Array> {
    if (!this.#columns.isEmpty) this.#flush();
    this.#writer.finish();
    return [this.take()];
  }

  // Hashes do not compress, and no two of them are equal often enough for a dictionary
  #flush(): void {
    const plain = { encoding: 'PLAIN', codec: 'UNCOMPRESSED' } as const;
    const batch = this.#columns.take();
    const { buffer } = batch.wordHalves;
    const columnData = [
      { name: 'url', data: urlsOf(batch) },
      { name: 'hash', data: withNulls(batch, hashesOf(batch, this.#width)), ...plain },
      { name: 'u64', data: withNulls(batch, new BigUint64Array(buffer)), ...plain },
      { name: 'i64', data: withNulls(batch, new BigInt64Array(buffer)), ...plain },
    ];
    void this.#writer.write({ columnData, rowGroupSize: batch.rowCount }); // synchronous: the bytes go to memory
  }
}

function urlsOf({ urls, urlOffsets, rowCount }: Batch): string[] {
  const text = Buffer.from(urls.buffer, urls.byteOffset, urls.length);
  return Array.from({ length: rowCount }, (_, row) => text.toString('utf8', urlOffsets[row], urlOffsets[row + 1]));
}

function hashesOf({ hashes, rowCount }: Batch, width: Width): Uint8Array[] {
  return Array.from({ length: rowCount }, (_, row) => hashes.subarray(row * width, (row + 1) * width));
}

/** The same values, but undefined in rows without a hash. */
function withNulls({ nullCount, validity }: Batch, values: DecodedArray): DecodedArray {
  if (nullCount === 0) return values;
  const isValid = (row: number) => ((validity[row >> 3]! >> (row & 7)) & 1) === 1;
  return Array.from<unknown, unknown>(values, (value, row) => (isValid(row) ? value : undefined));
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
