import type { ByteInput, ByteOutput } from '../../../src/store/whole.ts';

/** Gives `bytes` in reads that end at each of `cuts`, ascending. */
export class CutInput implements ByteInput {
  readonly #bytes: Uint8Array;
  readonly #cuts: number[];
  #at = 0;

  constructor(bytes: Uint8Array, cuts: readonly number[] = []) {
    this.#bytes = bytes;
    this.#cuts = [...cuts, bytes.length];
  }

  read(target: Uint8Array): number {
    while (this.#cuts.length > 1 && this.#cuts[0]! <= this.#at) this.#cuts.shift();
    const taken = this.#bytes.subarray(this.#at, Math.min(this.#cuts[0]!, this.#at + target.length));
    target.set(taken);
    this.#at += taken.length;
    return taken.length;
  }
}

/** Keeps a copy of what is written. */
export class KeptOutput implements ByteOutput {
  readonly #pieces: Uint8Array[] = [];

  write(bytes: Uint8Array): void {
    this.#pieces.push(Uint8Array.from(bytes));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
