import { mayBecomeMark, withoutByteOrderMark } from '../bytes/byte-order-mark.ts';
import { LINE_FEED } from '../bytes/code-points.ts';

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
  /** What came after the last block, in that memory. */
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
