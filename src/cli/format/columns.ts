import { isUtf8 } from 'node:buffer';
import type { Width } from '../../kernel/kernel.ts';
import type { Rows } from '../rows/framing.ts';
import { givenBounds } from '../rows/values.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import { textOf, WHOLE_BYTES } from './row-formats.ts';

/** Rows of a batch or row group: 10 MB of it where URLs are 60 bytes long. */
const ROW_LIMIT = 1 << 16;
const BYTE_LIMIT = 1 << 24;

/** A loop copies so many bytes in less time than it takes to make a view of them. */
const FEW_BYTES = 128;

/** The rows of a batch in Arrow's layout; all of it holds until the next row is added. */
export interface Batch {
  readonly rowCount: number;
  /** Rows without a hash, whose bits are not set and whose hash and word are zeros. */
  readonly nullCount: number;
  /** A bit per row, least significant first. */
  readonly validity: Uint8Array;
  /** URL r is urls[urlOffsets[r], urlOffsets[r + 1]), in UTF-8; after its length, where that was asked for. */
  readonly urls: Uint8Array;
  readonly urlOffsets: Int32Array;
  /** `width` bytes per row. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** The first eight bytes of each hash: two halves per row, the lower first. */
  readonly wordHalves: Uint32Array<ArrayBuffer>;
}

/**
 * The columns of a batch while it fills, packed: what columnar formats write without a look at each row. Each URL may
 * have its byte length before it, in four bytes, the lowest first.
 */
export class Columns {
  readonly #width: Width;
  readonly #hasLengths: boolean;
  readonly #urls = new ByteWriter();
  readonly #urlOffsets = new Int32Array(ROW_LIMIT + 1);
  readonly #hashes: Uint8Array<ArrayBuffer>;
  readonly #validity = new Uint8Array(ROW_LIMIT / 8);
  #rowCount = 0;
  #nullCount = 0;
  /** The rows that were added last, and whether all of their bytes are UTF-8. */
  #rows: Rows | undefined;
  #areUtf8 = false;

  constructor(width: Width, { hasLengths = false } = {}) {
    this.#width = width;
    this.#hasLengths = hasLengths;
    this.#hashes = new Uint8Array(ROW_LIMIT * width);
  }

  get isFull(): boolean {
    return this.#rowCount === ROW_LIMIT || this.#urls.length >= BYTE_LIMIT;
  }

  get isEmpty(): boolean {
    return this.#rowCount === 0;
  }

  add({ rows, column }: HashedRows, row: Row, hasResult: boolean): void {
    const start = this.#urls.length;
    if (this.#hasLengths) this.#urls.uint32(0);
    this.#addUrl(rows, row);
    if (this.#hasLengths) this.#urls.setUint32(start, this.#urls.length - start - 4);
    const index = this.#rowCount++;
    this.#urlOffsets[index + 1] = this.#urls.length;
    if (hasResult) this.#setHash(index, column.bytes, row.row * this.#width);
    else this.#setNull(index);
  }

  /** The rows so far; the next one begins another batch. */
  take(): Batch {
    const [rowCount, nullCount, width] = [this.#rowCount, this.#nullCount, this.#width];
    const hashes = this.#hashes.subarray(0, rowCount * width);
    const validity = this.#validity.slice(0, Math.ceil(rowCount / 8));
    const urlOffsets = this.#urlOffsets.subarray(0, rowCount + 1);
    this.#validity.fill(0);
    this.#rowCount = this.#nullCount = 0;
    const wordHalves = wordHalvesOf(hashes, width);
    return { rowCount, nullCount, validity, urls: this.#urls.take(), urlOffsets, hashes, wordHalves };
  }

  #addUrl(rows: Rows, row: Row): void {
    const { bytes, start, end } = givenBounds(rows, row.row, row.start, row.end);
    if (end - start > WHOLE_BYTES || !this.#isText(rows)) this.#urls.text(textOf(rows, row));
    else if (end - start > FEW_BYTES) this.#urls.bytes(bytes, start, end);
    else this.#urls.fewBytes(bytes, start, end);
  }

  /** Values are packed from rows, so together with them they are text one by one. */
  #isText(rows: Rows): boolean {
    if (rows === this.#rows) return this.#areUtf8;
    this.#rows = rows;
    this.#areUtf8 = isUtf8(rows.bytes) && ('lines' in rows.values || isUtf8(rows.values.bytes));
    return this.#areUtf8;
  }

  #setHash(index: number, bytes: Uint8Array, start: number): void {
    const [hashes, width] = [this.#hashes, this.#width];
    for (let at = 0, to = index * width; at < width; at++, to++) hashes[to] = bytes[start + at]!;
    this.#validity[index >> 3]! |= 1 << (index & 7);
  }

  #setNull(index: number): void {
    this.#hashes.fill(0, index * this.#width, (index + 1) * this.#width);
    this.#nullCount++;
  }
}

function wordHalvesOf(hashes: Uint8Array, width: Width): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(hashes.buffer, hashes.byteOffset, hashes.length / 4);
  const halves = new Uint32Array((2 * hashes.length) / width);
  for (let row = 0, from = 0; 2 * row < halves.length; row++, from += width / 4) {
    halves[2 * row] = words[from]!;
    halves[2 * row + 1] = words[from + 1]!;
  }
  return halves;
}
