import zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { missingPackage } from './sentence.ts';

/** Returns the bytes that are packed in `bytes`: `byteLength` of them. @throws where it is damaged */
export type Unpack = (bytes: Uint8Array, byteLength: number) => Uint8Array;

/** Part of Node since 22.15; the types of Node 20 lack it. */
const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync?: typeof zlib.gunzipSync };

const BUILT_IN: Partial<Record<CompressionCodec, Unpack>> = {
  UNCOMPRESSED: (bytes) => bytes,
  SNAPPY: unpackSnappy,
  GZIP: (bytes, byteLength) => zlib.gunzipSync(bytes, { maxOutputLength: byteLength || 1 }),
  BROTLI: (bytes, byteLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength: byteLength || 1 }),
  ...(zstdDecompressSync && {
    ZSTD: (bytes, byteLength) => zstdDecompressSync(bytes, { maxOutputLength: byteLength || 1 }),
  }),
};

/** @throws where it takes a package that is not installed, or nothing here unpacks it */
export async function openCodec(codec: CompressionCodec): Promise<Unpack> {
  const unpack = BUILT_IN[codec] ?? (await packaged(codec));
  if (unpack === undefined) throw new Error(`it is packed with ${codec}, which urlsum does not unpack`);
  return (bytes, byteLength) => {
    const unpacked = unpack(bytes, byteLength);
    if (unpacked.length !== byteLength) throw new Error('a page unpacks to another length than its header says');
    return unpacked;
  };
}

async function packaged(codec: CompressionCodec): Promise<Unpack | undefined> {
  try {
    return (await import('hyparquet-compressors')).compressors[codec];
  } catch (error) {
    throw missingPackage(error, `Parquet packed with ${codec} in Node ${process.version}`, 'hyparquet-compressors');
  }
}

/**
 * Snappy's format, https://github.com/google/snappy/blob/main/format_description.txt. That of hyparquet goes back in its
 * input where a literal's length is damaged, and does not end.
 */
export function unpackSnappy(bytes: Uint8Array, byteLength: number): Uint8Array {
  const out = new Uint8Array(byteLength);
  let at = 0;
  let to = 0;
  while (bytes[at]! >= 128) at++;
  at++; // the length, which the header of the page says, too
  while (at < bytes.length) {
    const tag = bytes[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      let length = (tag >> 2) + 1;
      if (length > 60) {
        const lengthBytes = length - 60;
        length = littleEndian(bytes, at, lengthBytes) + 1;
        at += lengthBytes;
      }
      if (at + length > bytes.length || to + length > byteLength) throw new Error('a literal of Snappy is too long');
      if (length < FEW_BYTES) for (let index = 0; index < length; index++) out[to + index] = bytes[at + index]!;
      else out.set(bytes.subarray(at, at + length), to);
      at += length;
      to += length;
    } else {
      const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      const offsetBytes = kind === 3 ? 4 : kind;
      const offset = littleEndian(bytes, at, offsetBytes) + (kind === 1 ? (tag >> 5) << 8 : 0);
      at += offsetBytes;
      if (offset === 0 || offset > to || to + length > byteLength) throw new Error('a copy of Snappy is outside');
      for (let index = 0; index < length; index++) out[to + index] = out[to - offset + index]!;
      to += length;
    }
  }
  if (to !== byteLength) throw new Error('Snappy ends too early');
  return out;
}

/** A loop copies fewer bytes than this in less time than it takes to make a view of them. */
const FEW_BYTES = 64;

/** Bytes after the end are zeros: what needs them is then found to be outside. */
function littleEndian(bytes: Uint8Array, at: number, byteLength: number): number {
  let value = 0;
  for (let index = byteLength - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
