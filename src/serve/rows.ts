/** The rows of one request, in UTF-8. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** One more than rows: row r is bytes [offsets[r], offsets[r + 1]). */
  readonly offsets: Uint32Array;
}

/** What rows come to: one entry per row, in order. HashColumn and ExpressionColumn are such columns. */
export interface Column {
  /** Rows, the invalid ones included. */
  readonly length: number;
  /** The values, packed. */
  readonly bytes: Uint8Array;
  /**
   * Where a row has a varying number of values: row r has those from offsets[r] to offsets[r + 1], counted in values.
   * undefined: each row has one.
   */
  readonly offsets?: Uint32Array;
  /** The rows without a value, ascending. Where each row has one, theirs is zero. */
  readonly invalid: Uint32Array;
}

/** The largest request: what one row of this many bytes grows to when each is escaped still fits in a string of V8. */
export const BYTE_LIMIT = 1 << 27;

/** The bytes of each row, one after another. */
export function* eachRow({ bytes, offsets }: Rows): Generator<Uint8Array> {
  for (let row = 1; row < offsets.length; row++) yield bytes.subarray(offsets[row - 1]!, offsets[row]!);
}
