import { writeFile } from 'node:fs';
import { promisify } from 'node:util';
import { fail, type Output, OutputError } from './output.ts';

export const STANDARD_OUTPUT = 1;

const writeAll = promisify(writeFile);

/** Standard output that the shell has opened on a file: process.stdout would stop this thread for each write. */
export class StandardFile implements Output {
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
