import { createGunzip } from 'node:zlib';
import { type Unpacker, unpacked } from './unpacker.ts';
import { ZlibUnpacker } from './zlib-unpacker.ts';

/** Bytes that tell how the data behind them are packed. */
export const MAGIC_BYTES = 4;

/** The chunks as they are, or unpacked where their first bytes say gzip or zstd: no URL begins with those. */
export async function* uncompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const start = await startOf(iterator);
  const all = behind(start, iterator);
  const unpacker = await unpackerFor(start);
  yield* unpacker === undefined ? all : unpacked(all, unpacker);
}

/** The first chunk, or as many as the magic bytes take. */
async function startOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < MAGIC_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]); // a copy: a chunk is good only until the next one
  }
  return start;
}

async function* behind(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* { [Symbol.asyncIterator]: () => iterator };
}

/** Do a file's first bytes say that it is packed? */
export function isPacked(start: Uint8Array): boolean {
  return isGzip(start) || isZstd(start);
}

async function unpackerFor(start: Uint8Array): Promise<Unpacker | undefined> {
  if (isGzip(start)) return new ZlibUnpacker(() => createGunzip({ chunkSize: 1 << 16 }));
  if (isZstd(start)) return (await import('./zstd.ts')).zstdUnpacker();
  return undefined;
}

// RFC 1952, section 2.3.1: ID1, ID2, and CM, of which only 8 is in use
function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b && start[2] === 0x08;
}

// RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one before it
function isZstd(start: Uint8Array): boolean {
  if (start.length < MAGIC_BYTES) return false;
  const magic = new DataView(start.buffer, start.byteOffset).getUint32(0, true);
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5;
}
