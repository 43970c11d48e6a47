import { fstatSync, writeFile } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sentenceOf } from '../input/system-error.ts';

/** Where the data go. */
export interface Output {
  /** Settles when the bytes may be written over. @throws {OutputError} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it: `isWhole` says that nothing is missing. @throws {OutputError} */
  end(isWhole: boolean): Promise<void>;
}

/** The output cannot be written: a full disk, say. It ends the run, unlike an input that cannot be read. */
export class OutputError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${sentenceOf(cause)}`, { cause });
  }
}

export function fail(name: string, cause: unknown): never {
  throw new OutputError(name, cause);
}

const writeAll = promisify(writeFile);

/** A descriptor that the shell has opened, and may go on writing to: it stays open, unless it is that of `file`. */
export class OutputInPlace implements Output {
  readonly #name: string;
  readonly #descriptor: number;
  readonly #file: FileHandle | undefined;

  constructor(name: string, descriptor: number, file?: FileHandle) {
    fstatSync(descriptor); // throws where it is not open
    this.#name = name;
    this.#descriptor = descriptor;
    this.#file = file;
  }

  // writeFile writes at the file's position, and again where the system wrote less than it was given
  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#descriptor, bytes).catch((error) => fail(this.#name, error));
  }

  async end(): Promise<void> {
    await this.#file?.close().catch((error) => fail(this.#name, error));
  }
}
