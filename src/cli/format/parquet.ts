import type { SchemaElement } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { Columns } from './columns.ts';
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
  readonly #columns = new Columns();
  readonly #bytes: Parquet.ByteWriter;
  readonly #writer: Parquet.ParquetWriter;

  constructor({ ByteWriter, ParquetWriter }: typeof Parquet, width: Width, profile: string) {
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
    if (this.#columns.urls.length > 0) this.#flush();
    this.#writer.finish();
    return [this.take()];
  }

  // Hashes do not compress, and no two of them are equal often enough for a dictionary
  #flush(): void {
    const plain = { encoding: 'PLAIN', codec: 'UNCOMPRESSED' } as const;
    const { urls, hashes } = this.#columns;
    const columnData = [
      { name: 'url', data: urls },
      { name: 'hash', data: hashes, ...plain },
      { name: 'u64', data: this.#columns.unsignedWords(), ...plain },
      { name: 'i64', data: this.#columns.signedWords(), ...plain },
    ];
    void this.#writer.write({ columnData, rowGroupSize: urls.length }); // synchronous: the bytes go to memory
    this.#columns.clear();
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
