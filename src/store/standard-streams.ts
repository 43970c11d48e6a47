import { readSync, writeSync } from 'node:fs';

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
    for (;;) {
      try {
        return readSync(STANDARD_INPUT, target);
      } catch (error) {
        if (isEnd(error)) return 0;
        waitForPipe(error);
      }
    }
  }
}

/** Windows reports the end of a pipe as an error. */
function isEnd(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EOF';
}

/** Standard output, written synchronously. */
export class SynchronousOutput implements ByteOutput {
  /** @throws {Error} with the code `EPIPE` where the parent no longer reads */
  write(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(STANDARD_OUTPUT, bytes, written);
      } catch (error) {
        waitForPipe(error);
      }
    }
  }
}

const PAUSE_MILLISECONDS = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Sleeps for a moment after `EAGAIN`: an end of a pipe or socket that is shared with a parent who made it non-blocking
 * gives it when there is nothing to read, or no room. Rethrows any other error.
 */
function waitForPipe(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  Atomics.wait(pause, 0, 0, PAUSE_MILLISECONDS);
}
