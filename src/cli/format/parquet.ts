import type { SchemaElement } from 'hyparquet';
import type * as Parquet from 'hyparquet-writer';
import type { Width } from '../../kernel/kernel.ts';
import { PROFILE } from '../../url/profile.ts';
import type { Row } from '../rows/each-row.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { Columns } from './columns.ts';
import { peer } from './optional-package.ts';
import type { Sink } from './sink.ts';

/** A Parquet file: url, hash, u64 and i64 in row groups. @throws {MissingPeerError} */
export async function openParquet(width: Width): Promise<Sink> {
  return new ParquetSink(await peer('--format parquet', 'hyparquet-writer', () => import('hyparquet-writer')), width);
}

class ParquetSink implements Sink {
  readonly #columns = new Columns();
  readonly #bytes: Parquet.ByteWriter;
  readonly #writer: Parquet.ParquetWriter;

  constructor({ ByteWriter, ParquetWriter }: typeof Parquet, width: Width) {
    this.#bytes = new ByteWriter();
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(width),
      kvMetadata: [{ key: 'urlsum.profile', value: PROFILE }],
      createdBy: 'urlsum',
    });
  }

  row(rows: HashedRows, row: Row, isHashed: boolean): void {
    this.#columns.add(rows, row, isHashed);
    if (this.#columns.isFull) this.#flush();
  }

  /** The writer keeps count of the bytes in `offset`, so its buffer may be emptied at any time. */
  take(): Uint8Array {
    const bytes = this.#bytes.getBytes();
    this.#bytes.index = 0;
    return bytes;
  }

  end(): Uint8Array {
    if (this.#columns.urls.length > 0) this.#flush();
    this.#writer.finish();
    return this.take();
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
