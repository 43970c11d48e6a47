/** Where the data go. */
export interface Output {
  /** Settles when the bytes have left the process, so they may be written over. @throws {OutputError} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it: `isWhole` says that nothing is missing. @throws {OutputError} */
  end(isWhole: boolean): Promise<void>;
}

/** Standard output, or with a path a file that appears under its name when it is whole. @throws {OutputError} */
export async function openOutput(path: string | undefined): Promise<Output> {
  return path === undefined ? new StandardOutput() : (await import('./file-output.ts')).openFileOutput(path);
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
