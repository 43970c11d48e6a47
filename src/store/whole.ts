// A system call may read or write fewer bytes than it is given, and a pipe that is shared with a process that made it
// non-blocking answers EAGAIN while it is empty or full. These go on until all bytes are read or written.

import { concatBytes } from '../core/bytes/growing-bytes.ts';
import { nodeModule } from './node-module.ts';

/** Node refuses reads of 2 GiB and more. */
const READ_LIMIT_BYTES = 2 ** 30;

/** Bytes that are read at a time from what has no length. */
const PIECE_BYTES = 1 << 16;

/** Reads at least one byte, from `position` or where the descriptor stands. @returns the number read, 0 at the end */
export function readSome(descriptor: number, into: Uint8Array, position: number | null = null): number {
  const { readSync } = nodeModule('node:fs');
  for (;;) {
    try {
      return readSync(descriptor, into, 0, Math.min(into.length, READ_LIMIT_BYTES), position);
    } catch (error) {
      if (codeOf(error) === 'EOF') return 0; // how Windows reports the end of a pipe
      waitForPipe(error);
    }
  }
}

/** Fills `into`. @returns the number of bytes read, less than its length only where the file ends */
export function readWhole(descriptor: number, into: Uint8Array, position: number | null = null): number {
  let filled = 0;
  while (filled < into.length) {
    const at = position === null ? null : position + filled;
    const byteLength = readSome(descriptor, into.subarray(filled), at);
    if (byteLength === 0) break;
    filled += byteLength;
  }
  return filled;
}

/**
 * Reads from where the descriptor stands to the end.
 *
 * @param received is told how many bytes were read so far; it may throw
 */
export function readToEnd(descriptor: number, received: (byteLength: number) => void = () => {}): Uint8Array {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const byteLength = readWhole(descriptor, piece);
    if (byteLength > 0) pieces.push(piece.subarray(0, byteLength));
    total += byteLength;
    received(total);
    if (byteLength < piece.length) return concatBytes(pieces);
  }
}

/** Writes all bytes, at `position` or where the descriptor stands. */
export function writeWhole(descriptor: number, bytes: Uint8Array, position: number | null = null): void {
  const { writeSync } = nodeModule('node:fs');
  for (let written = 0; written < bytes.length; ) {
    const at = position === null ? null : position + written;
    try {
      written += writeSync(descriptor, bytes, written, bytes.length - written, at);
    } catch (error) {
      waitForPipe(error);
    }
  }
}

/** Writes all bytes where the descriptor stands, and lets other work go on meanwhile. */
export async function writeWholeLater(descriptor: number, bytes: Uint8Array): Promise<void> {
  const { write } = nodeModule('node:fs');
  const writeRest = (from: number) =>
    new Promise<number>((resolve, reject) => {
      write(descriptor, bytes, from, bytes.length - from, null, (error, count) =>
        error === null ? resolve(count) : reject(error),
      );
    });
  for (let written = 0; written < bytes.length; ) {
    try {
      written += await writeRest(written);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const PAUSE_MS = 1;

/** Sleeps for a moment after `EAGAIN`, and throws any other error. */
function waitForPipe(error: unknown): void {
  if (codeOf(error) !== 'EAGAIN') throw error;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

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
  const { fstatSync, readFileSync, statSync } = nodeModule('node:fs');
  try {
    if (fstatSync(descriptor).rdev !== statSync('/dev/null').rdev) return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & ACCESS_MODE) === READ_WRITE;
  } catch {
    return false; // it is closed, and reading or writing throws; or there is no /proc
  }
}
