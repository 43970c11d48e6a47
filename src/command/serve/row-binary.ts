import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes, SLACK_BYTES } from '../../core/bytes/growing-bytes.ts';
import type { Column } from '../../core/digest/column.ts';
import type { ReadSome } from '../../store/files.ts';
import { BYTE_LIMIT, type Output, type Rows } from '../../tables/outputs.ts';
import { requestFault } from '../fault.ts';

const ZERO = 0x30;
const ROW_LIMIT = 1 << 24;
const READ_BYTES = 1 << 16;
/** Rows, and about as many bytes of text, answered at once: a chunk of any size takes this much memory. */
const BATCH_ROWS = 1 << 14;
const BATCH_BYTES = 1 << 20;
/** The shift of a length's tenth byte, the last that 64 bits need. */
const LAST_SHIFT = 63;
/** Up to this many bytes, copying words beats `set` and the view it needs. */
const SHORT_BYTES = 256;

/** The most bytes that a length in LEB128 takes: lengths have 32 bits. */
const LENGTH_BYTES = 5;

/** Answers ClickHouse's chunks until the input ends. @throws {Fault} on a chunk that cannot be answered */
export function serveRowBinary(
  read: ReadSome,
  write: (bytes: Uint8Array) => void,
  served: Output,
  isNullable: boolean,
) {
  const chunks = new RowBinaryInput(read, isNullable);
  for (let rowCount = chunks.chunk(); rowCount !== undefined; rowCount = chunks.chunk()) {
    for (const piece of answer(chunks, rowCount, served, isNullable)) write(piece);
  }
}

/** Reads all of a chunk before its answer is written: the parent may write all of it before it reads. */
function answer(chunks: RowBinaryInput, rowCount: number, { column, width }: Output, isNullable: boolean) {
  const pieces: Uint8Array[] = [];
  for (let row = 0; row < rowCount; ) {
    const answered = column(chunks.batch(rowCount - row));
    pieces.push(rowBinary(withNulls(answered, chunks.nulls), width, isNullable));
    row += answered.length;
  }
  return pieces;
}

/** Some outputs have a value for an empty row, which NULL is on its way. */
function withNulls(column: Column, nulls: readonly number[]): Column {
  if (nulls.length === 0) return column;
  return { ...column, invalid: Uint32Array.from(new Set([...column.invalid, ...nulls])).sort() };
}

/** Reads ClickHouse's chunks: the row count in decimal and a line feed, then that many values in RowBinary. */
class RowBinaryInput {
  readonly #readSome: ReadSome;
  readonly #isNullable: boolean;
  readonly #read = new Uint8Array(READ_BYTES + SLACK_BYTES);
  readonly #readView = new DataView(this.#read.buffer);
  #at = 0;
  #end = 0;
  readonly #text = new GrowingBytes(2 * BATCH_BYTES);
  readonly #offsets = new Uint32Array(BATCH_ROWS + 1);
  /** The rows of the last batch that are NULL. */
  nulls: number[] = [];

  constructor(read: ReadSome, isNullable: boolean) {
    this.#readSome = read;
    this.#isNullable = isNullable;
  }

  /** Returns the row count of the next chunk, or undefined if the input has ended. */
  chunk(): number | undefined {
    if (!this.#hasByte()) return undefined;
    let rowCount = 0;
    let byte = this.#byte();
    do {
      rowCount = 10 * rowCount + digitOf(byte);
      if (rowCount > ROW_LIMIT) throw requestFault(`a chunk has more than ${ROW_LIMIT} rows`);
      byte = this.#byte();
    } while (byte !== LINE_FEED);
    return rowCount;
  }

  /** Returns up to `rowCount` rows of the chunk, at least one, valid until the next call. NULL is an empty row. */
  batch(rowCount: number): Rows {
    const limit = Math.min(rowCount, BATCH_ROWS);
    this.nulls = [];
    let row = 0;
    while (row < limit && this.#text.length < BATCH_BYTES) {
      if (this.#isNullable && this.#isNull()) this.nulls.push(row);
      else this.#copyRow();
      this.#offsets[++row] = this.#text.length;
    }
    return { bytes: this.#text.take(), offsets: this.#offsets.subarray(0, row + 1) };
  }

  #copyRow(): void {
    const byteLength = this.#varint();
    if (byteLength > SHORT_BYTES || byteLength > this.#end - this.#at) return this.#copy(byteLength);
    this.#text.words(this.#readView, this.#at, byteLength);
    this.#at += byteLength;
  }

  #isNull(): boolean {
    const flag = this.#byte();
    if (flag > 1) throw requestFault(`a value begins with byte ${flag}, neither 0 (there is one) nor 1 (NULL)`);
    return flag === 1;
  }

  /** Reads the byte length of a string: LEB128. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > BYTE_LIMIT) throw requestFault(`a row has ${value} bytes, more than ${BYTE_LIMIT}`);
      if (byte < 0x80) return value;
      if (shift === LAST_SHIFT) throw requestFault('the length of a row is longer than ten bytes');
    }
  }

  #copy(byteLength: number): void {
    this.#text.room(byteLength);
    for (let rest = byteLength; rest > 0; ) {
      if (this.#at === this.#end) this.#mustFill();
      const end = Math.min(this.#end, this.#at + rest);
      this.#text.bytes(this.#read, this.#at, end);
      rest -= end - this.#at;
      this.#at = end;
    }
  }

  #byte(): number {
    if (this.#at === this.#end) this.#mustFill();
    return this.#read[this.#at++]!;
  }

  #mustFill(): void {
    if (!this.#fill()) throw requestFault('the input ended inside a chunk');
  }

  #hasByte(): boolean {
    return this.#at < this.#end || this.#fill();
  }

  #fill(): boolean {
    this.#at = 0;
    this.#end = this.#readSome(this.#read.subarray(0, READ_BYTES));
    return this.#end > 0;
  }
}

function digitOf(byte: number): number {
  if (byte === LINE_FEED) throw requestFault('a chunk begins with its row count in decimal, not a line feed');
  const digit = byte - ZERO;
  if (digit < 0 || digit > 9) throw requestFault(`a chunk begins with its row count in decimal, not byte ${byte}`);
  return digit;
}

/**
 * Writes a column in RowBinary. FixedString and numbers are their bytes; Array(FixedString), and String, whose `width` is
 * 1, begin with the number of their values; Nullable is 0 and the value, or 1. An invalid row is NULL if nullable, else
 * zero bytes, an empty text or list.
 */
function rowBinary({ length, bytes, offsets, invalid }: Column, width: number, isNullable: boolean): Uint8Array {
  if (offsets === undefined && !isNullable) return bytes;
  const written = new GrowingBytes(bytes.length + length * (1 + LENGTH_BYTES) + SLACK_BYTES);
  const source = new DataView(bytes.buffer, bytes.byteOffset);
  let nextInvalid = 0;
  for (let row = 0; row < length; row++) {
    const isInvalid = invalid[nextInvalid] === row;
    if (isInvalid) nextInvalid++;
    if (isNullable) written.byte(isInvalid ? 1 : 0);
    if (isNullable && isInvalid) continue;
    const start = offsets === undefined ? row : offsets[row]!;
    const end = offsets === undefined ? row + 1 : offsets[row + 1]!;
    if (offsets !== undefined) writeLength(written, end - start);
    written.words(source, start * width, (end - start) * width);
  }
  return written.take();
}

/** Writes a number in LEB128. */
function writeLength(written: GrowingBytes, value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) written.byte((rest & 0x7f) | 0x80);
  written.byte(rest);
}
