import { CARRIAGE_RETURN, LINE_FEED } from './code-points.ts';
import { mayBecomeMark, withoutByteOrderMark } from './text.ts';

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

const INITIAL_BYTES = 1 << 16;

/** Twice the longest string of V8; a line that never ends is not text. */
const ROW_LIMIT_BYTES = 2 ** 30;

/**
 * Returns where the last whole row ends, or 0 if none does. It is given the bytes of one input after the end that it
 * returned last; those from `from` on are new.
 */
export type Cutter = (bytes: Uint8Array, from: number) => number;

/** Makes a cutter for rows that end in one byte. */
export function cutterAfter(rowEnd: number): Cutter {
  return (bytes, from) => {
    const last = bytes.subarray(from).lastIndexOf(rowEnd); // earlier bytes hold no row end
    return last === -1 ? 0 : from + last + 1;
  };
}

/**
 * Cuts a stream of bytes into blocks of whole rows, by default lines, in one buffer that is reused: it grows to the
 * longest row and chunk, and a row of any length costs its length. A byte order mark at the start of the stream is left
 * out.
 */
export class LineBlocks {
  #memory = new Uint8Array(INITIAL_BYTES);
  /** The bytes after the last block, in that memory. */
  #rest: Uint8Array = this.#memory.subarray(0, 0);
  /** Whether more than the beginning of a byte order mark has come. */
  #isStarted = false;
  readonly #endOf: Cutter;

  constructor(endOf = cutterAfter(LINE_FEED)) {
    this.#endOf = endOf;
  }

  /** Returns the rows that `chunk` completes, or no bytes: a view that is valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    this.#append(chunk);
    if (this.#isStarted) return this.#take(this.#endOf(this.#rest, this.#rest.length - chunk.length));
    if (mayBecomeMark(this.#rest)) return this.#take(0);
    this.#isStarted = true;
    this.#rest = withoutByteOrderMark(this.#rest);
    return this.#take(this.#endOf(this.#rest, 0));
  }

  /** Returns the last row if it lacks its end, or no bytes. */
  end(): Uint8Array {
    return this.#take(this.#rest.length);
  }

  #take(end: number): Uint8Array {
    const rows = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return rows;
  }

  /** Moves the rest to the start of the memory, and `chunk` after it. */
  #append(chunk: Uint8Array): void {
    const rest = this.#rest;
    const length = rest.length + chunk.length;
    if (length > this.#memory.length) {
      if (rest.length > ROW_LIMIT_BYTES) throw new RangeError('a line is longer than 1 GiB: is it text?');
      this.#memory = new Uint8Array(Math.max(length, Math.min(2 * length, ROW_LIMIT_BYTES)));
    }
    this.#memory.set(rest);
    this.#memory.set(chunk, rest.length);
    this.#rest = this.#memory.subarray(0, length);
  }
}

/** Yields the blocks of whole rows in a stream, none of them empty; each is valid until the next is asked for. */
export async function* blocksOfRows(chunks: AsyncIterable<Uint8Array>, endOf?: Cutter): AsyncGenerator<Uint8Array> {
  const blocks = new LineBlocks(endOf);
  for await (const chunk of chunks) {
    const block = blocks.push(chunk);
    if (block.length > 0) yield block;
  }
  const rest = blocks.end();
  if (rest.length > 0) yield rest;
}
