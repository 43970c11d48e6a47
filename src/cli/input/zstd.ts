import zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import type { Unpacker } from './unpacker.ts';
import { type ZlibStream, ZlibUnpacker } from './zlib-unpacker.ts';

/** Node's own, since 22.15; the types of Node 20 lack it. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => ZlibStream };

/**
 * Frames, one after another (RFC 8878, section 3.1). Node's own reader is native and verifies checksums; where there is
 * none, fzstd reads the same frames without verifying them.
 */
export function zstdUnpacker(): Unpacker {
  return createZstdDecompress === undefined ? new ScriptedUnpacker() : new ZlibUnpacker(createZstdDecompress);
}

/** A block of up to 128 KiB comes out whole or not at all. */
class ScriptedUnpacker implements Unpacker {
  readonly #pieces: Uint8Array[] = [];
  readonly #frames = new Decompress((piece) => this.#pieces.push(Uint8Array.from(piece)));

  async push(piece: Uint8Array): Promise<void> {
    this.#frames.push(Uint8Array.from(piece));
  }

  async end(): Promise<void> {
    this.#frames.push(new Uint8Array(0), true);
  }

  take(): Uint8Array[] {
    return this.#pieces.splice(0);
  }
}
