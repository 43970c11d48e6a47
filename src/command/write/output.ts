import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { visible } from '../../core/bytes/text.ts';
import { beforeEndingSignal, isClosedStream, pathBeside, ReplacementFile, writeWholeLater } from '../../store/files.ts';
import { isFault, outputFault } from '../fault.ts';

/** A destination of the data. */
export interface Output {
  /** Settles when the memory of `bytes` can be reused. @throws {Fault} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the output, which `isWhole` declares complete. @throws {Fault} */
  end(isWhole: boolean): Promise<void>;
}

/** Whether the reader of standard output has had enough. */
export function isClosedPipe(error: unknown): boolean {
  return isFault(error, 'output') && (error.cause as NodeJS.ErrnoException).code === 'EPIPE';
}

export function fail(name: string, cause: unknown): never {
  throw outputFault(name, cause);
}

/** Writes to a descriptor that the shell has opened. It stays open, unless it is that of `file`. */
function outputInPlace(name: string, descriptor: number, file?: FileHandle): Output {
  fstatSync(descriptor); // throws if it is not open
  return {
    write: (bytes) => writeWholeLater(descriptor, bytes).catch((error) => fail(name, error)),
    end: async () => file?.close().catch((error) => fail(name, error)),
  };
}

export const STANDARD_OUTPUT = 1;

interface StandardOutputOptions {
  /** Whether a standard output that seems to be closed is only worth a warning. */
  readonly mayBeLost?: boolean;
  /** Whether a closed pipe ends the process: the reader has had enough. Otherwise `write` throws. */
  readonly endsProcess?: boolean;
}

/**
 * Standard output that seems closed is worth a warning, not an exit status, unless lines that are lost would count as
 * written: a program's DEVNULL looks the same.
 *
 * @throws {Fault} where it seems to be closed although the output must not be lost
 */
function openStandardOutput({ mayBeLost = true, endsProcess = true }: StandardOutputOptions): Output {
  if (isClosedStream(STANDARD_OUTPUT)) {
    const closed = 'standard output is closed, or /dev/null opened for reading as well';
    if (!mayBeLost) fail(closed, '--unseen would count its lines as written; --out /dev/null drops them');
    process.stderr.write(`urlsum: WARNING: ${closed}: the output is lost\n`);
  }
  // process.stdout would block this thread at each write to a file
  return isFile() ? outputInPlace('standard output', STANDARD_OUTPUT) : new StandardOutput(endsProcess);
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
      process.stdout.write(shown, (error) => (error ? reject(outputFault('standard output', error)) : resolve()));
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

/**
 * Opens standard output, also by the name '-', or a file that appears when it is complete, with the permissions of `like`
 * or of the file that it replaces.
 *
 * @throws {Fault}
 */
export async function openOutput(path = '-', options: StandardOutputOptions = {}, like?: string): Promise<Output> {
  return path === '-' ? openStandardOutput(options) : openFileOutput(path, options, like);
}

/**
 * Opens the output of `--out`. A target that is not a plain file (a pipe, a device, an open descriptor) cannot be
 * replaced and is written to in place.
 *
 * @throws {Fault} where it cannot be opened
 */
async function openFileOutput(path: string, options: StandardOutputOptions, like: string | undefined): Promise<Output> {
  if (path === '') fail('--out', 'the name of a file cannot be empty');
  if (path.endsWith('/')) fail(path, 'it names a folder');
  try {
    const target = targetOf(path);
    if ('path' in target) return await openPath(path, target.path, like);
    if (target.descriptor === STANDARD_OUTPUT) return openStandardOutput(options);
    return outputInPlace(path, target.descriptor);
  } catch (error) {
    fail(path, error);
  }
}

async function openPath(name: string, target: string, like: string | undefined): Promise<Output> {
  const known = await stat(target).catch(() => undefined); // opening it throws the reason
  if (known !== undefined && !known.isFile()) {
    const file = await open(target, 'w'); // a pipe opens when its reader does
    return outputInPlace(name, file.fd, file);
  }
  return fileOutput(name, target, like);
}

/**
 * Opens a file that takes the place of the target when the output is complete. Listens for signals before the file
 * exists: none is handled while this thread opens it.
 */
function fileOutput(name: string, target: string, like: string | undefined): Output {
  const temporary = pathBeside(target);
  const forgetSignals = beforeEndingSignal(() => rmSync(temporary, { force: true }));
  let file: ReplacementFile;
  try {
    file = new ReplacementFile(target, temporary, like);
  } catch (error) {
    forgetSignals();
    throw error;
  }
  const { write } = outputInPlace(name, file.descriptor);
  return {
    write,
    async end(isWhole) {
      try {
        if (isWhole) await file.commit();
      } catch (error) {
        fail(name, error);
      } finally {
        file.discard();
        forgetSignals();
      }
    },
  };
}

/**
 * Writes a file that appears under its name when it is complete, or not at all.
 *
 * @param like the file whose permissions it gets; default: the one that it replaces
 * @throws {Fault}
 */
export async function writeWholeFile(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  like?: string,
): Promise<void> {
  const output = await openOutput(path, {}, like);
  let isWhole = false;
  try {
    for await (const piece of pieces) await output.write(piece);
    isWhole = true;
  } finally {
    await output.end(isWhole);
  }
}

/** Whether standard output, also by the name '-', or the file at `path` is a terminal. */
export function isTerminal(path = '-'): boolean {
  try {
    const target = path === '-' ? { descriptor: STANDARD_OUTPUT } : targetOf(path);
    if ('path' in target) return statSync(target.path).isCharacterDevice() && isTerminalDevice(target.path);
    return target.descriptor === STANDARD_OUTPUT ? process.stdout.isTTY : isatty(target.descriptor);
  } catch {
    return false; // opening it as the output throws the reason
  }
}

function isTerminalDevice(path: string): boolean {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  try {
    return isatty(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The number of links that Linux follows (path_resolution(7)). */
const LINK_LIMIT = 40;

/** The target of a path to write to: an open descriptor of this process, or a path that is not a symbolic link. */
export type Target = { readonly descriptor: number } | { readonly path: string };

/**
 * Follows symbolic links, even to a file that does not exist yet. /dev/stdout, /dev/fd/3 and links to them are open
 * descriptors: the file under such a name must not be replaced.
 *
 * @throws where a folder on the way does not exist, or links form a circle
 */
export function targetOf(path: string): Target {
  let at = path;
  for (let links = 0; links < LINK_LIMIT; links++) {
    const folder = realpathSync(dirname(at));
    if (isDescriptorFolder(folder) && /^\d+$/.test(basename(at))) return { descriptor: Number(basename(at)) };
    const link = linkAt(at);
    if (link === undefined) return { path: join(folder, basename(at)) };
    at = resolve(folder, link);
  }
  throw new Error(`ELOOP: too many symbolic links, open '${path}'`);
}

/** Whether names in a folder are open descriptors: on Linux /dev/fd links to one under /proc, on BSD it is one itself. */
function isDescriptorFolder(folder: string): boolean {
  return folder === '/dev/fd' || folder === `/proc/${process.pid}/fd`;
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT') return undefined; // not a link, or the file does not exist yet
    throw error;
  }
}
