import { fstatSync, readFileSync, statSync } from 'node:fs';
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

/** fcntl(2): the mask of the access mode in the flags of a descriptor, and the mode for reading and writing. */
const ACCESS_MODE = 0o3;
const READ_WRITE = 0o2;

/**
 * Whether a standard stream was closed: Node opens /dev/null for reading and writing in its place (PlatformInit in
 * src/node.cc), while a shell's `< /dev/null` and `> /dev/null` are for one of them. Python's DEVNULL and Node's `stdio:
 * 'ignore'` look like a closed one. Only Linux tells how a descriptor was opened.
 */
export function isClosedStream(descriptor: number): boolean {
  try {
    if (fstatSync(descriptor).rdev !== statSync('/dev/null').rdev) return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & ACCESS_MODE) === READ_WRITE;
  } catch {
    return false; // it is closed, and reading or writing throws; or there is no /proc
  }
}
