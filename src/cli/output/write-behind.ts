import type { Output } from './output.ts';

/**
 * Passes on a copy of what it is given and does not wait until that is written: the next block is hashed meanwhile.
 * Holds one block; a write that failed is reported by the next one, or by the end.
 */
export class WriteBehind implements Output {
  readonly #output: Output;
  #copy = new Uint8Array(0);
  #writing: Promise<void> = Promise.resolve();

  constructor(output: Output) {
    this.#output = output;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    if (this.#copy.length < bytes.length) this.#copy = new Uint8Array(2 * bytes.length);
    this.#copy.set(bytes);
    this.#writing = this.#output.write(this.#copy.subarray(0, bytes.length));
    this.#writing.catch(() => undefined); // it is awaited above or below, after the block that is being hashed
  }

  async end(isWhole: boolean): Promise<void> {
    const isWritten = await this.#writing.then(
      () => true,
      () => false,
    );
    await this.#output.end(isWhole && isWritten);
    await this.#writing;
  }
}
