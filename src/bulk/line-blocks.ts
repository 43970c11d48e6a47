import { LINE_FEED } from '../bytes/code-points.ts';

const INITIAL_BYTES = 1 << 16;

/** Behind the last line feed of a chunk, or -1. */
function endOfLines(chunk: Uint8Array): number {
  return chunk.lastIndexOf(LINE_FEED) + 1 || -1;
}

/**
 * Cuts a stream of bytes into blocks of whole rows, by default lines, in one buffer that is used again and again: it
 * grows to the longest row and chunk, and a row of any length costs its length.
 */
export class LineBlocks {
  #bytes = new Uint8Array(INITIAL_BYTES);
  /** The bytes of the last block, given away and no longer needed. */
  #given = 0;
  #filled = 0;
  readonly #endOf: (chunk: Uint8Array) => number;

  /** `endOf` is given each chunk once, in order, and says behind which byte of it the last line ends, or -1. */
  constructor(endOf = endOfLines) {
    this.#endOf = endOf;
  }

  /** The lines that `chunk` completes, or no bytes; a view that is good until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#filled);
    const end = this.#endOf(chunk);
    if (end !== -1) this.#given = this.#filled + end;
    this.#filled += chunk.length;
    return this.#bytes.subarray(0, this.#given);
  }

  /** The last line, where it has no line feed; else no bytes. */
  end(): Uint8Array {
    this.#makeRoom(0);
    this.#given = this.#filled;
    return this.#bytes.subarray(0, this.#filled);
  }

  #makeRoom(byteLength: number): void {
    this.#bytes.copyWithin(0, this.#given, this.#filled);
    this.#filled -= this.#given;
    this.#given = 0;
    if (this.#filled + byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#filled + byteLength));
    grown.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = grown;
  }
}
