import { DIGESTS } from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Hashes of one width, packed: a run of bytes that grows. */
export class PackedHashes {
  count = 0;
  readonly #width: number;
  readonly #memory: Uint8Array;
  #bytes: Uint8Array<ArrayBuffer>;

  /** @param expectedCount of hashes, roughly: where it is right, nothing is copied twice */
  constructor({ memory }: Kernel, width: number, expectedCount: number) {
    this.#memory = memory.bytes;
    this.#width = width;
    this.#bytes = new Uint8Array(width * expectedCount);
  }

  /** Adds the first bytes of `count` digests in the kernel's memory, which has `kernelWidth` bytes of each. */
  add(count: number, kernelWidth: number): void {
    const width = this.#width;
    let to = this.count * width;
    this.count += count;
    this.#reserve(this.count * width);
    if (kernelWidth === width) return this.#bytes.set(this.#memory.subarray(DIGESTS, DIGESTS + count * width), to);
    if (width % 4 === 0) return this.#addWords(count, kernelWidth / 4, to);
    for (let row = 0, digest: number = DIGESTS; row < count; row++, digest += kernelWidth) {
      for (let at = 0; at < width; at++) this.#bytes[to++] = this.#memory[digest + at]!;
    }
  }

  /** The same by words, from digests of `kernelWords` words. */
  #addWords(count: number, kernelWords: number, to: number): void {
    const digests = new Uint32Array(this.#memory.buffer, DIGESTS, count * kernelWords);
    const width = this.#width / 4;
    const words = new Uint32Array(this.#bytes.buffer, to, count * width);
    for (let row = 0, digest = 0, word = 0; row < count; row++, digest += kernelWords) {
      for (let at = 0; at < width; at++) words[word++] = digests[digest + at]!;
    }
  }

  /** All of them: in memory that has at most a half more. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const byteLength = this.count * this.#width;
    const isLoose = 1.5 * byteLength < this.#bytes.length;
    return isLoose ? this.#bytes.slice(0, byteLength) : this.#bytes.subarray(0, byteLength);
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * byteLength);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
