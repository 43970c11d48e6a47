import { LINE_FEED } from '../bytes/code-points.ts';
import type { ByteInput, ByteOutput } from '../standard-streams.ts';
import { BYTE_LIMIT, type Column, copyWords, memoryView, type Rows, SLACK_BYTES } from './columns.ts';
import { ServeError } from './options.ts';
import type { Output } from './outputs.ts';

const ZERO = 0x30;
const ROW_LIMIT = 1 << 24;
const READ_BYTES = 1 << 16;
/** Rows, and about as many bytes of text, answered at once: a chunk of any size takes this much memory. */
const BATCH_ROWS = 1 << 14;
const BATCH_BYTES = 1 << 20;
/** The shift of a length's tenth byte, the last that 64 bits need. */
const LAST_SHIFT = 63;
/** Up to this many bytes, `copyWords` beats `set` and the view it needs. */
const SHORT_BYTES = 256;

/** The most bytes that a length in LEB128 takes: lengths have 32 bits. */
const LENGTH_BYTES = 5;

/** Answers ClickHouse's chunks until the input ends. @throws {ServeError} on a chunk that cannot be answered */
export function serveRowBinary(input: ByteInput, output: ByteOutput, served: Output, isNullable: boolean) {
  const chunks = new RowBinaryInput(input, isNullable);
  for (let rowCount = chunks.chunk(); rowCount !== undefined; rowCount = chunks.chunk()) {
    for (const piece of answer(chunks, rowCount, served, isNullable)) output.write(piece);
  }
}

/** Reads all of a chunk before its answer is written: the parent may write all of it before it reads. */
function answer(chunks: RowBinaryInput, rowCount: number, { column, width }: Output, isNullable: boolean) {
  const pieces: Uint8Array[] = [];
  for (let row = 0; row < rowCount; ) {
    const answered = column(chunks.batch(rowCount - row));
    pieces.push(rowBinary(answered, width, isNullable));
    row += answered.length;
  }
  return pieces;
}

/** Reads ClickHouse's chunks: the row count in decimal and a line feed, then that many values in RowBinary. */
class RowBinaryInput {
  readonly #input: ByteInput;
  readonly #isNullable: boolean;
  readonly #read = new Uint8Array(READ_BYTES + SLACK_BYTES);
  readonly #readView = memoryView(this.#read);
  #at = 0;
  #end = 0;
  #text = new Uint8Array(2 * BATCH_BYTES);
  #textView = memoryView(this.#text);
  readonly #offsets = new Uint32Array(BATCH_ROWS + 1);

  constructor(input: ByteInput, isNullable: boolean) {
    this.#input = input;
    this.#isNullable = isNullable;
  }

  /** Returns the row count of the next chunk, or undefined if the input has ended. */
  chunk(): number | undefined {
    if (!this.#hasByte()) return undefined;
    let rowCount = 0;
    let byte = this.#byte();
    do {
      rowCount = 10 * rowCount + digitOf(byte);
      if (rowCount > ROW_LIMIT) throw new ServeError(`a chunk has more than ${ROW_LIMIT} rows`);
      byte = this.#byte();
    } while (byte !== LINE_FEED);
    return rowCount;
  }

  /** Returns up to `rowCount` rows of the chunk, at least one, valid until the next call. NULL is an empty row. */
  batch(rowCount: number): Rows {
    const limit = Math.min(rowCount, BATCH_ROWS);
    let row = 0;
    for (let end = 0; row < limit && end < BATCH_BYTES; ) {
      end = this.#row(end);
      this.#offsets[++row] = end;
    }
    return { bytes: this.#text.subarray(0, this.#offsets[row]), offsets: this.#offsets.subarray(0, row + 1) };
  }

  /** Copies the next row to `start` of the text. @returns its end */
  #row(start: number): number {
    if (this.#isNullable && this.#isNull()) return start;
    const byteLength = this.#varint();
    const end = start + byteLength;
    if (end + SLACK_BYTES > this.#text.length) this.#enlarge(end + SLACK_BYTES);
    if (byteLength <= SHORT_BYTES && byteLength <= this.#end - this.#at) {
      copyWords(this.#readView, this.#at, this.#textView, start, byteLength);
      this.#at += byteLength;
    } else {
      this.#copy(start, end);
    }
    return end;
  }

  #isNull(): boolean {
    const flag = this.#byte();
    if (flag > 1) throw new ServeError(`a value begins with byte ${flag}, neither 0 (there is one) nor 1 (NULL)`);
    return flag === 1;
  }

  /** Reads the byte length of a string: LEB128. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > BYTE_LIMIT) throw new ServeError(`a row has ${value} bytes, more than ${BYTE_LIMIT}`);
      if (byte < 0x80) return value;
      if (shift === LAST_SHIFT) throw new ServeError('the length of a row is longer than ten bytes');
    }
  }

  #copy(start: number, end: number): void {
    for (let to = start; to < end; ) {
      if (this.#at === this.#end) this.#mustFill();
      const taken = this.#read.subarray(this.#at, Math.min(this.#end, this.#at + end - to));
      this.#text.set(taken, to);
      this.#at += taken.length;
      to += taken.length;
    }
  }

  #enlarge(byteLength: number): void {
    const larger = new Uint8Array(2 * byteLength);
    larger.set(this.#text);
    this.#text = larger;
    this.#textView = memoryView(larger);
  }

  #byte(): number {
    if (this.#at === this.#end) this.#mustFill();
    return this.#read[this.#at++]!;
  }

  #mustFill(): void {
    if (!this.#fill()) throw new ServeError('the input ended inside a chunk');
  }

  #hasByte(): boolean {
    return this.#at < this.#end || this.#fill();
  }

  #fill(): boolean {
    this.#at = 0;
    this.#end = this.#input.read(this.#read.subarray(0, READ_BYTES));
    return this.#end > 0;
  }
}

function digitOf(byte: number): number {
  if (byte === LINE_FEED) throw new ServeError('a chunk begins with its row count in decimal, not a line feed');
  const digit = byte - ZERO;
  if (digit < 0 || digit > 9) throw new ServeError(`a chunk begins with its row count in decimal, not byte ${byte}`);
  return digit;
}

/** Writes a column in RowBinary. An invalid row is NULL if nullable, else zero bytes, an empty text or list. */
function rowBinary(column: Column, width: number, isNullable: boolean): Uint8Array {
  if (column.offsets === undefined) return isNullable ? nullableValues(column, width) : column.bytes;
  return lists(column, column.offsets, width, isNullable);
}

/** Writes Nullable(FixedString(width)), and numbers: 0 and the value, or 1. Widths are whole words. */
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

/** Writes Array(FixedString(width)), or String if `width` is 1: a length in LEB128, then that many values. */
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
