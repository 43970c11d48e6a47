import { isBytes, wrongKind } from '../argument.ts';
import { GrowingBytes } from './growing-bytes.ts';

/**
 * Results: a row for each row that was given, in order, in one of Arrow's two layouts. HashColumn and ExpressionColumn
 * are such columns.
 *
 * @see https://arrow.apache.org/docs/format/Columnar.html
 */
export interface Column {
  /** Rows, the invalid ones included. */
  readonly length: number;
  /** The values, packed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * If the number of values varies: row r has those from offsets[r] to offsets[r + 1], counted in values. Undefined if
   * each row has one.
   */
  readonly offsets?: Uint32Array<ArrayBuffer> | undefined;
  /** The rows without a value, ascending. If each row has one value, theirs is zero. */
  readonly invalid: Uint32Array<ArrayBuffer>;
}

/** The first offset is 0, as fresh memory is. */
const FIRST_OFFSET_BYTES = 4;

/** Collects any number of values per row, `width` bytes each: lists of hashes, and texts, whose values are bytes. */
export class ListColumn {
  /** The values of a row are written here; then the row is ended. */
  readonly values: GrowingBytes;
  readonly #width: number;
  readonly #offsets = new GrowingBytes(1 << 7);
  #invalid: number[] = [];

  constructor(width: number, values = new GrowingBytes()) {
    this.#width = width;
    this.values = values;
    this.#offsets.length = FIRST_OFFSET_BYTES;
  }

  get length(): number {
    return this.#offsets.length / 4 - 1;
  }

  endRow(): void {
    this.#offsets.uint32(this.values.length / this.#width);
  }

  endInvalid(): void {
    this.#invalid.push(this.length);
    this.endRow();
  }

  /** Ends many rows before their values are written: `ends` has the number of new values up to the end of each. */
  endRows(ends: Uint32Array): void {
    this.#offsets.uint32s(ends, this.values.length / this.#width);
  }

  /** Returns the rows so far, valid until the next is added, which begins another column. */
  take(): Column {
    const { length } = this;
    const offsets = this.#offsets.numbers;
    const invalid = Uint32Array.from(this.#invalid);
    this.#invalid = [];
    this.#offsets.length = FIRST_OFFSET_BYTES;
    return { length, bytes: this.values.take(), offsets, invalid };
  }
}

/** Returns one bit per row, least significant first: 1 if the row has a value. The bits after the last row are 0. */
export function validityOf({ length, invalid }: Pick<Column, 'length' | 'invalid'>): Uint8Array<ArrayBuffer> {
  const bitmap = new Uint8Array(Math.ceil(length / 8)).fill(0xff);
  if (length % 8 > 0) bitmap[bitmap.length - 1] = 0xff >> (8 - (length % 8));
  for (const row of invalid) bitmap[row >> 3]! &= ~(1 << (row & 7));
  return bitmap;
}

/**
 * Checks a column of hashes by its parts, as another copy of this package has classes of its own.
 *
 * @param part the one that tells its kind
 */
export function mustBeColumn<T extends Pick<Column, 'length' | 'bytes'> & { width: number; profile: string }>(
  name: string,
  column: T,
  expected: string,
  part: 'invalid' | 'offsets',
): T {
  const { bytes, length, width, profile, [part]: view } = Object(column) as T & Record<typeof part, unknown>;
  const isColumn = isBytes(bytes) && ArrayBuffer.isView(view) && typeof width === 'number';
  if (isColumn && typeof length === 'number' && typeof profile === 'string') return column;
  throw wrongKind(name, expected, column);
}
