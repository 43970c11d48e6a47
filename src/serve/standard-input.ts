import { readSync } from 'node:fs';
import type { ByteInput } from './byte-stream.ts';
import { waitForPipe } from './pipe.ts';

const FILE_DESCRIPTOR = 0;

/** Standard input, read synchronously: nothing else happens until a request is complete. */
export class StandardInput implements ByteInput {
  read(target: Uint8Array): number {
    for (;;) {
      try {
        return readSync(FILE_DESCRIPTOR, target);
      } catch (error) {
        if (isEnd(error)) return 0;
        waitForPipe(error);
      }
    }
  }
}

/** Windows reports the end of a pipe as an error. */
function isEnd(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EOF';
}
