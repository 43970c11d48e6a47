import { writeSync } from 'node:fs';
import type { ByteOutput } from './byte-stream.ts';
import { waitForPipe } from './pipe.ts';

const FILE_DESCRIPTOR = 1;

/** Standard output, written synchronously. */
export class StandardOutput implements ByteOutput {
  /** @throws {Error} with the code `EPIPE` where the parent no longer reads */
  write(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(FILE_DESCRIPTOR, bytes, written);
      } catch (error) {
        waitForPipe(error);
      }
    }
  }
}
