import { type ChunkStream, joined, nextTask } from './chunks.ts';

type Bytes = Uint8Array<ArrayBuffer>;

// RFC 1952, section 2.3.1: how a member begins; it ends in the byte length of its text, modulo 2^32
const MAGIC = [0x1f, 0x8b, 0x08];
const LENGTH_BYTES = 4;

const WRITTEN = Symbol('written');

/**
 * The text of gzip data. They may have many members, one after another, of which DecompressionStream reads one and
 * refuses what follows: so a member ends here before what begins another, if its last bytes are its length.
 *
 * @throws {Error} where the data are damaged or cut
 */
export async function* gunzipped(chunks: AsyncIterable<Bytes>): ChunkStream {
  let member = new Member();
  let rest: Bytes = new Uint8Array(0);
  try {
    for await (const chunk of chunks) {
      rest = joined(rest, chunk);
      for (let start: number; (start = memberStart(rest)) !== -1; ) {
        yield* member.push(rest.subarray(0, start));
        yield* member.settle();
        if (member.isWhole) {
          yield* member.end();
          member = new Member();
        }
        // the first byte goes in, so that the same place is not found again
        yield* member.push(rest.subarray(start, start + 1));
        rest = rest.slice(start + 1);
      }
      const held = heldBack(rest);
      yield* member.push(rest.subarray(0, rest.length - held));
      rest = rest.slice(rest.length - held);
    }
    yield* member.push(rest);
    yield* member.end();
  } catch (error) {
    throw error instanceof TypeError ? new Error(`its gzip data are damaged or cut (${error.message})`) : error;
  }
}

/** Where a member may begin, or -1. */
function memberStart(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(MAGIC[0]!); at !== -1; at = bytes.indexOf(MAGIC[0]!, at + 1))
    if (bytes[at + 1] === MAGIC[1] && bytes[at + 2] === MAGIC[2]) return at;
  return -1;
}

/** How many bytes at the end may be the first of those of a member that begins. */
function heldBack(bytes: Uint8Array): number {
  const { length } = bytes;
  if (length >= 2 && bytes[length - 2] === MAGIC[0] && bytes[length - 1] === MAGIC[1]) return 2;
  return bytes[length - 1] === MAGIC[0] ? 1 : 0;
}

/** What one DecompressionStream unpacks. */
class Member {
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  #reading: Promise<ReadableStreamReadResult<Bytes>> | undefined;
  #textLength = 0;
  #last: Bytes = new Uint8Array(0);

  constructor() {
    const { writable, readable } = new DecompressionStream('gzip');
    this.#writer = writable.getWriter();
    this.#reader = readable.getReader() as ReadableStreamDefaultReader<Bytes>;
    this.#writer.closed.catch(() => undefined); // each write says the same
  }

  /** Are the last bytes the length of all the text? */
  get isWhole(): boolean {
    if (this.#last.length < LENGTH_BYTES) return false;
    return new DataView(this.#last.buffer).getUint32(0, true) === this.#textLength % 2 ** 32;
  }

  async *push(piece: Bytes): ChunkStream {
    if (piece.length === 0) return;
    this.#last = joined(this.#last, piece.subarray(-LENGTH_BYTES)).slice(-LENGTH_BYTES);
    yield* this.#readUntil(this.#writer.write(piece));
  }

  /** What was pushed has all come out. */
  settle(): ChunkStream {
    return this.#readUntil(nextTask());
  }

  async *end(): ChunkStream {
    const closed = this.#writer.close();
    closed.catch(() => undefined); // reading throws the same
    yield* this.#readUntil(undefined);
    await closed;
  }

  /** Text that comes out before an event, or all. */
  async *#readUntil(event: Promise<void> | undefined): ChunkStream {
    const done = event?.then(() => WRITTEN);
    for (;;) {
      this.#reading ??= this.#reader.read();
      this.#reading.catch(() => undefined); // thrown where it is awaited
      const next = await (done === undefined ? this.#reading : Promise.race([this.#reading, done]));
      if (next === WRITTEN) return;
      this.#reading = undefined;
      const { done: isEnd, value } = next as ReadableStreamReadResult<Bytes>;
      if (isEnd) return;
      this.#textLength += value.length;
      yield value;
    }
  }
}
