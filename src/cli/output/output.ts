import { fstatSync, writeFile } from 'node:fs';
import { promisify } from 'node:util';
import { WriteBehind } from './write-behind.ts';

/** Where the data go. */
export interface Output {
  /** Settles when the bytes may be written over. @throws {OutputError} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it: `isWhole` says that nothing is missing. @throws {OutputError} */
  end(isWhole: boolean): Promise<void>;
}

/** Standard output, or with a path a file that appears under its name when it is whole. @throws {OutputError} */
export async function openOutput(path: string | undefined): Promise<Output> {
  if (path !== undefined) return new WriteBehind(await (await import('./file-output.ts')).openFileOutput(path));
  return isFile(STANDARD_OUTPUT) ? new WriteBehind(new StandardFile()) : new StandardOutput();
}

const STANDARD_OUTPUT = 1;

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // closed, where the runtime has not opened /dev/null in its place, as Node does: writing will tell
  }
}

const writeAll = promisify(writeFile);

/** Standard output that the shell has opened on a file: process.stdout would stop this thread for each write. */
class StandardFile implements Output {
  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(STANDARD_OUTPUT, bytes).catch((error) => fail('standard output', error));
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

/** Standard output, with backpressure. A closed pipe is not an error: the reader has had enough. */
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

/** The output cannot be written: a full disk, say. It ends the run, unlike an input that cannot be read. */
export class OutputError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export function fail(name: string, cause: unknown): never {
  throw new OutputError(name, cause);
}
