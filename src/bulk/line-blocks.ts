import { mayBecomeMark, withoutByteOrderMark } from '../bytes/byte-order-mark.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { GrowingMemory } from '../bytes/growing-bytes.ts';

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
  readonly #bytes = new GrowingMemory(INITIAL_BYTES, ROW_LIMIT_BYTES);
  /** Bytes of the last block, which are no longer needed. */
  #given = 0;
  /** Whether more than the beginning of a byte order mark has come. */
  #isStarted = false;
  readonly #endOf: Cutter;

  constructor(endOf = cutterAfter(LINE_FEED)) {
    this.#endOf = endOf;
  }

  /** Returns the rows that `chunk` completes, or no bytes: a view that is valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    this.#append(chunk);
    if (!this.#isStarted && mayBecomeMark(this.#bytes.written)) return new Uint8Array(0);
    const newLength = this.#isStarted ? chunk.length : this.#start();
    const { written } = this.#bytes;
    this.#given = this.#endOf(written, written.length - newLength);
    return written.subarray(0, this.#given);
  }

  /** Returns the last row if it lacks its end, or no bytes. */
  end(): Uint8Array {
    this.#append(new Uint8Array(0));
    this.#given = this.#bytes.length;
    return this.#bytes.written;
  }

  /** Leaves out a byte order mark, and returns how many bytes come after it. */
  #start(): number {
    const { written } = this.#bytes;
    this.#isStarted = true;
    this.#given = written.length - withoutByteOrderMark(written).length;
    this.#append(new Uint8Array(0));
    return this.#bytes.length;
  }

  #append(text: Uint8Array): void {
    const bytes = this.#bytes;
    bytes.written.copyWithin(0, this.#given);
    bytes.length -= this.#given;
    this.#given = 0;
    if (bytes.length > ROW_LIMIT_BYTES && bytes.length + text.length > bytes.capacity)
      throw new RangeError('a line is longer than 1 GiB: is it text?');
    bytes.bytes(text, 0, text.length);
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
