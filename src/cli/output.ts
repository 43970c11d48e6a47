/** Standard output, with backpressure. A closed pipe is not an error: the reader has had enough. */
export class Output {
  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    });
  }

  /** Settles when the bytes have left the process, so they may be written over. @throws the error of the write */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(new OutputError(error)) : resolve()));
    });
  }
}

/** Standard output cannot be written: a full disk, say. It ends the run, unlike an input that cannot be read. */
export class OutputError extends Error {
  constructor(cause: Error) {
    super(`standard output: ${cause.message}`, { cause });
  }
}
