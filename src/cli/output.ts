import { once } from 'node:events';

/** Standard output, with backpressure. A closed pipe is not an error: the reader has had enough. */
export class Output {
  #failure: NodeJS.ErrnoException | undefined;

  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      this.#failure = error;
    });
  }

  /** @throws the error of the write, or of one before it */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0 && !process.stdout.write(bytes)) await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits until everything written has left the process. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    if (this.#failure !== undefined) throw this.#failure;
  }
}
