const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Bytes [start, end) are a line without its end. */
export interface Line {
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * The text on its way through hashStream, whose columns say how many lines they are of: chunks go in as they
 * are read, lines come out as columns do. It holds no more than the stream does.
 */
export class LineQueue {
  #bytes = new Uint8Array(1 << 18);
  #start = 0;
  #end = 0;
  #isStart = true;
  readonly #line: Line = { bytes: this.#bytes, start: 0, end: 0 };

  /** Bytes that are waiting. */
  get byteLength(): number {
    return this.#end - this.#start;
  }

  push(chunk: Uint8Array): void {
    this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The next line, which must have come in as a whole; the same object each time. */
  next(): Line {
    if (this.#isStart) this.#skipByteOrderMark();
    const bytes = this.#bytes;
    const start = this.#start;
    const feed = bytes.indexOf(LINE_FEED, start);
    const isLast = feed === -1 || feed >= this.#end;
    const end = isLast ? this.#end : feed;
    this.#start = isLast ? end : end + 1;
    const hasReturn = !isLast && end > start && bytes[end - 1] === CARRIAGE_RETURN;
    return Object.assign(this.#line, { bytes, start, end: hasReturn ? end - 1 : end });
  }

  /** As hashStream does. */
  #skipByteOrderMark(): void {
    const [first, second, third] = this.#bytes;
    if (first === 0xef && second === 0xbb && third === 0xbf && this.#end >= 3) this.#start = 3;
    this.#isStart = false;
  }

  #makeRoom(byteLength: number): void {
    if (this.#end + byteLength <= this.#bytes.length) return;
    const kept = this.#bytes.subarray(this.#start, this.#end);
    const needed = kept.length + byteLength;
    const room = 2 * needed > this.#bytes.length ? new Uint8Array(4 * needed) : this.#bytes;
    room.set(kept);
    this.#bytes = room;
    this.#start = 0;
    this.#end = kept.length;
  }
}
