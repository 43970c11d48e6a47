import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where open files keep their names: there they are removed at the end, and a killed process leaves them. */
const KEEPS_NAMES = process.platform === 'win32';

/** A file without a name, in the folder for temporary ones: it vanishes with the process, however that ends. */
export class TemporaryFile {
  readonly descriptor: number;
  readonly #path = join(tmpdir(), `urlsum-keys-${randomBytes(8).toString('hex')}`);

  constructor() {
    this.descriptor = openSync(this.#path, 'wx+', 0o600);
    if (!KEEPS_NAMES) rmSync(this.#path);
  }

  empty(): void {
    ftruncateSync(this.descriptor);
  }

  close(): void {
    closeSync(this.descriptor);
    if (KEEPS_NAMES) rmSync(this.#path);
  }
}
