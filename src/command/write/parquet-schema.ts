import type { SchemaElement } from 'hyparquet';
import type { FieldType, TimeUnit } from '../read/record-field.ts';
import type { ColumnSchema } from './batch.ts';

const UNITS = { millisecond: 'MILLIS', microsecond: 'MICROS', nanosecond: 'NANOS' } as const satisfies Record<
  TimeUnit,
  string
>;

/** Digits of a decimal that fit in 32 and in 64 bits. */
const DIGITS_32 = 9;
const DIGITS_64 = 18;

export function schemaOf(columns: readonly ColumnSchema[]): SchemaElement[] {
  return [
    { name: 'urlsum', num_children: columns.length },
    ...columns.map((column) => ({
      name: column.name,
      ...elementOf(column),
      repetition_type: column.isNullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ];
}

/** @see https://github.com/apache/parquet-format/blob/master/LogicalTypes.md */
function elementOf(field: FieldType): Omit<SchemaElement, 'name'> {
  switch (field.type) {
    case 'string':
      return { type: 'BYTE_ARRAY', logical_type: { type: 'STRING' } };
    case 'json':
      return { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } };
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'int':
      if (field.bits >= 32) return { type: field.bits === 32 ? 'INT32' : 'INT64' };
      return { type: 'INT32', converted_type: field.bits === 8 ? 'INT_8' : 'INT_16' };
    case 'uint':
      return { type: field.bits === 64 ? 'INT64' : 'INT32', converted_type: `UINT_${field.bits}` };
    case 'float':
      return { type: field.bits === 32 ? 'FLOAT' : 'DOUBLE' };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'time':
      return {
        type: field.unit === 'millisecond' ? 'INT32' : 'INT64',
        logical_type: { type: 'TIME', isAdjustedToUTC: field.isUtc, unit: UNITS[field.unit] },
      };
    case 'timestamp':
      return {
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: field.isUtc, unit: UNITS[field.unit] },
      };
    case 'decimal':
      return decimalOf(field);
    case 'bytes':
      if (field.byteLength === undefined) return { type: 'BYTE_ARRAY' };
      return {
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: field.byteLength,
        ...(field.isUuid && { logical_type: { type: 'UUID' } }),
      };
  }
}

function decimalOf({ precision, scale }: FieldType & { type: 'decimal' }): Omit<SchemaElement, 'name'> {
  const decimal = {
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision, scale },
    precision,
    scale,
  } as const;
  if (precision <= DIGITS_64) return { type: precision <= DIGITS_32 ? 'INT32' : 'INT64', ...decimal };
  const bits = precision * Math.log2(10) + 1;
  return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: Math.ceil(bits / 8), ...decimal };
}
