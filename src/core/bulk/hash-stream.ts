import { mustBeBytes } from '../argument.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { mayBecomeMark, withoutByteOrderMark } from '../bytes/text.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { hashLines } from './hash-rows.ts';
import { checkedOptions, type UrlHasherOptions } from './hasher.ts';

/**
 * Turns a stream of UTF-8 text into columns: the rows of all columns together are the lines of the text, as
 * `UrlHasher.hashLines` reads them, wherever the chunks were cut. A column comes for each chunk that ends a
 * line; its rows are counted from 0. The stream asks for one chunk before a column is wanted, and for no more.
 *
 * @param options those of UrlHasher, without `rowBounds`: the blocks of a stream are not the caller's
 * @returns a stream from Uint8Arrays, cut anywhere, to columns; it fails with a TypeError on a chunk of another kind
 * @throws {UrlError} where the base is not a URL
 * @throws {KernelError} on a kernel that this host cannot run
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on a width or kernel that does not exist, and on an option that does not
 * @see https://streams.spec.whatwg.org/#transformstream
 * @example
 * const { body } = new Response('https://example.com/\nhttps://example.org/\n');
 * let rowCount = 0;
 * for await (const column of body!.pipeThrough(hashStream())) rowCount += column.length;
 * rowCount; //=> 2
 */
export function hashStream<W extends Width = 32>(
  options: Omit<UrlHasherOptions<W>, 'rowBounds'> = {},
): TransformStream<Uint8Array, HashColumn<W>> {
  const hashing = checkedOptions<W>(options);
  const lines = new LineBlocks();

  function enqueue(block: Uint8Array, controller: TransformStreamDefaultController<HashColumn<W>>): void {
    if (block.length > 0) controller.enqueue(hashLines(hashing, block));
  }

  return new TransformStream({
    transform(chunk, controller) {
      enqueue(lines.push(mustBeBytes('a chunk', chunk)), controller);
    },
    flush(controller) {
      enqueue(lines.end(), controller);
    },
  });
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
