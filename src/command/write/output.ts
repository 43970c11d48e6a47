import { fstatSync, readFileSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { writeWholeLater } from '../../store/whole.ts';
import { sentenceOf } from '../read/system-error.ts';

/** A destination of the data. */
export interface Output {
  /** Settles when the memory of `bytes` can be reused. @throws {OutputError} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the output, which `isWhole` declares complete. @throws {OutputError} */
  end(isWhole: boolean): Promise<void>;
}

/** The output cannot be written, as on a full disk. It ends the run, unlike an input that cannot be read. */
export class OutputError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${sentenceOf(cause, true)}`, { cause });
  }
}

export function fail(name: string, cause: unknown): never {
  throw new OutputError(name, cause);
}

/** Writes to a descriptor that the shell has opened. It stays open, unless it is that of `file`. */
export class OutputInPlace implements Output {
  readonly #name: string;
  readonly #descriptor: number;
  readonly #file: FileHandle | undefined;

  constructor(name: string, descriptor: number, file?: FileHandle) {
    fstatSync(descriptor); // throws if it is not open
    this.#name = name;
    this.#descriptor = descriptor;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeWholeLater(this.#descriptor, bytes).catch((error) => fail(this.#name, error));
  }

  async end(): Promise<void> {
    await this.#file?.close().catch((error) => fail(this.#name, error));
  }
}

export const STANDARD_OUTPUT = 1;

/** fcntl(2): the mask of the access mode in the flags of a descriptor, and the mode for reading and writing. */
const ACCESS_MODE = 0o3;
const READ_WRITE = 0o2;

/** @throws {OutputError} where it seems to be closed although the output must not be lost */
export function openStandardOutput(mayBeLost: boolean): Output {
  if (isClosed()) {
    const closed = 'standard output is closed, or /dev/null opened for reading as well';
    if (!mayBeLost) fail(closed, '--unseen would count its lines as written; --out /dev/null drops them');
    process.stderr.write(`urlsum: WARNING: ${closed}: the output is lost\n`);
  }
  // process.stdout would block this thread at each write to a file
  return isFile() ? new OutputInPlace('standard output', STANDARD_OUTPUT) : new StandardOutput();
}

function isFile(): boolean {
  try {
    return fstatSync(STANDARD_OUTPUT).isFile();
  } catch {
    return false; // closed, in a runtime that does not open /dev/null in its place: writing throws
  }
}

/**
 * Node opens /dev/null for reading and writing in place of a closed standard output (PlatformInit in src/node.cc),
 * while a shell's `> /dev/null` is for writing alone. Python's DEVNULL and Node's `stdio: 'ignore'` look like a closed
 * one, so this is a warning, not an exit status, unless lines that are lost would count as written. Only Linux tells
 * how a descriptor was opened.
 */
function isClosed(): boolean {
  try {
    if (fstatSync(STANDARD_OUTPUT).rdev !== statSync('/dev/null').rdev) return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${STANDARD_OUTPUT}`, 'latin1'));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & ACCESS_MODE) === READ_WRITE;
  } catch {
    return false; // closed as in isFile, or there is no /proc
  }
}

/** Writes to standard output, with backpressure. A closed pipe is not an error: the reader has had enough. */
export class StandardOutput implements Output {
  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(new OutputError('standard output', error)) : resolve()));
    });
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

export function print(text: string): Promise<void> {
  return new StandardOutput().write(Buffer.from(text));
}
