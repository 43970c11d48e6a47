import type { ByteInput } from './byte-stream.ts';
import { copyWords, memoryView, SLACK_BYTES } from './copy-words.ts';
import { ServeError } from './error.ts';
import { BYTE_LIMIT, type Rows } from './rows.ts';

const LINE_FEED = 0x0a;
const ZERO = 0x30;
const ROW_LIMIT = 1 << 24;
const READ_BYTES = 1 << 16;
/** Rows, and about as many bytes of text, that are answered at once: a chunk of any size takes this much memory. */
const BATCH_ROWS = 1 << 14;
const BATCH_BYTES = 1 << 20;
/** In the tenth byte of a length, the last that 64 bits need. */
const LAST_SHIFT = 63;
/** Up to here `copyWords` beats `set` and the view it needs. */
const SHORT_BYTES = 256;

/** Reads ClickHouse's chunks: the row count in decimal and a line feed, then that many values in RowBinary. */
export class RowBinaryInput {
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

  /** The row count of the next chunk; undefined where the input has ended. */
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

  /** Up to `rowCount` rows of the chunk, at least one, good until the next call. NULL is an empty row. */
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

  /** The byte length of a string: LEB128. */
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
