import { copyWords, memoryView, SLACK_BYTES } from './copy-words.ts';
import type { Column } from './rows.ts';

/** The most that a length in LEB128 takes: lengths have 32 bits. */
const LENGTH_BYTES = 5;

/** A column in RowBinary. An invalid row is NULL where columns are nullable, else zero bytes, an empty text or list. */
export function rowBinary(column: Column, width: number, isNullable: boolean): Uint8Array {
  if (column.offsets === undefined) return isNullable ? nullableValues(column, width) : column.bytes;
  return lists(column, column.offsets, width, isNullable);
}

/** Nullable(FixedString(width)), and numbers: 0 and the value, or 1. Widths are whole words. */
function nullableValues({ length, bytes, invalid }: Column, width: number): Uint8Array {
  const written = new Uint8Array(length * (1 + width));
  const [source, target] = [memoryView(bytes), memoryView(written)];
  let [at, nextInvalid] = [0, 0];
  for (let row = 0; row < length; row++) {
    if (invalid[nextInvalid] === row) {
      nextInvalid++;
      written[at++] = 1;
    } else {
      copyWords(source, bytes.byteOffset + row * width, target, at + 1, width);
      at += 1 + width;
    }
  }
  return written.subarray(0, at);
}

/** Array(FixedString(width)), or String where `width` is 1: a length in LEB128, then as many values. */
function lists(column: Column, offsets: Uint32Array, width: number, isNullable: boolean): Uint8Array {
  const { length, bytes, invalid } = column;
  const written = new Uint8Array(bytes.length + length * (1 + LENGTH_BYTES) + SLACK_BYTES);
  const [source, target] = [memoryView(bytes), memoryView(written)];
  let [at, nextInvalid] = [0, 0];
  for (let row = 0; row < length; row++) {
    const isInvalid = invalid[nextInvalid] === row;
    if (isInvalid) nextInvalid++;
    if (isNullable) written[at++] = isInvalid ? 1 : 0;
    if (isNullable && isInvalid) continue;
    const valueCount = offsets[row + 1]! - offsets[row]!;
    at = writeLength(written, at, valueCount);
    copyWords(source, bytes.byteOffset + offsets[row]! * width, target, at, valueCount * width);
    at += valueCount * width;
  }
  return written.subarray(0, at);
}

function writeLength(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
