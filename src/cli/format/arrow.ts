import type * as Arrow from 'apache-arrow';
import type { Width } from '../../kernel/kernel.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { Columns } from './columns.ts';
import type { Format } from './format.ts';
import { optionalPackage } from './optional-package.ts';

/** An Arrow IPC stream: url, hash, u64 and i64 in record batches. @throws {MissingPackageError} */
export async function openArrow(width: Width, profile: string): Promise<Format<HashedRows>> {
  return new ArrowFormat(
    await optionalPackage('--format arrow', 'apache-arrow', () => import('apache-arrow')),
    width,
    profile,
  );
}

class ArrowFormat implements Format<HashedRows> {
  readonly #arrow: typeof Arrow;
  readonly #schema: Arrow.Schema;
  readonly #columns: Columns;
  readonly #written = new ByteWriter();
  readonly #writer: Arrow.RecordBatchStreamWriter;

  constructor(arrow: typeof Arrow, width: Width, profile: string) {
    this.#arrow = arrow;
    this.#columns = new Columns(width);
    this.#schema = schemaOf(arrow, width, profile);
    this.#writer = writerInto(arrow, this.#written);
    this.#writer.reset(undefined, this.#schema);
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    this.#columns.add(hashed, row, hasResult);
    if (this.#columns.isFull) this.#flush();
  }

  take(): Uint8Array {
    return this.#written.take();
  }

  end(): Iterable<Uint8Array> {
    if (!this.#columns.isEmpty) this.#flush();
    this.#writer.finish();
    return [this.take()];
  }

  #flush(): void {
    const { makeData, RecordBatch, Struct } = this.#arrow;
    const { rowCount, nullCount, validity, urls, urlOffsets, hashes, wordHalves } = this.#columns.take();
    const [urlType, hashType, u64Type, i64Type] = this.#schema.fields.map(({ type }) => type) as [
      Arrow.Utf8,
      Arrow.FixedSizeBinary,
      Arrow.Uint64,
      Arrow.Int64,
    ];
    const hashed = { length: rowCount, nullCount, nullBitmap: validity };
    const children = [
      makeData({ type: urlType, length: rowCount, nullCount: 0, valueOffsets: urlOffsets, data: urls }),
      makeData({ type: hashType, ...hashed, data: hashes }),
      makeData({ type: u64Type, ...hashed, data: new BigUint64Array(wordHalves.buffer) }),
      makeData({ type: i64Type, ...hashed, data: new BigInt64Array(wordHalves.buffer) }),
    ];
    const type = new Struct(this.#schema.fields);
    this.#writer.write(new RecordBatch(this.#schema, makeData({ type, length: rowCount, nullCount: 0, children })));
  }
}

function schemaOf(
  { Schema, Field, Utf8, FixedSizeBinary, Uint64, Int64 }: typeof Arrow,
  width: Width,
  profile: string,
): Arrow.Schema {
  const fields = [
    new Field('url', new Utf8(), false),
    new Field('hash', new FixedSizeBinary(width), true),
    new Field('u64', new Uint64(), true),
    new Field('i64', new Int64(), true),
  ];
  return new Schema(fields, new Map([['urlsum.profile', profile]]));
}

/**
 * Arrow's own sinks are read asynchronously, and hold on to what they are given; this one copies it as it is written.
 */
function writerInto({ RecordBatchStreamWriter }: typeof Arrow, written: ByteWriter): Arrow.RecordBatchStreamWriter {
  return new (class extends RecordBatchStreamWriter {
    protected override _write(chunk: ArrayBufferView): this {
      written.bytes(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength), 0, chunk.byteLength);
      this._position += chunk.byteLength;
      return this;
    }
  })();
}
