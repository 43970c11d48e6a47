import { fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { visible } from '../../core/bytes/text.ts';
import { isClosedStream } from '../../store/standard-streams.ts';
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

/** Whether the reader of standard output has had enough. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof OutputError && (error.cause as NodeJS.ErrnoException).code === 'EPIPE';
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

export interface StandardOutputOptions {
  /** Whether a standard output that seems to be closed is only worth a warning. */
  readonly mayBeLost?: boolean;
  /** Whether a closed pipe ends the process: the reader has had enough. Otherwise `write` throws. */
  readonly endsProcess?: boolean;
}

/**
 * Standard output that seems closed is worth a warning, not an exit status, unless lines that are lost would count as
 * written: a program's DEVNULL looks the same.
 *
 * @throws {OutputError} where it seems to be closed although the output must not be lost
 */
export function openStandardOutput({ mayBeLost = true, endsProcess = true }: StandardOutputOptions): Output {
  if (isClosedStream(STANDARD_OUTPUT)) {
    const closed = 'standard output is closed, or /dev/null opened for reading as well';
    if (!mayBeLost) fail(closed, '--unseen would count its lines as written; --out /dev/null drops them');
    process.stderr.write(`urlsum: WARNING: ${closed}: the output is lost\n`);
  }
  // process.stdout would block this thread at each write to a file
  return isFile() ? new OutputInPlace('standard output', STANDARD_OUTPUT) : new StandardOutput(endsProcess);
}

function isFile(): boolean {
  try {
    return fstatSync(STANDARD_OUTPUT).isFile();
  } catch {
    return false; // closed, in a runtime that does not open /dev/null in its place: writing throws
  }
}

/**
 * Writes to standard output, with backpressure. A closed pipe is not an error: the reader has had enough. A terminal is
 * shown what it would obey, which may come from the input: only tabs and line feeds are as they are.
 */
export class StandardOutput implements Output {
  readonly #decoder = process.stdout.isTTY ? new TextDecoder('utf-8', { ignoreBOM: true }) : undefined;

  constructor(endsProcess = true) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' && endsProcess) process.exit(process.exitCode ?? 0);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    const shown = this.#decoder === undefined ? bytes : shownLines(this.#decoder.decode(bytes, { stream: true }));
    return new Promise((resolve, reject) => {
      process.stdout.write(shown, (error) => (error ? reject(new OutputError('standard output', error)) : resolve()));
    });
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

function shownLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

export function print(text: string): Promise<void> {
  return new StandardOutput().write(Buffer.from(text));
}
