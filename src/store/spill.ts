import { nodeModule } from './node-module.ts';
import { temporaryName } from './replace-file.ts';
import { readWhole, writeWhole } from './whole.ts';

/**
 * What does not fit in memory, in a file without a name: it loses it as soon as it is open, so that it vanishes with the
 * process, however that ends; only a SIGKILL in the 12 µs between leaves an empty file.
 */
export class SpillFile {
  readonly descriptor: number;
  readonly #path: string;
  #length = 0;

  constructor(folder: string = nodeModule('node:os').tmpdir()) {
    const { openSync, rmSync } = nodeModule('node:fs');
    this.#path = nodeModule('node:path').join(folder, temporaryName('run'));
    this.descriptor = openSync(this.#path, 'wx+', 0o600);
    if (!keepsNames()) rmSync(this.#path);
  }

  /** Writes bytes after those that were written. */
  append(bytes: Uint8Array): void {
    writeWhole(this.descriptor, bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Fills `into` from `position` on. @returns the number of bytes read, less than its length only at the end */
  read(into: Uint8Array, position: number): number {
    return readWhole(this.descriptor, into, position);
  }

  empty(): void {
    nodeModule('node:fs').ftruncateSync(this.descriptor);
    this.#length = 0;
  }

  close(): void {
    const { closeSync, rmSync } = nodeModule('node:fs');
    closeSync(this.descriptor);
    if (keepsNames()) rmSync(this.#path);
  }
}

/** Whether open files keep their names: then they are removed at the end, and a killed process leaves them. */
function keepsNames(): boolean {
  return process.platform === 'win32';
}
