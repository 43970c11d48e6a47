import { readSome, writeWhole } from './whole.ts';

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

/** A source of requests. */
export interface ByteInput {
  /** Reads at least one byte, as many as there are, to the start of `target`. @returns their number, 0 at the end */
  read(target: Uint8Array): number;
}

/** A destination of answers. */
export interface ByteOutput {
  /** Returns when every byte is taken. */
  write(bytes: Uint8Array): void;
}

/** Fills `target`. @returns the number of bytes read, which is less than `target` has only if the input ends */
export function fill(input: ByteInput, target: Uint8Array): number {
  let filled = 0;
  while (filled < target.length) {
    const byteLength = input.read(target.subarray(filled));
    if (byteLength === 0) break;
    filled += byteLength;
  }
  return filled;
}

/** Standard input, read synchronously: nothing else happens until a request is complete. */
export class StandardInput implements ByteInput {
  read(target: Uint8Array): number {
    return readSome(STANDARD_INPUT, target);
  }
}

/** Standard output, written synchronously. */
export class SynchronousOutput implements ByteOutput {
  /** @throws {Error} with the code `EPIPE` where the parent no longer reads */
  write(bytes: Uint8Array): void {
    writeWhole(STANDARD_OUTPUT, bytes);
  }
}
