/** The rows of one request, in UTF-8. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** One more offset than rows: row r is bytes [offsets[r], offsets[r + 1]). */
  readonly offsets: Uint32Array;
}

/** The largest request in bytes: one row of this size, with every byte escaped, still fits in a string of V8. */
export const BYTE_LIMIT = 1 << 27;
