import { concatBytes } from './concat.ts';

const MARK = [0xef, 0xbb, 0xbf];

/**
 * Strips a byte order mark from the start of a text; elsewhere it is part of its line, as a TextDecoder reads UTF-8.
 */
export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return MARK.every((byte, at) => text[at] === byte) ? text.subarray(MARK.length) : text;
}

/** Strips the byte order mark from a text that comes in chunks, wherever they are cut. */
export class ByteOrderMarkFilter {
  /** Bytes that may become a byte order mark; undefined once that is decided. */
  #start: Uint8Array | undefined = new Uint8Array(0);

  /** Returns the chunk after what was held back, without a byte order mark. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#start === undefined) return chunk;
    const start = this.#start.length === 0 ? chunk : concatBytes([this.#start, chunk]);
    const isUndecided = start.length < MARK.length && start.every((byte, at) => byte === MARK[at]);
    this.#start = isUndecided ? start.slice() : undefined;
    return isUndecided ? new Uint8Array(0) : withoutByteOrderMark(start);
  }

  /** Returns what was held back and did not become a byte order mark. */
  end(): Uint8Array {
    const held = this.#start ?? new Uint8Array(0);
    this.#start = undefined;
    return held;
  }
}
