import type { Column } from '../../core/bytes/column.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import type { RecordField } from '../read/record-field.ts';

export type ColumnSchema = RecordField & {
  readonly isNullable: boolean;
  /** Whether it holds hashes or words of them, which do not compress. */
  readonly isHash?: boolean;
};

/** Returns the schema of columns of texts, each of which may be missing. */
export function textSchema(names: readonly string[]): ColumnSchema[] {
  return names.map((name) => ({ name, type: 'string', isNullable: true }));
}

/**
 * The rows of a batch or row group, with one column for each in the schema, in Arrow's layout but for booleans, which
 * have a byte each. Valid until the next row is added.
 */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly Column[];
}

export interface BatchWriter {
  /** The most rows of a batch: ROW_LIMIT or fewer. */
  readonly rowLimit: number;
  write(batch: Batch): void;
  /** Returns the bytes that are ready; valid until the next call. */
  take(): Uint8Array;
  /** Writes the part after the batches. */
  end(): void;
}

export type OpenBatchWriter = (schema: readonly ColumnSchema[]) => BatchWriter;

/** Rows of a batch or row group: 10 MB if URLs are 60 bytes long. */
export const ROW_LIMIT = 1 << 16;
export const BYTE_LIMIT = 1 << 23;

/** Returns the bytes of each value; undefined if their number varies. */
export function valueBytesOf(field: RecordField): number | undefined {
  switch (field.type) {
    case 'string':
    case 'json':
      return undefined;
    case 'bytes':
      return field.byteLength;
    case 'decimal':
      return field.precision > DECIMAL_128_DIGITS ? 32 : 16;
    case 'boolean':
      return 1;
    case 'date':
      return 4;
    case 'time':
      return field.unit === 'millisecond' ? 4 : 8;
    case 'timestamp':
      return 8;
    default:
      return field.bits / 8;
  }
}

/** Digits that fit in 128 bits, whatever they are. */
export const DECIMAL_128_DIGITS = 38;

const SIGNED = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array };
const UNSIGNED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };

/** Returns packed numbers as such: a decimal as units of 32 bits, bytes as they are. */
export function numbersOf(field: RecordField, { buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) {
  if (field.type === 'bytes') return new Uint8Array(buffer, byteOffset, byteLength);
  if (field.type === 'decimal') return new Uint32Array(buffer, byteOffset, byteLength / 4);
  const valueBytes = valueBytesOf(field) as keyof typeof SIGNED;
  const length = byteLength / valueBytes;
  if (field.type === 'float') {
    const View = field.bits === 32 ? Float32Array : Float64Array;
    return new View(buffer, byteOffset, length);
  }
  const View = (field.type === 'uint' || field.type === 'boolean' ? UNSIGNED : SIGNED)[valueBytes];
  return new View(buffer, byteOffset, length);
}

/** Returns the schema of a hash's three columns, called `urlsum`, `urlsum_u64` and `urlsum_i64` in records. */
export function hashSchema(width: Width, hash: string, u64: string, i64: string): ColumnSchema[] {
  const rest = { isNullable: true, isHash: true };
  return [
    { name: hash, type: 'bytes', byteLength: width, isUuid: false, ...rest },
    { name: u64, type: 'uint', bits: 64, ...rest },
    { name: i64, type: 'int', bits: 64, ...rest },
  ];
}

/** Returns the column of hashes, and twice the first eight bytes of each as a word: the columns u64 and i64. */
export function withWords(hashes: Column, width: Width): Column[] {
  const words = { ...hashes, bytes: wordsOf(hashes.bytes, width) };
  return [hashes, words, words];
}

function wordsOf(hashes: Uint8Array, width: Width): Uint8Array<ArrayBuffer> {
  const units = new Uint32Array(hashes.buffer, hashes.byteOffset, hashes.length / 4);
  const halves = new Uint32Array((2 * hashes.length) / width);
  for (let row = 0, from = 0; 2 * row < halves.length; row++, from += width / 4) {
    halves[2 * row] = units[from]!;
    halves[2 * row + 1] = units[from + 1]!;
  }
  return new Uint8Array(halves.buffer);
}
