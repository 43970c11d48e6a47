import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import type { Pieces } from './codecs.ts';

const NO_BYTES = new Uint8Array(0);
/** What is put together from pieces takes no more than it has to, if it is larger than this. */
const JOINED_BYTES = 1 << 22;

/** The bytes of a page, unpacked: all at once, or in pieces where the page is large. */
export class PageBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** Memory for what is left of a piece, and the next. */
  readonly #joined = new GrowingBytes(0, JOINED_BYTES);
  #bytes: Uint8Array = NO_BYTES;
  /** Bytes that have not come. */
  #missing: number;

  constructor(pieces: Pieces, byteLength: number) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#missing = byteLength;
  }

  /** Those that have come and were not passed over, valid until others are waited for. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  pass(byteLength: number): void {
    this.#bytes = this.#bytes.subarray(byteLength);
  }

  /** Waits until there are `least` bytes. @throws where the page has fewer */
  async wait(least: number): Promise<void> {
    if (least > this.#bytes.length + this.#missing) throw new Error('a value of a page is longer than the page');
    if (least <= this.#bytes.length) return;
    const joined = this.#joined;
    joined.length = 0;
    joined.bytes(this.#bytes);
    while (joined.length < least) {
      const piece = await this.#next();
      if (joined.length === 0 && piece.length >= least) return void (this.#bytes = piece);
      joined.room(least - joined.length);
      joined.bytes(piece);
    }
    this.#bytes = joined.written;
  }

  /** Waits for the rest of them. */
  waitForAll(): Promise<void> {
    return this.wait(this.#bytes.length + this.#missing);
  }

  /** Returns the first bytes, and passes over them. */
  async first(byteLength: number): Promise<Uint8Array> {
    await this.wait(byteLength);
    const first = this.#bytes.subarray(0, byteLength);
    this.pass(byteLength);
    return first;
  }

  /** @throws where the page does not end where its header says */
  async end(): Promise<void> {
    while (this.#missing > 0) await this.#next();
    if ((await this.#pieces.next()).done !== true) throw new Error(OTHER_LENGTH);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<Uint8Array> {
    const { done, value } = await this.#pieces.next();
    this.#missing -= value?.length ?? 0;
    if (done === true || this.#missing < 0) throw new Error(OTHER_LENGTH);
    return value;
  }
}

const OTHER_LENGTH = 'a page unpacks to another length than its header says';
