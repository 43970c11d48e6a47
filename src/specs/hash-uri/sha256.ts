import { DIGESTS, STATE, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { jsKernel } from '../../core/kernel/js.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { nodeModule } from '../../store/node-module.ts';

/** SHA-256 of a message in pieces; what node:crypto's createHash('sha256') gives is one. */
export type Sha256 = {
  /**
   * Takes in the next piece.
   *
   * @param bytes any number of bytes
   */
  update(bytes: Uint8Array): unknown;
  /** @returns 32 bytes */
  digest(): Uint8Array;
};

/** The host's own, which uses the processor's instructions. @throws {TypeError} where it has no modules of Node */
export function hostSha256(): Sha256 {
  return nodeModule('node:crypto').createHash('sha256');
}

const BLOCK_BYTES = 64;
const STATE_BYTES = 32;
const ROOM_BYTES = (TEXT_END - TEXT) & ~(BLOCK_BYTES - 1);

/**
 * SHA-256 by the kernel, whose memory holds the state of one message. Several streams may be read in turns, and other
 * messages hashed between two pieces, so each stream keeps its own state and brings it along. The JavaScript kernel's
 * state is not in its memory: there each stream has a kernel of its own.
 */
export class KernelSha256 implements Sha256 {
  readonly #kernel: Kernel;
  readonly #tail = new Uint8Array(BLOCK_BYTES);
  #state: Uint8Array<ArrayBuffer>;
  #byteLength = 0;

  constructor(kernel: Kernel = openKernel()) {
    this.#kernel = kernel.name === 'js' ? jsKernel() : kernel;
    this.#kernel.init();
    this.#state = this.#savedState();
  }

  update(bytes: Uint8Array): void {
    const fill = this.#tailLength;
    this.#byteLength += bytes.length;
    if (fill + bytes.length < BLOCK_BYTES) return this.#tail.set(bytes, fill);
    this.#kernel.memory.bytes.set(this.#state, STATE);
    const rest = fill === 0 ? bytes : bytes.subarray(this.#fillTail(bytes, fill));
    const wholeLength = rest.length & ~(BLOCK_BYTES - 1);
    for (let at = 0; at < wholeLength; at += ROOM_BYTES)
      this.#update(rest.subarray(at, Math.min(at + ROOM_BYTES, wholeLength)));
    this.#tail.set(rest.subarray(wholeLength));
    this.#state = this.#savedState();
  }

  digest(): Uint8Array<ArrayBuffer> {
    const { memory } = this.#kernel;
    memory.bytes.set(this.#state, STATE);
    memory.bytes.set(this.#tail.subarray(0, this.#tailLength), TEXT);
    this.#kernel.final(TEXT, this.#tailLength, this.#byteLength, DIGESTS, 32);
    return memory.firstDigest(32).slice();
  }

  /** Completes the block that the tail began, and returns how many bytes that took. */
  #fillTail(bytes: Uint8Array, fill: number): number {
    const taken = BLOCK_BYTES - fill;
    this.#tail.set(bytes.subarray(0, taken), fill);
    this.#update(this.#tail);
    return taken;
  }

  #update(blocks: Uint8Array): void {
    this.#kernel.memory.bytes.set(blocks, TEXT);
    this.#kernel.update(TEXT, blocks.length / BLOCK_BYTES);
  }

  #savedState(): Uint8Array<ArrayBuffer> {
    return this.#kernel.memory.bytes.slice(STATE, STATE + STATE_BYTES);
  }

  get #tailLength(): number {
    return this.#byteLength % BLOCK_BYTES;
  }
}
