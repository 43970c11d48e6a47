import type { Vector } from '@duckdb/node-bindings';
import type { Column } from '../core/digest/column.ts';
import type { Bindings } from './duckdb-package.ts';
import { INLINE_BYTES, POINTER_AT, STRING_BYTES, TEXT_AT } from './string-vector.ts';

/** The offset of a row's list among all values, and its length: 64 bits each. */
const ENTRY_BYTES = 16;

/** Writes the values of rows from `first` on. */
export type WriteValues = (bindings: Bindings, to: Vector, first: number, column: Column) => void;

/** How values are laid out, by the name that the table of outputs has. */
export const WRITERS = {
  digest: writeDigests,
  uint64: writeWords,
  int64: writeWords,
  text: writeTexts,
  digests: writeLists,
} as const satisfies Readonly<Record<string, WriteValues>>;

/** Fixed numbers of bytes, as DuckDB has them. */
export function writeWords(bindings: Bindings, to: Vector, first: number, { bytes, length }: Column): void {
  if (length === 0) return;
  bindings.copy_data_to_vector(to, (bytes.length / length) * first, bytes.buffer, bytes.byteOffset, bytes.length);
}

function writeDigests(bindings: Bindings, to: Vector, first: number, { bytes, length }: Column): void {
  writeStrings(bindings, to, first, bytes, offsetsOf(length, bytes.length));
}

function writeTexts(bindings: Bindings, to: Vector, first: number, { bytes, offsets }: Column): void {
  writeStrings(bindings, to, first, bytes, offsets!);
}

function writeLists(bindings: Bindings, to: Vector, first: number, { bytes, length, offsets }: Column): void {
  const before = bindings.list_vector_get_size(to);
  const count = offsets![length]!;
  bindings.list_vector_reserve(to, before + count);
  bindings.list_vector_set_size(to, before + count);
  writeStrings(bindings, bindings.list_vector_get_child(to), before, bytes, offsetsOf(count, bytes.length));
  const entries = new BigUint64Array(2 * length);
  for (let row = 0; row < length; row++) {
    entries[2 * row] = BigInt(before + offsets![row]!);
    entries[2 * row + 1] = BigInt(offsets![row + 1]! - offsets![row]!);
  }
  bindings.copy_data_to_vector(to, ENTRY_BYTES * first, entries.buffer, 0, entries.byteLength);
}

/** Returns where each of `count` equal parts begins, and the end. */
function offsetsOf(count: number, byteLength: number): Uint32Array {
  return Uint32Array.from({ length: count + 1 }, (_, row) => (row * byteLength) / count);
}

/**
 * Writes strings: string r is bytes[offsets[r], offsets[r + 1]). DuckDB copies all their bytes at once, as one string,
 * which each then points into: one call, where a call for each takes 100 ns more.
 */
function writeStrings(bindings: Bindings, to: Vector, first: number, bytes: Uint8Array, offsets: Uint32Array): void {
  const count = offsets.length - 1;
  if (count === 0) return;
  const strings = new DataView(new ArrayBuffer(STRING_BYTES * count));
  const start = bytes.length > INLINE_BYTES ? copied(bindings, to, first, bytes) : 0;
  const own = new Uint8Array(strings.buffer);
  for (let row = 0, at = 0; row < count; row++, at += STRING_BYTES) {
    const [from, end] = [offsets[row]!, offsets[row + 1]!];
    strings.setUint32(at, end - from, true);
    const isInline = end - from <= INLINE_BYTES;
    const shownEnd = isInline ? end : from + POINTER_AT - TEXT_AT;
    for (let byte = from, place = at + TEXT_AT; byte < shownEnd; ) own[place++] = bytes[byte++]!;
    if (isInline) continue;
    strings.setUint32(at + POINTER_AT, (start + from) % 2 ** 32, true);
    strings.setUint32(at + POINTER_AT + 4, (start + from) / 2 ** 32, true);
  }
  bindings.copy_data_to_vector(to, STRING_BYTES * first, strings.buffer, 0, strings.byteLength);
}

/** Returns the address to which DuckDB has copied the bytes, as the string of the row `first`. */
function copied(bindings: Bindings, to: Vector, first: number, bytes: Uint8Array): number {
  bindings.vector_assign_string_element_len(to, first, bytes);
  const { buffer, byteOffset } = bindings.vector_get_data(to, STRING_BYTES * (first + 1));
  const view = new DataView(buffer, byteOffset + STRING_BYTES * first + POINTER_AT);
  return view.getUint32(0, true) + 2 ** 32 * view.getUint32(4, true);
}

/** One bit per row, the lowest first: which rows have a value. All have one, until it is said that they have none. */
export class ResultValidity {
  readonly #bits: Uint8Array;
  #hasNull: boolean;

  /** @param given rows that have none for being NULL; null if there are none */
  constructor(length: number, given: Uint8Array | null) {
    this.#bits = given === null ? new Uint8Array(8 * Math.ceil(length / 64)).fill(0xff) : Uint8Array.from(given);
    this.#hasNull = given !== null;
  }

  addNull(row: number): void {
    this.#bits[row >> 3]! &= ~(1 << (row & 7));
    this.#hasNull = true;
  }

  writeTo(bindings: Bindings, to: Vector): void {
    if (!this.#hasNull) return;
    bindings.vector_ensure_validity_writable(to);
    bindings.copy_data_to_vector_validity(to, 0, this.#bits.buffer as ArrayBuffer, 0, this.#bits.length);
  }
}
