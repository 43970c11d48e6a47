import type * as Arrow from 'apache-arrow';
import type { Width } from '../../kernel/kernel.ts';
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
  readonly #width: Width;
  readonly #columns = new Columns();
  readonly #written: Uint8Array[] = [];
  readonly #writer: Arrow.RecordBatchStreamWriter;

  constructor(arrow: typeof Arrow, width: Width, profile: string) {
    this.#arrow = arrow;
    this.#width = width;
    this.#schema = schemaOf(arrow, width, profile);
    this.#writer = writerInto(arrow, this.#written);
    this.#writer.reset(undefined, this.#schema);
  }

  row(hashed: HashedRows, row: Row, hasResult: boolean): void {
    this.#columns.add(hashed, row, hasResult);
    if (this.#columns.isFull) this.#flush();
  }

  take(): Uint8Array {
    return Buffer.concat(this.#written.splice(0));
  }

  end(): Iterable<Uint8Array> {
    if (this.#columns.urls.length > 0) this.#flush();
    this.#writer.finish();
    return [this.take()];
  }

  #flush(): void {
    const { makeData, RecordBatch, Struct } = this.#arrow;
    const { urls, hashes } = this.#columns;
    const data = {
      length: urls.length,
      nullCount: hashes.filter((hash) => hash === undefined).length,
      nullBitmap: bitmapOf(hashes),
    };
    const unsigned = this.#columns.unsignedWords();
    const [urlType, hashType, u64Type, i64Type] = this.#schema.fields.map(({ type }) => type) as [
      Arrow.Utf8,
      Arrow.FixedSizeBinary,
      Arrow.Uint64,
      Arrow.Int64,
    ];
    const children = [
      makeData({
        type: urlType,
        length: urls.length,
        nullCount: 0,
        valueOffsets: offsetsOf(urls),
        data: Buffer.from(urls.join('')),
      }),
      makeData({ type: hashType, ...data, data: packed(hashes, this.#width) }),
      makeData({ type: u64Type, ...data, data: BigUint64Array.from(unsigned, (word) => word ?? 0n) }),
      makeData({ type: i64Type, ...data, data: BigInt64Array.from(unsigned, (word) => word ?? 0n) }),
    ];
    const type = new Struct(this.#schema.fields);
    this.#writer.write(new RecordBatch(this.#schema, makeData({ type, length: urls.length, nullCount: 0, children })));
    this.#columns.clear();
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

/** Arrow's own sinks are read asynchronously; this one hands its bytes over as they are written. */
function writerInto({ RecordBatchStreamWriter }: typeof Arrow, written: Uint8Array[]): Arrow.RecordBatchStreamWriter {
  return new (class extends RecordBatchStreamWriter {
    protected override _write(chunk: ArrayBufferView): this {
      if (chunk.byteLength === 0) return this;
      written.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
      return this;
    }
  })();
}

/** A bit a row, the lowest first: set where there is a value. */
function bitmapOf(values: readonly unknown[]): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(values.length / 8));
  for (const [row, value] of values.entries()) if (value !== undefined) bitmap[row >> 3]! |= 1 << (row & 7);
  return bitmap;
}

function offsetsOf(texts: readonly string[]): Int32Array {
  const offsets = new Int32Array(texts.length + 1);
  for (const [row, text] of texts.entries()) offsets[row + 1] = offsets[row]! + Buffer.byteLength(text);
  return offsets;
}

function packed(hashes: readonly (Uint8Array | undefined)[], width: Width): Uint8Array {
  const bytes = new Uint8Array(hashes.length * width);
  for (const [row, hash] of hashes.entries()) if (hash !== undefined) bytes.set(hash, row * width);
  return bytes;
}
