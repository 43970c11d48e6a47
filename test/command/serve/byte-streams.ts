import type { ReadSome } from '../../../src/store/files.ts';

/** Gives `bytes` in reads that end at each of `cuts`, ascending. */
export function cutInput(bytes: Uint8Array, cuts: readonly number[] = []): ReadSome {
  const ends = [...cuts, bytes.length];
  let at = 0;
  return (target) => {
    while (ends.length > 1 && ends[0]! <= at) ends.shift();
    const taken = bytes.subarray(at, Math.min(ends[0]!, at + target.length));
    target.set(taken);
    at += taken.length;
    return taken.length;
  };
}

/** Keeps a copy of what is written. */
export class KeptOutput {
  readonly #pieces: Uint8Array[] = [];

  readonly write = (bytes: Uint8Array): void => {
    this.#pieces.push(Uint8Array.from(bytes));
  };

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
