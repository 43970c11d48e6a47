import type { ParquetFile } from './file.ts';

/** Bytes read at a time. */
const WINDOW_BYTES = 1 << 20;

/** Bytes of a file that were read last, ahead of those that are asked for. */
export class PageWindow {
  readonly #file: ParquetFile;
  readonly #end: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  /** @param end of what is read */
  constructor(file: ParquetFile, end: number) {
    this.#file = file;
    this.#end = end;
  }

  /** Returns bytes [start, start + byteLength), which stay as they are. */
  async bytes(start: number, byteLength: number): Promise<Uint8Array> {
    const end = start + byteLength;
    if (byteLength > WINDOW_BYTES) return this.#file.bytes(start, end);
    if (start < this.#start || end > this.#start + this.#bytes.length) {
      this.#bytes = await this.#file.bytes(start, Math.min(this.#end, start + WINDOW_BYTES));
      this.#start = start;
    }
    return this.#bytes.subarray(start - this.#start, end - this.#start);
  }

  /** Yields the same bytes in pieces. */
  async *pieces(start: number, byteLength: number): AsyncGenerator<Uint8Array> {
    const end = start + byteLength;
    for (let at = start; at < end; at += WINDOW_BYTES) yield await this.bytes(at, Math.min(WINDOW_BYTES, end - at));
  }
}
