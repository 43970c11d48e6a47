import { CARRIAGE_RETURN, LINE_FEED } from './code-points.ts';

// Line ends: found only here in JavaScript, and by assembly/rows.ts in the kernel (docs/command.md, "Lines").

/** Bounds of rows: row r is [starts[r], ends[r]). */
export interface Bounds {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Row r is bytes[starts[r], ends[r]). */
export interface Spans extends Bounds {
  readonly bytes: Uint8Array;
}

/** Returns the bytes of a row, as a view. */
export function rowIn({ bytes, starts, ends }: Spans, row: number): Uint8Array {
  return bytes.subarray(starts[row], ends[row]);
}

/**
 * Writes the bounds of the lines in bytes [start, end), up to `limit`, and returns where the next begins. LF or CR LF
 * ends a line, or any other one byte `lineEnd`; the last may lack its end, and a CR there is part of it.
 */
export function findLines(
  bytes: Uint8Array,
  start: number,
  end: number,
  lineEnd: number,
  { starts, ends }: Bounds,
  limit: number,
): { readonly rowCount: number; readonly next: number } {
  let [row, at] = [0, start];
  for (; at < end && row < limit; row++) {
    const found = bytes.indexOf(lineEnd, at);
    const isEnded = found !== -1 && found < end;
    starts[row] = at;
    ends[row] = isEnded ? withoutReturn(bytes, at, found, lineEnd) : end;
    at = isEnded ? found + 1 : end;
  }
  return { rowCount: row, next: at };
}

/** Returns the end of a line whose line end is at `at`. */
export function withoutReturn(bytes: Uint8Array, start: number, at: number, lineEnd: number): number {
  return lineEnd === LINE_FEED && at > start && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
}

/** Returns the end of the line [start, end) without its LF or CR LF, if it has one. */
export function withoutLineEnd(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === LINE_FEED ? withoutReturn(bytes, start, end - 1, LINE_FEED) : end;
}

/** Returns the end of a record of a table without LF, CR LF (RFC 4180), or a lone CR at the end of the input. */
export function withoutRecordEnd(bytes: Uint8Array, start: number, end: number): number {
  const withoutFeed = end > start && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return withoutReturn(bytes, start, withoutFeed, LINE_FEED);
}

/** Strips a line's trailing carriage returns: a line feed written after one would make it part of the line end. */
export function withoutReturns(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (end > 0 && line[end - 1] === CARRIAGE_RETURN) end--;
  return line.subarray(0, end);
}

/**
 * Returns the end of the whole lines from `start` on that fit in `byteLimit` bytes, the last of the text with or
 * without its line end; or the end of the first line if that does not fit.
 */
export function endOfLines(text: Uint8Array, start: number, byteLimit: number, lineEnd = LINE_FEED): number {
  if (text.length - start <= byteLimit) return text.length;
  const last = text.lastIndexOf(lineEnd, start + byteLimit - 1);
  if (last >= start) return last + 1;
  const next = text.indexOf(lineEnd, start + byteLimit);
  return next === -1 ? text.length : next + 1;
}
