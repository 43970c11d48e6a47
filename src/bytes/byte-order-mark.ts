import { concatBytes } from './concat.ts';

const MARK = [0xef, 0xbb, 0xbf];

/**
 * A byte order mark is one only at the start of a text, and part of its line elsewhere: as a TextDecoder reads UTF-8.
 */
export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return MARK.every((byte, at) => text[at] === byte) ? text.subarray(MARK.length) : text;
}

/** Leaves the byte order mark out of a text that comes in chunks, wherever they are cut. */
export class ByteOrderMarkFilter {
  /** What may become a byte order mark; undefined once that is decided. */
  #start: Uint8Array | undefined = new Uint8Array(0);

  /** The chunk with what was held back, less a byte order mark. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#start === undefined) return chunk;
    const start = this.#start.length === 0 ? chunk : concatBytes([this.#start, chunk]);
    const isUndecided = start.length < MARK.length && start.every((byte, at) => byte === MARK[at]);
    this.#start = isUndecided ? start.slice() : undefined;
    return isUndecided ? new Uint8Array(0) : withoutByteOrderMark(start);
  }

  /** What was held back and did not become one. */
  end(): Uint8Array {
    const held = this.#start ?? new Uint8Array(0);
    this.#start = undefined;
    return held;
  }
}
