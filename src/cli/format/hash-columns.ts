import type { Column } from '../../bytes/column.ts';
import type { Width } from '../../kernel/index.ts';
import type { ColumnSchema } from './batch.ts';

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
