import type { Transform } from 'node:stream';
import type { Unpacker } from './unpacker.ts';

/** The unpacking streams of node:zlib. */
export type ZlibStream = Transform & { readonly bytesWritten: number };

/**
 * Unpacks with Node's streams, write by write, so that nothing that a stream gave is lost where it fails. Packed data
 * may have several parts, one after another. Zeros between and after them are padding, as tapes and block devices leave
 * it; anything else there is damage.
 */
export class ZlibUnpacker implements Unpacker {
  readonly #open: () => ZlibStream;
  readonly #pieces: Uint8Array[] = [];
  #part: Part | undefined;

  constructor(open: () => ZlibStream) {
    this.#open = open;
  }

  async push(piece: Uint8Array): Promise<void> {
    for (let rest = piece; rest.length > 0; ) {
      if (this.#part === undefined) rest = withoutZeros(rest);
      if (rest.length === 0) return;
      this.#part ??= new Part(this.#open(), this.#pieces);
      rest = await this.#part.write(rest);
      if (rest.length > 0) this.#part = undefined;
    }
  }

  async end(): Promise<void> {
    await this.#part?.end();
  }

  take(): Uint8Array[] {
    return this.#pieces.splice(0);
  }
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(start === -1 ? bytes.length : start);
}

/** What one stream unpacks. */
class Part {
  readonly #stream: ZlibStream;
  readonly #failed: Promise<never>;
  #taken = 0;

  /** @param pieces what is unpacked is appended to them */
  constructor(stream: ZlibStream, pieces: Uint8Array[]) {
    this.#stream = stream;
    this.#failed = new Promise((_, reject) => stream.on('error', reject));
    this.#failed.catch(() => undefined); // write and end throw it
    stream.on('data', (piece: Uint8Array) => pieces.push(piece));
  }

  /** Settles when `bytes` are unpacked, and gives those of them that lie after the end of the part. */
  async write(bytes: Uint8Array): Promise<Uint8Array> {
    const done = new Promise<void>((resolve) => this.#stream.write(bytes, (error) => error ?? resolve()));
    await Promise.race([done, this.#failed]);
    const taken = this.#stream.bytesWritten - this.#taken;
    this.#taken += taken;
    return bytes.subarray(taken);
  }

  async end(): Promise<void> {
    const done = new Promise<void>((resolve) => this.#stream.once('end', resolve));
    this.#stream.end();
    await Promise.race([done, this.#failed]);
  }
}
