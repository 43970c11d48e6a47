// Node's files: read and written whole, replaced when they are whole, and without a name.
//
// A system call may read or write fewer bytes than it is given, and a pipe that is shared with a process that made it
// non-blocking answers EAGAIN while it is empty or full. These go on until all bytes are read or written.

import type { BigIntStats } from 'node:fs';
import { concatBytes } from '../core/bytes/growing-bytes.ts';
import { nodeModule } from './node-module.ts';

/** The most bytes that are read at once: Node refuses 2 GiB and more. */
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
  let at = position;
  return fill(into, (rest) => {
    const byteLength = readSome(descriptor, rest, at);
    if (at !== null) at += byteLength;
    return byteLength;
  });
}

/** Reads at least one byte to the start of `into`. Returns the number read, 0 at the end. */
export type ReadSome = (into: Uint8Array) => number;

/**
 * Fills `into` by as many reads as it takes. @returns the number of bytes read, less than its length only at the end
 */
export function fill(into: Uint8Array, read: ReadSome): number {
  let filled = 0;
  while (filled < into.length) {
    const byteLength = read(into.subarray(filled));
    if (byteLength === 0) break;
    filled += byteLength;
  }
  return filled;
}

/** Reads from where the descriptor stands to the end. */
export function readToEnd(descriptor: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const byteLength = readWhole(descriptor, piece);
    if (byteLength > 0) pieces.push(piece.subarray(0, byteLength));
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

/**
 * The facts that tell the states of a file apart: ctime, one that was written in place and given its old size and
 * mtime.
 */
const STATE = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
export type FileState = Pick<BigIntStats, (typeof STATE)[number]>;

/** Returns undefined where the file does not exist. */
export function stateOf(path: string): BigIntStats | undefined {
  return nodeModule('node:fs').statSync(path, { throwIfNoEntry: false, bigint: true });
}

export function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  return STATE.every((name) => one?.[name] === other?.[name]);
}

/** Returns a text that two files have in common where their states are the same. */
export function textOfState(state: FileState): string {
  return STATE.map((name) => state[name]).join(' ');
}

/** fcntl(2): the mask of the access mode in the flags of a descriptor, and the mode for reading and writing. */
const ACCESS_MODE = 0o3;
const READ_WRITE = 0o2;

/**
 * Whether a standard stream was closed: Node opens /dev/null for reading and writing in its place (PlatformInit in
 * src/node.cc), while a shell's `< /dev/null` and `> /dev/null` are for one of them. Python's DEVNULL and Node's
 * `stdio: 'ignore'` look like a closed one. Only Linux tells how a descriptor was opened.
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

/** The bits of a mode that chmod(1) calls permissions: not setuid, setgid and the sticky bit. */
const PERMISSIONS = 0o777;

/** Returns a path in the folder of `target` for a file that takes its place. */
export function pathBeside(target: string): string {
  const { dirname, join } = nodeModule('node:path');
  return join(dirname(target), temporaryName('tmp')); // the target's own name may be as long as names can be
}

/** Returns a name that no other file has: of a run, which is read again, or of a file that gets another name. */
export function temporaryName(ending: 'run' | 'tmp'): string {
  return `.urlsum-${nodeModule('node:crypto').randomBytes(6).toString('hex')}.${ending}`;
}

/** Whether a file was to take the place of another, and its process was killed before it did. */
export function isLeftover(name: string): boolean {
  return /^\.urlsum-[0-9a-f]+\.tmp$/.test(name);
}

/**
 * A file that takes the place of another when it is whole and on the disk, or not at all: until then it has another
 * name in the same folder. It gets the permissions of the file that it replaces.
 */
export class ReplacementFile {
  /** Open for writing. */
  readonly descriptor: number;
  readonly #target: string;
  readonly #temporary: string;
  #isOpen = true;

  /**
   * @param target not a link: that would be replaced, not what it leads to
   * @param temporary the name until then
   * @param like the file whose permissions it gets
   * @param isThere whether somebody else has written the file under its temporary name
   * @throws what opening it throws
   */
  constructor(target: string, temporary = pathBeside(target), like = target, isThere = false) {
    this.#target = target;
    this.#temporary = temporary;
    this.descriptor = openedLike(temporary, like, isThere ? 'r+' : 'wx');
  }

  /** Puts the file on the disk and in its place. The caller calls `discard` where it throws. */
  async commit(): Promise<void> {
    const { fsync } = nodeModule('node:fs');
    const { promisify } = nodeModule('node:util');
    await promisify(fsync)(this.descriptor);
    this.#takePlace();
  }

  /** Does what `commit` does, and nothing else happens meanwhile. */
  commitSync(): void {
    nodeModule('node:fs').fsyncSync(this.descriptor);
    this.#takePlace();
  }

  /** Removes the file, unless it is in its place. It may be called more than once. */
  discard(): void {
    this.#close();
    nodeModule('node:fs').rmSync(this.#temporary, { force: true });
  }

  #takePlace(): void {
    this.#close();
    nodeModule('node:fs').renameSync(this.#temporary, this.#target);
    syncFolderOf(this.#target);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    nodeModule('node:fs').closeSync(this.descriptor);
  }
}

/** Opens or creates a file, and gives it the permissions of another. */
function openedLike(path: string, like: string, flags: 'wx' | 'r+'): number {
  const { fchmodSync, fstatSync, openSync, statSync } = nodeModule('node:fs');
  const known = statSync(like, { throwIfNoEntry: false });
  if (known === undefined) return openSync(path, flags);
  const mode = known.mode & PERMISSIONS;
  const descriptor = openSync(path, flags, mode);
  const found = fstatSync(descriptor);
  // the umask has restricted the mode: the owner may lift that, but another user's file gives away nothing of ours
  if (found.uid === known.uid && (found.mode & PERMISSIONS) !== mode) fchmodSync(descriptor, mode);
  return descriptor;
}

/**
 * Makes a folder whose search bits follow the read bits of a file, if there is one. A folder that is there stays.
 */
export function makeFolderLike(path: string, like: string): void {
  const { chmodSync, existsSync, mkdirSync, statSync } = nodeModule('node:fs');
  if (existsSync(path)) return;
  const known = statSync(like, { throwIfNoEntry: false });
  if (known === undefined) return void mkdirSync(path);
  const mode = (known.mode & PERMISSIONS) | ((known.mode & 0o444) >> 2);
  mkdirSync(path, mode);
  const found = statSync(path);
  if (found.uid === known.uid && (found.mode & PERMISSIONS) !== mode) chmodSync(path, mode);
}

/** Puts the name of a file on the disk, with its folder; where folders cannot be synced, the system does it later. */
function syncFolderOf(path: string): void {
  const { closeSync, fsyncSync, openSync } = nodeModule('node:fs');
  try {
    const folder = openSync(nodeModule('node:path').dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows opens no folder, and some file systems sync none
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `clean` before one of these signals ends the process. Returns a function that undoes this. */
export function beforeEndingSignal(clean: () => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    clean();
    process.kill(process.pid, signal); // now without this listener, so that the exit status names the signal
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return forget;
}

/**
 * A file for what does not fit in memory. It loses its name as soon as it is open, so that it vanishes with the
 * process, however that ends; only a SIGKILL in the 12 µs between leaves an empty file.
 */
export class SpillFile {
  readonly descriptor: number;
  readonly #path: string;
  #length = 0;

  constructor(folder: string = nodeModule('node:os').tmpdir()) {
    const { openSync, rmSync } = nodeModule('node:fs');
    this.#path = nodeModule('node:path').join(folder, temporaryName('run'));
    this.descriptor = openSync(this.#path, 'wx+', 0o600);
    if (!keepsNames()) rmSync(this.#path);
  }

  /** Writes bytes after those that were written. */
  append(bytes: Uint8Array): void {
    writeWhole(this.descriptor, bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Fills `into` from `position` on. @returns the number of bytes read, less than its length only at the end */
  read(into: Uint8Array, position: number): number {
    return readWhole(this.descriptor, into, position);
  }

  empty(): void {
    nodeModule('node:fs').ftruncateSync(this.descriptor);
    this.#length = 0;
  }

  close(): void {
    const { closeSync, rmSync } = nodeModule('node:fs');
    closeSync(this.descriptor);
    if (keepsNames()) rmSync(this.#path);
  }
}

/** Whether open files keep their names: then they are removed at the end, and a killed process leaves them. */
function keepsNames(): boolean {
  return process.platform === 'win32';
}
