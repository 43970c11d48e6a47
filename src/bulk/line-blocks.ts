const LINE_FEED = 0x0a;

/**
 * Cuts a stream of bytes into blocks of whole lines. A line that spans chunks is kept in pieces and joined
 * once, so that a line of any length costs its length.
 */
export class LineBlocks {
  #pieces: Uint8Array[] = [];

  /** The lines that `chunk` completes: bytes that end in a line feed, or none. May be a view of `chunk`. */
  push(chunk: Uint8Array): Uint8Array {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      if (chunk.length > 0) this.#pieces.push(chunk);
      return chunk.subarray(0, 0);
    }
    const block = this.#join(chunk.subarray(0, end));
    this.#pieces = end < chunk.length ? [chunk.subarray(end)] : [];
    return block;
  }

  /** The last line, where it has no line feed; else no bytes. */
  end(): Uint8Array {
    const block = this.#join(new Uint8Array(0));
    this.#pieces = [];
    return block;
  }

  #join(last: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return last;
    const pieces = [...this.#pieces, last];
    const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}
