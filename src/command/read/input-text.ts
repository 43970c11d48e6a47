import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { decoded, encodingOf, UTF_8 } from './encoding.ts';
import { certainKindOf, fileKindOf, isMarkup } from './file-kind.ts';
import { INPUT_KINDS, readerOf, wrongKind } from './input-kind.ts';

/** The unpacking streams of node:zlib. */
type ZlibStream = Transform & { readonly bytesWritten: number };

/** The types of Node 20 lack it. */
const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => ZlibStream };

/**
 * Functions that open the streams which unpack. That of zstd, part of Node since 22.15, verifies checksums; a reader in
 * JavaScript verified none, and let damage pass.
 */
const OPENERS = { gzip: () => zlib.createGunzip({ chunkSize: 1 << 16 }), zstd: createZstdDecompress };

const PACKINGS = ['gzip', 'zstd'] as const;

/** Options by which the bytes of a text are read. */
export interface TextOptions {
  /** The encoding of a text without a byte order mark; default: UTF-8. */
  readonly encoding?: string;
  /** Whether markup is read, or refused. */
  readonly readsMarkup?: boolean;
}

/**
 * Yields the chunks as they are, unpacked if their first bytes are those of gzip or zstd, and decoded if they are not
 * UTF-8. The chunks are closed whenever the reader leaves.
 *
 * @throws where the first bytes are not those of text, and of zstd before Node 22.15, which does not unpack it
 */
export async function* inputText(
  chunks: AsyncIterable<Uint8Array>,
  options: TextOptions = {},
  isUnpacked = false,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const start = await startOf(iterator);
    const kind = certainKindOf(start);
    const all = after(start, iterator);
    const packing = isUnpacked ? undefined : PACKINGS.find((name) => INPUT_KINDS[name] === kind);
    if (packing !== undefined) {
      const open = OPENERS[packing];
      if (open === undefined)
        throw new Error(`Node ${process.version} does not unpack ${packing}; ${readerOf(INPUT_KINDS[packing])}`);
      return yield* inputText(unpacked(all, open), options, true);
    }
    const encoding = encodingOf(start, options.encoding);
    const isRead = kind === undefined || (options.readsMarkup === true && isMarkup(kind));
    if (encoding !== UTF_8 && (isRead || kind === INPUT_KINDS.utf16))
      return yield* inputText(decoded(all, encoding), { ...options, encoding: UTF_8 }, true);
    if (!isRead) throw wrongKind(kind!);
    yield* all;
  } finally {
    await iterator.return?.();
  }
}

/** Returns the first chunk, or as many as it takes to tell the kind of the file. */
async function startOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (fileKindOf(start) === 'undecided') {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]); // a copy, as a chunk is valid only until the next one
  }
  return start;
}

async function* after(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* { [Symbol.asyncIterator]: () => iterator };
}

/** The fewest bytes of text passed on at a time, except at the end. Larger pieces are not faster. */
const PASSED_BYTES = 1 << 18;

/**
 * Damage in a piece loses the bytes unpacked from its beginning, so pieces are small: 2 KiB, and 128 bytes in the first
 * 32 KiB of an input.
 */
const PIECE_BYTES = 2048;
const FIRST_PIECE_BYTES = 128;
const FIRST_BYTES = 1 << 15;

/**
 * Yields the unpacked text of `chunks`. If they are damaged, the text before the place where that is noticed comes
 * first: a checksum stands at the end of a member, or of a frame, so some of that text may be damaged, too.
 */
async function* unpacked(chunks: AsyncIterable<Uint8Array>, open: () => ZlibStream): AsyncGenerator<Uint8Array> {
  const text: Uint8Array[] = [];
  const unpacker = unpackerOf(open, text);
  let damage: unknown;
  try {
    for await (const piece of piecesOf(chunks)) {
      await unpacker.push(piece);
      if (byteLengthOf(text) >= PASSED_BYTES) yield Buffer.concat(text.splice(0));
    }
    await unpacker.end();
  } catch (error) {
    damage = error;
  }
  yield Buffer.concat(text);
  if (damage !== undefined)
    throw new Error(`${(damage as Error).message}; lines before may be damaged, too, which --out never shows`);
}

function byteLengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const end = at + (total < FIRST_BYTES ? FIRST_PIECE_BYTES : PIECE_BYTES);
      yield chunk.subarray(at, end);
      total += Math.min(end, chunk.length) - at;
      at = end;
    }
  }
}

/**
 * Unpacks with Node's streams, write by write, so that the output before a failure is kept. Packed data may have
 * several parts in sequence. Zeros between and after them are padding, as tapes and block devices leave it; anything
 * else there is damage.
 *
 * @param text gains the unpacked pieces
 */
function unpackerOf(open: () => ZlibStream, text: Uint8Array[]) {
  let part: ReturnType<typeof partOf> | undefined;
  return {
    /** Settles when `piece` is unpacked and no longer needed. @throws where it is damaged */
    async push(piece: Uint8Array): Promise<void> {
      for (let rest = piece; rest.length > 0; ) {
        if (part === undefined) rest = withoutZeros(rest);
        if (rest.length === 0) return;
        part ??= partOf(open(), text);
        rest = await part.write(rest);
        if (rest.length > 0) part = undefined;
      }
    },
    /** @throws where the data end too early */
    end: async () => part?.end(),
  };
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(start === -1 ? bytes.length : start);
}

/** Begins a part of the packed data, which one stream unpacks. */
function partOf(stream: ZlibStream, text: Uint8Array[]) {
  let takenBefore = 0;
  const failed = new Promise<never>((_, reject) => stream.on('error', reject));
  failed.catch(() => undefined); // write and end throw the error
  stream.on('data', (piece: Uint8Array) => text.push(piece));
  return {
    /** Settles when `bytes` are unpacked, and returns those of them after the end of the part. */
    async write(bytes: Uint8Array): Promise<Uint8Array> {
      const done = new Promise<void>((resolve) => stream.write(bytes, (error) => error ?? resolve()));
      await Promise.race([done, failed]);
      const taken = stream.bytesWritten - takenBefore;
      takenBefore += taken;
      return bytes.subarray(taken);
    },
    async end(): Promise<void> {
      const done = new Promise<void>((resolve) => stream.once('end', resolve));
      stream.end();
      await Promise.race([done, failed]);
    },
  };
}
