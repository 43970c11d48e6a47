import type { Pieces } from './codecs.ts';

const NO_BYTES = new Uint8Array(0);

/** The bytes of a page, unpacked: all at once, or in pieces where the page is large. */
export class PageBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = NO_BYTES;
  /** Bytes that have not come. */
  #missing: number;

  constructor(pieces: Pieces, byteLength: number) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#missing = byteLength;
  }

  /** Those that have come and were not passed over. They stay as they are. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  pass(byteLength: number): void {
    this.#bytes = this.#bytes.subarray(byteLength);
  }

  /** Waits until there are `least` bytes. @throws where the page has fewer */
  async wait(least: number): Promise<void> {
    const parts = [this.#bytes];
    let length = this.#bytes.length;
    if (least > length + this.#missing) throw new Error('a value of a page is longer than the page');
    for (; length < least; length += parts.at(-1)!.length) parts.push(await this.#next());
    const filled = parts.filter((part) => part.length > 0);
    this.#bytes = filled.length === 1 ? filled[0]! : Buffer.concat(filled);
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
