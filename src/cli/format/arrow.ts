import type * as Arrow from 'apache-arrow';
import { type Column, validityOf } from '../../bytes/column.ts';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { Width } from '../../kernel/index.ts';
import type { Batch, BatchWriter, ColumnSchema, ColumnType, OpenBatchWriter } from './batch.ts';
import { bitsOf } from './cells.ts';

/** Returns the function that opens an Arrow IPC stream. */
export async function openArrow(width: Width, facts: ReadonlyMap<string, string>): Promise<OpenBatchWriter> {
  const arrow = await import('apache-arrow');
  return (schema) => new ArrowWriter(arrow, schemaOf(arrow, schema, width, facts), schema);
}

class ArrowWriter implements BatchWriter {
  readonly #arrow: typeof Arrow;
  readonly #schema: Arrow.Schema;
  readonly #columns: readonly ColumnSchema[];
  readonly #written = new GrowingBytes();
  readonly #writer: Arrow.RecordBatchStreamWriter;

  constructor(arrow: typeof Arrow, schema: Arrow.Schema, columns: readonly ColumnSchema[]) {
    this.#arrow = arrow;
    this.#schema = schema;
    this.#columns = columns;
    this.#writer = writerInto(arrow, this.#written);
    this.#writer.reset(undefined, this.#schema);
  }

  write({ rowCount, columns }: Batch): void {
    const { makeData, RecordBatch, Struct } = this.#arrow;
    const children = columns.map((column, index) => this.#dataOf(column, index));
    const type = new Struct(this.#schema.fields);
    this.#writer.write(new RecordBatch(this.#schema, makeData({ type, length: rowCount, nullCount: 0, children })));
  }

  take(): Uint8Array {
    return this.#written.take();
  }

  end(): void {
    this.#writer.finish();
  }

  #dataOf(column: Column, index: number): Arrow.Data {
    const { makeData } = this.#arrow;
    const { type } = this.#schema.fields[index]!;
    const { length, bytes, offsets, invalid } = column;
    const rows = { length, nullCount: invalid.length, ...(invalid.length > 0 && { nullBitmap: validityOf(column) }) };
    if (offsets === undefined)
      return makeData({ type: type as Arrow.Int64, ...rows, data: viewOf(this.#columns[index]!.type, bytes) as never });
    const valueOffsets = new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length);
    return makeData({ type: type as Arrow.Utf8, ...rows, valueOffsets, data: bytes });
  }
}

/** Columns of words and numbers begin at multiples of eight bytes. */
function viewOf(type: ColumnType, bytes: Uint8Array<ArrayBuffer>): ArrayBufferView {
  if (type === 'boolean') return bitsOf(bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  const View = { u64: BigUint64Array, i64: BigInt64Array, integer: BigInt64Array, number: Float64Array };
  if (type in View) return new View[type as keyof typeof View](buffer, byteOffset, byteLength / 8);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function schemaOf(
  arrow: typeof Arrow,
  columns: readonly ColumnSchema[],
  width: Width,
  facts: ReadonlyMap<string, string>,
): Arrow.Schema {
  const types: Readonly<Record<ColumnType, () => Arrow.DataType>> = {
    text: () => new arrow.Utf8(),
    hash: () => new arrow.FixedSizeBinary(width),
    u64: () => new arrow.Uint64(),
    i64: () => new arrow.Int64(),
    integer: () => new arrow.Int64(),
    number: () => new arrow.Float64(),
    boolean: () => new arrow.Bool(),
  };
  const fields = columns.map(({ name, type, isNullable }) => new arrow.Field(name, types[type](), isNullable));
  return new arrow.Schema(fields, new Map(facts));
}

/**
 * Arrow's own sinks are read asynchronously and keep the arrays that they are given; this one copies the bytes at once.
 */
function writerInto({ RecordBatchStreamWriter }: typeof Arrow, written: GrowingBytes): Arrow.RecordBatchStreamWriter {
  return new (class extends RecordBatchStreamWriter {
    protected override _write(chunk: ArrayBufferView): this {
      written.bytes(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength), 0, chunk.byteLength);
      this._position += chunk.byteLength;
      return this;
    }
  })();
}
