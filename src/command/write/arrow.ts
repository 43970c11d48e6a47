import type * as Arrow from 'apache-arrow';
import { type Column, validityOf } from '../../core/bytes/column.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { FieldType, TimeUnit } from '../read/record-field.ts';
import {
  type Batch,
  type BatchWriter,
  type ColumnSchema,
  DECIMAL_128_DIGITS,
  numbersOf,
  type OpenBatchWriter,
  ROW_LIMIT,
} from './batch.ts';
import { bitsOf } from './cells.ts';

export async function openArrow(facts: ReadonlyMap<string, string>): Promise<OpenBatchWriter> {
  const arrow = await import('apache-arrow');
  return (schema) => new ArrowWriter(arrow, schemaOf(arrow, schema, facts), schema);
}

class ArrowWriter implements BatchWriter {
  readonly rowLimit = ROW_LIMIT;
  readonly #arrow: typeof Arrow;
  readonly #schema: Arrow.Schema;
  readonly #columns: readonly ColumnSchema[];
  readonly #written = new GrowingBytes(SPARE_BYTES, 0);
  readonly #writer: Arrow.RecordBatchStreamWriter;

  constructor(arrow: typeof Arrow, schema: Arrow.Schema, columns: readonly ColumnSchema[]) {
    this.#arrow = arrow;
    this.#schema = schema;
    this.#columns = columns;
    this.#writer = writerInto(arrow, this.#written);
    this.#writer.reset(undefined, this.#schema);
  }

  write({ rowCount, columns }: Batch): void {
    this.#written.room(Math.ceil(byteLengthOf(columns) / SPARE_BYTES + 1) * SPARE_BYTES);
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
    const field = this.#columns[index]!;
    const { length, bytes, offsets, invalid } = column;
    const rows = { length, nullCount: invalid.length, ...(invalid.length > 0 && { nullBitmap: validityOf(column) }) };
    if (offsets === undefined) {
      const data = field.type === 'boolean' ? bitsOf(bytes) : numbersOf(field, bytes);
      return makeData({ type: type as Arrow.Int64, ...rows, data: data as never });
    }
    const valueOffsets = new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length);
    return makeData({ type: type as Arrow.Utf8, ...rows, valueOffsets, data: bytes });
  }
}

/** What a batch takes besides its values, at most, and the steps in which memory grows. */
const SPARE_BYTES = 1 << 20;

function byteLengthOf(columns: readonly Column[]): number {
  const bits = columns.reduce((sum, { length, invalid }) => sum + (invalid.length > 0 ? length / 8 : 0), 0);
  return columns.reduce((sum, { bytes, offsets }) => sum + bytes.length + (offsets?.byteLength ?? 0), bits);
}

function schemaOf(
  arrow: typeof Arrow,
  columns: readonly ColumnSchema[],
  facts: ReadonlyMap<string, string>,
): Arrow.Schema {
  const fields = columns.map(
    (column) => new arrow.Field(column.name, typeOf(arrow, column), column.isNullable, extensionOf(column)),
  );
  return new arrow.Schema(fields, new Map(facts));
}

const UNITS = { millisecond: 1, microsecond: 2, nanosecond: 3 } as const satisfies Record<TimeUnit, Arrow.TimeUnit>;
const FLOAT_PRECISIONS = { 32: 1, 64: 2 } as const satisfies Record<number, Arrow.Precision>;

function typeOf(arrow: typeof Arrow, field: FieldType): Arrow.DataType {
  switch (field.type) {
    case 'string':
    case 'json':
      return new arrow.Utf8();
    case 'boolean':
      return new arrow.Bool();
    case 'int':
    case 'uint':
      return new arrow.Int(field.type === 'int', field.bits);
    case 'float':
      return new arrow.Float(FLOAT_PRECISIONS[field.bits]);
    case 'date':
      return new arrow.DateDay();
    case 'time':
      return new arrow.Time(UNITS[field.unit], field.unit === 'millisecond' ? 32 : 64);
    case 'timestamp':
      return new arrow.Timestamp(UNITS[field.unit], field.isUtc ? 'UTC' : null);
    case 'decimal':
      return new arrow.Decimal(field.scale, field.precision, field.precision > DECIMAL_128_DIGITS ? 256 : 128);
    case 'bytes':
      return field.byteLength === undefined ? new arrow.Binary() : new arrow.FixedSizeBinary(field.byteLength);
  }
}

/** @see https://arrow.apache.org/docs/format/CanonicalExtensions.html */
function extensionOf(field: FieldType): Map<string, string> | null {
  const isUuid = field.type === 'bytes' && field.isUuid;
  if (field.type !== 'json' && !isUuid) return null;
  return new Map([
    ['ARROW:extension:name', isUuid ? 'arrow.uuid' : 'arrow.json'],
    ['ARROW:extension:metadata', ''],
  ]);
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
