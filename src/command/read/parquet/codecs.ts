import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { missingPackage } from './sentence.ts';
import { SnappyUnpacker, unpackSnappy } from './snappy.ts';

/** Pieces of packed or unpacked bytes, in sequence. */
export type Pieces = AsyncIterable<Uint8Array>;

/** How pages are unpacked. */
export interface Codec {
  /** Returns the bytes that are packed in `bytes`: `byteLength` of them. @throws where it is damaged */
  readonly unpack: (bytes: Uint8Array, byteLength: number) => Uint8Array;
  /** Yields them in pieces, each valid until the next; undefined where that cannot be done. */
  readonly unpackPieces?: ((pieces: Pieces) => Pieces) | undefined;
}

/** Part of Node since 22.15; the types of Node 20 lack them. */
const { zstdDecompressSync, createZstdDecompress } = zlib as unknown as {
  zstdDecompressSync?: typeof zlib.gunzipSync;
  createZstdDecompress: typeof zlib.createGunzip;
};

const NO_BYTES = new Uint8Array(0);

/** Bytes that are unpacked at a time. */
const PIECE_BYTES = 1 << 20;
const IN_PIECES = { chunkSize: PIECE_BYTES };

/** Of pages that are as they were. */
export const NOT_PACKED: Codec = { unpack: (bytes) => bytes, unpackPieces: (pieces) => pieces };

const BUILT_IN: Partial<Record<CompressionCodec, Codec>> = {
  UNCOMPRESSED: NOT_PACKED,
  SNAPPY: { unpack: unpackSnappy, unpackPieces: unpackSnappyPieces },
  GZIP: {
    unpack: (bytes, byteLength) => zlib.gunzipSync(bytes, { maxOutputLength: byteLength }),
    unpackPieces: (pieces) => through(zlib.createGunzip(IN_PIECES), pieces),
  },
  BROTLI: {
    unpack: (bytes, byteLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength: byteLength }),
    unpackPieces: (pieces) => through(zlib.createBrotliDecompress(IN_PIECES), pieces),
  },
  ...(zstdDecompressSync && {
    ZSTD: {
      unpack: (bytes, byteLength) => zstdDecompressSync(bytes, { maxOutputLength: byteLength }),
      unpackPieces: (pieces) => through(createZstdDecompress(IN_PIECES), pieces),
    },
  }),
};

/** @throws where it takes a package that is not installed, or nothing here unpacks it */
export async function openCodec(name: CompressionCodec | undefined): Promise<Codec> {
  if (name === undefined) throw new Error('it is packed in a way that has no name');
  const codec = BUILT_IN[name] ?? (await packaged(name));
  if (codec === undefined) throw new Error(`it is packed with ${name}, which urlsum does not unpack`);
  return {
    unpack(bytes, byteLength) {
      if (byteLength === 0) return NO_BYTES; // what packers make of nothing: a byte of Snappy's or LZ4's, or none
      const unpacked = unpackedBy(codec, bytes, byteLength);
      if (unpacked?.length !== byteLength) throw new Error('a page unpacks to another length than its header says');
      return unpacked;
    },
    unpackPieces: codec.unpackPieces,
  };
}

/** Returns undefined where there is more than `byteLength`: unpackers then have no room for it. */
function unpackedBy({ unpack }: Codec, bytes: Uint8Array, byteLength: number): Uint8Array | undefined {
  try {
    return unpack(bytes, byteLength);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function packaged(name: CompressionCodec): Promise<Codec | undefined> {
  try {
    const unpack = (await import('hyparquet-compressors')).compressors[name];
    return unpack && { unpack };
  } catch (error) {
    throw missingPackage(error, `Parquet packed with ${name} in Node ${process.version}`, 'hyparquet-compressors');
  }
}

async function* through(stream: Transform, pieces: Pieces): AsyncGenerator<Uint8Array> {
  pipeline(Readable.from(pieces), stream, () => undefined); // an error of either is thrown by the stream
  yield* stream;
}

async function* unpackSnappyPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const unpacker = new SnappyUnpacker(PIECE_BYTES);
  for await (const piece of pieces) yield* unpacker.push(piece);
  yield* unpacker.end();
}
