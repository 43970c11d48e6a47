import { type ChunkStream, joined, nextTask } from './chunks.ts';

type Bytes = Uint8Array<ArrayBuffer>;

// RFC 1952, section 2.3.1: how a member begins; it ends in the checksum and the byte length of its text, modulo 2^32
const MAGIC = [0x1f, 0x8b, 0x08];
const LENGTH_BYTES = 4;

/** An empty text ends its member with so many zeros: checksum, length, and the last bytes before them. */
const EMPTY_ZEROS = [8, 9, 10, 11, 12];

/** Enough for the header of a member without text, and its data. */
const START_LIMIT_BYTES = 1 << 12;

const ZEROS_BYTES = 1 << 16;

const WRITTEN = Symbol('written');

/**
 * The text of gzip data. They may have many members in sequence, with zeros between and after them as padding. A
 * DecompressionStream reads one member and refuses anything after it. So a member ends here where another may begin, if
 * its last bytes, before any padding, are the length of its text.
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
        if (await member.isWhole()) {
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
  /** What was written, as far as it shows the end of a member without text. */
  #start: Bytes = new Uint8Array(0);
  /** The last bytes written; zeros after them wait, since they may be padding. */
  #last: Bytes = new Uint8Array(0);
  #zeroCount = 0;

  constructor() {
    const { writable, readable } = new DecompressionStream('gzip');
    this.#writer = writable.getWriter();
    this.#reader = readable.getReader() as ReadableStreamDefaultReader<Bytes>;
    this.#writer.closed.catch(() => undefined); // each write says the same
  }

  /** Whether the member may end here, once all text has come out. */
  async isWhole(): Promise<boolean> {
    return (await this.#ownZeroCount()) !== undefined;
  }

  async *push(piece: Bytes): ChunkStream {
    const end = endOf(piece);
    if (end > 0) {
      yield* this.#writeZeros(this.#zeroCount);
      this.#zeroCount = 0;
      yield* this.#write(piece.subarray(0, end));
    }
    this.#zeroCount += piece.length - end;
  }

  /** Yields the text that has come out so far. */
  settle(): ChunkStream {
    return this.#readUntil(nextTask());
  }

  async *end(): ChunkStream {
    yield* this.settle();
    yield* this.#writeZeros((await this.#ownZeroCount()) ?? this.#zeroCount);
    const closed = this.#writer.close();
    closed.catch(() => undefined); // reading throws the same
    yield* this.#readUntil(undefined);
    await closed;
  }

  /** How many of the waiting zeros belong to the member, not to padding; undefined if it cannot end here. */
  async #ownZeroCount(): Promise<number | undefined> {
    if (this.#textLength === 0) return this.#ownZeroCountOfEmpty();
    const length = new Uint8Array(LENGTH_BYTES);
    new DataView(length.buffer).setUint32(0, this.#textLength % 2 ** 32, true);
    const count = LENGTH_BYTES - endOf(length);
    const last = joined(this.#last, new Uint8Array(count)).slice(-LENGTH_BYTES);
    const isLength = last.length === LENGTH_BYTES && last.every((byte, at) => byte === length[at]);
    return isLength && count <= this.#zeroCount ? count : undefined;
  }

  /** Without text, zeros end the member and follow it as padding: only unpacking tells how many are its own. */
  async #ownZeroCountOfEmpty(): Promise<number | undefined> {
    for (const count of EMPTY_ZEROS) {
      if (count > this.#zeroCount) return undefined;
      if (await isMember(joined(this.#start, new Uint8Array(count)))) return count;
    }
    return undefined;
  }

  async *#writeZeros(count: number): ChunkStream {
    for (let left = count; left > 0; left -= ZEROS_BYTES)
      yield* this.#write(new Uint8Array(Math.min(left, ZEROS_BYTES)));
  }

  async *#write(piece: Bytes): ChunkStream {
    if (this.#textLength === 0) this.#start = joined(this.#start, piece).slice(0, START_LIMIT_BYTES);
    this.#last = joined(this.#last, piece.subarray(-LENGTH_BYTES)).slice(-LENGTH_BYTES);
    yield* this.#readUntil(this.#writer.write(piece));
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

/** The end of the bytes without the zeros after them. */
function endOf(bytes: Uint8Array): number {
  return bytes.findLastIndex((byte) => byte !== 0) + 1;
}

async function isMember(bytes: Bytes): Promise<boolean> {
  try {
    await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
