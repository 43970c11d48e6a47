import type { Vector } from '@duckdb/node-bindings';
import { GrowingBytes, SLACK_BYTES } from '../core/bytes/growing-bytes.ts';
import { decodeLine } from '../core/bytes/text.ts';
import type { Column } from '../core/digest/column.ts';
import type { Rows } from './outputs.ts';

/** The package below that for DuckDB: vectors as they lie in memory. */
export type Bindings = typeof import('@duckdb/node-bindings');

// A `duckdb_string_t`, little-endian: the length in 32 bits, then up to 12 bytes of text, or its first 4 and a pointer
// to all of it.
const STRING_BYTES = 16;
const INLINE_BYTES = 12;
const TEXT_AT = 4;
const POINTER_AT = 8;

/**
 * Texts that lie closer than this are read at once: a read takes 500 ns, and 1 KiB of what lies between two texts less.
 * The bytes between are of the same pages of memory as the texts, of 4 KiB or more, so they can be read, whatever they
 * are.
 */
const GAP_BYTES = 1 << 10;

/** Texts of a vector, about as many bytes as are held twice. */
const PIECE_BYTES = 1 << 26;

/** Memory that is kept for the next vector: fresh memory of 200 kB costs the system's pages, 30 ns a row and more. */
const KEPT_BYTES = 1 << 22;
let kept = { memory: new GrowingBytes(), text: new GrowingBytes() };

/** The most bytes that are copied word by word, which beats `set` and the view it needs. */
const SHORT_BYTES = 256;

/** The values of a VARCHAR or BLOB vector, as DuckDB hands it to a function. */
export class StringVector {
  readonly length: number;
  /** One bit per row, the lowest first: 1 if it has a value. Null if all have. */
  readonly validity: Uint8Array | null;
  readonly #bindings: Bindings;
  /** A copy. */
  readonly #strings: DataView<ArrayBuffer>;

  constructor(bindings: Bindings, vector: Parameters<Bindings['vector_get_data']>[0], length: number) {
    this.length = length;
    this.#bindings = bindings;
    const { buffer, byteOffset, byteLength } = bindings.vector_get_data(vector, STRING_BYTES * length);
    this.#strings = new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
    this.validity = bindings.vector_get_validity(vector, 8 * Math.ceil(length / 64)) ?? null;
  }

  /**
   * Yields rows [first, end), as many at a time as have 64 MiB, one at least, each valid until the next;
   * NULL is an empty row.
   */
  *pieces(first: number, end: number): Generator<Rows & { readonly first: number }> {
    for (let from = first, to = first; from < end; from = to) {
      let byteLength = 0;
      do byteLength += this.#byteLengthOf(to++);
      while (to < end && byteLength + this.#byteLengthOf(to) <= PIECE_BYTES);
      yield { first: from, ...this.#rows(from, to) };
    }
  }

  /** Yields neighbours that have one value. A constant is one run, as each row points to the same text. */
  *runs(): Generator<{ readonly first: number; readonly end: number; readonly text: string | null }> {
    for (let first = 0, end = 0; first < this.length; first = end) {
      do end++;
      while (end < this.length && this.#isSame(first, end));
      yield { first, end, text: this.isNull(first) ? null : decodeLine(this.#rows(first, first + 1).bytes) };
    }
  }

  isNull(row: number): boolean {
    return this.validity !== null && (this.validity[row >> 3]! & (1 << (row & 7))) === 0;
  }

  #isSame(row: number, other: number): boolean {
    const [strings, one, two] = [this.#strings, STRING_BYTES * row, STRING_BYTES * other];
    const areTexts = !this.isNull(row) && !this.isNull(other);
    return areTexts && [0, 8].every((at) => strings.getBigUint64(one + at) === strings.getBigUint64(two + at));
  }

  /** Returns the byte length of a row; the string of a NULL row is uninitialized. */
  #byteLengthOf(row: number): number {
    return this.isNull(row) ? 0 : this.#strings.getUint32(STRING_BYTES * row, true);
  }

  /** The rows are valid until others are read, of any vector. */
  #rows(first: number, end: number): Rows {
    const { memory, text } = kept;
    const places = this.#read(first, end, memory);
    if (memory.length > KEPT_BYTES) kept = { memory: new GrowingBytes(), text: new GrowingBytes() };
    const offsets = new Uint32Array(end - first + 1);
    const bytes = memory.room(SLACK_BYTES);
    for (let row = first; row < end; row++) {
      const byteLength = this.#byteLengthOf(row);
      const place = places[row - first]!;
      if (byteLength <= SHORT_BYTES) text.words(memory.view, place, byteLength);
      else text.bytes(bytes, place, place + byteLength);
      offsets[row - first + 1] = text.length;
    }
    return { bytes: text.take(), offsets };
  }

  /** Reads the strings and what they point to into one memory, and returns where the text of each row begins in it. */
  #read(first: number, end: number, memory: GrowingBytes): Uint32Array {
    const { buffer, byteOffset } = this.#strings;
    memory.length = 0;
    memory.bytes(new Uint8Array(buffer, byteOffset + STRING_BYTES * first, STRING_BYTES * (end - first)));
    const places = Uint32Array.from({ length: end - first }, (_, row) => STRING_BYTES * row + TEXT_AT);
    const starts = new Float64Array(end - first);
    const long = this.#longRows(first, end, starts);
    for (let index = 0; index < long.length; ) {
      const start = starts[long[index]!]!;
      let runEnd = start;
      let next = index;
      for (; next < long.length && starts[long[next]!]! - runEnd <= GAP_BYTES; next++)
        runEnd = Math.max(runEnd, starts[long[next]!]! + this.#byteLengthOf(first + long[next]!));
      const pointer = byteOffset + STRING_BYTES * (first + long[index]!) + POINTER_AT;
      for (const shift = memory.length - start; index < next; index++)
        places[long[index]!] = starts[long[index]!]! + shift;
      memory.bytes(this.#bindings.get_data_from_pointer(buffer, pointer, runEnd - start));
    }
    return places;
  }

  /** Returns the rows whose text is elsewhere by where that begins, counted from `first`, and writes it to `starts`. */
  #longRows(first: number, end: number, starts: Float64Array): Uint32Array {
    const rows = new Uint32Array(end - first);
    let count = 0;
    let areAscending = true;
    for (let row = first, before = 0; row < end; row++) {
      if (this.#byteLengthOf(row) <= INLINE_BYTES) continue;
      const at = STRING_BYTES * row + POINTER_AT;
      const start = this.#strings.getUint32(at, true) + 2 ** 32 * this.#strings.getUint32(at + 4, true);
      areAscending &&= start >= before;
      before = starts[row - first] = start;
      rows[count++] = row - first;
    }
    const long = rows.subarray(0, count);
    return areAscending ? long : long.sort((one, other) => starts[one]! - starts[other]!);
  }
}

/** The offset of a row's list among all values, and its length: 64 bits each. */
const ENTRY_BYTES = 16;

/** Writes the values of rows from `first` on. */
export type WriteValues = (bindings: Bindings, to: Vector, first: number, column: Column) => void;

/** The layouts of values, by the name that the table of outputs has. */
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
