import type { ParquetType } from 'hyparquet';
import { type Column, validityOf } from '../../bytes/column.ts';
import { compareBytes } from '../../bytes/compare.ts';
import type { Width } from '../../kernel/index.ts';
import type { ColumnSchema, ColumnType } from './batch.ts';
import { bitsOf } from './cells.ts';
import type { Bounds, PackedColumn } from './parquet-chunk.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const WORD_BYTES = 8;
/** Bytes of the length before each text. */
const LENGTH_BYTES = 4;

export const PARQUET_TYPES: Readonly<Record<ColumnType, ParquetType>> = {
  text: 'BYTE_ARRAY',
  hash: 'FIXED_LEN_BYTE_ARRAY',
  u64: 'INT64',
  i64: 'INT64',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
};

/** Packs a column of a row group. Hashes and their words do not compress, and few of them are equal. */
export function packedColumn(schema: ColumnSchema, column: Column, width: Width): PackedColumn {
  const { name, type, isNullable } = schema;
  const values = presentValues(type, column, width);
  return {
    name,
    type: PARQUET_TYPES[type],
    isCompressed: !['hash', 'u64', 'i64'].includes(type),
    values,
    validity: isNullable ? validityOf(column) : undefined,
    rowCount: column.length,
    nullCount: column.invalid.length,
    bounds: boundsOfColumn(type, column, values, width),
  };
}

/** Returns the values of the rows that have one. Texts of the others were never written. */
function presentValues(type: ColumnType, column: Column, width: Width): Bytes {
  if (type === 'text') return column.bytes;
  if (type === 'boolean') return bitsOf(valuesOf(column, 1));
  return valuesOf(column, type === 'hash' ? width : WORD_BYTES);
}

/** Doubles have no bounds: readers differ in how they treat -0. */
function boundsOfColumn(type: ColumnType, column: Column, values: Bytes, width: Width): Bounds | undefined {
  if (type === 'text') return boundsOfTexts(column);
  if (type === 'hash') return boundsOfHashes(values, width);
  if (type === 'u64') return boundsOfWords(values, 0);
  return type === 'i64' || type === 'integer' ? boundsOfWords(values, SIGN_BIT) : undefined;
}

/** Returns the values of the rows that have one, `valueBytes` each, copied in runs of adjacent rows. */
function valuesOf({ length, bytes, invalid }: Column, valueBytes: number): Bytes {
  if (invalid.length === 0) return bytes;
  const present = new Uint8Array(bytes.length - invalid.length * valueBytes);
  for (let index = 0, runStart = 0, to = 0; index <= invalid.length; index++) {
    const runEnd = invalid[index] ?? length;
    present.set(bytes.subarray(runStart * valueBytes, runEnd * valueBytes), to);
    to += (runEnd - runStart) * valueBytes;
    runStart = runEnd + 1;
  }
  return present;
}

/** Compares texts by their UTF-8. */
function boundsOfTexts({ length, bytes, offsets, invalid }: Column): Bounds | undefined {
  const rows = invalid.length === 0 ? undefined : presentRows(length, invalid);
  const rowOf = (index: number) => rows?.[index] ?? index;
  const startOf = (index: number) => offsets![rowOf(index)]! + LENGTH_BYTES;
  const endOf = (index: number) => offsets![rowOf(index) + 1]!;
  return boundsOf(
    length - invalid.length,
    (one, other) => compareBytes(bytes, startOf(one), endOf(one), bytes, startOf(other), endOf(other)),
    (index) => copyOf(bytes, startOf(index), endOf(index)),
  );
}

function presentRows(length: number, invalid: Uint32Array): number[] {
  const absent = new Set(invalid);
  return Array.from({ length }, (_, row) => row).filter((row) => !absent.has(row));
}

function boundsOfHashes(hashes: Uint8Array, width: Width): Bounds | undefined {
  return boundsOf(
    hashes.length / width,
    (one, other) => compareBytes(hashes, one * width, (one + 1) * width, hashes, other * width, (other + 1) * width),
    (index) => copyOf(hashes, index * width, (index + 1) * width),
  );
}

const SIGN_BIT = 0x80000000;

/** `flipped` is the sign bit for signed words, which without it have the order of unsigned ones. */
function boundsOfWords(words: Bytes, flipped: 0 | typeof SIGN_BIT): Bounds | undefined {
  const { buffer, byteOffset, length } = words;
  const halves = new Uint32Array(buffer, byteOffset, length / 4);
  const upper = (index: number) => (halves[2 * index + 1]! ^ flipped) >>> 0;
  const Words = flipped === 0 ? BigUint64Array : BigInt64Array;
  return boundsOf(
    length / WORD_BYTES,
    (one, other) => upper(one) - upper(other) || halves[2 * one]! - halves[2 * other]!,
    (index) => new Words(buffer, byteOffset + index * WORD_BYTES, 1)[0]!,
  );
}

/** Copies bytes of memory that the next batch overwrites; a Buffer's own `slice` does not copy. */
function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}

/** Returns the least and the greatest of `count` values, or undefined if there is none. */
function boundsOf(
  count: number,
  compare: (index: number, other: number) => number,
  valueOf: (index: number) => Uint8Array | bigint,
): Bounds | undefined {
  if (count === 0) return undefined;
  let least = 0;
  let greatest = 0;
  for (let index = 1; index < count; index++) {
    if (compare(index, least) < 0) least = index;
    else if (compare(index, greatest) > 0) greatest = index;
  }
  return { min_value: valueOf(least), max_value: valueOf(greatest) };
}
