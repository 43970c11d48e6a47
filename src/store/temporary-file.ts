import { nodeModule } from './node-module.ts';

/**
 * A file without a name: it loses it as soon as it is open, so that it vanishes with the process, however that ends; only
 * a SIGKILL in the 12 µs between leaves an empty file.
 */
export class TemporaryFile {
  readonly descriptor: number;
  readonly #path: string;

  constructor(folder: string = nodeModule('node:os').tmpdir()) {
    const { openSync, rmSync } = nodeModule('node:fs');
    this.#path = nodeModule('node:path').join(folder, temporaryName('run'));
    this.descriptor = openSync(this.#path, 'wx+', 0o600);
    if (!keepsNames()) rmSync(this.#path);
  }

  empty(): void {
    nodeModule('node:fs').ftruncateSync(this.descriptor);
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

/** Returns a name that no other file has. `ending` says what for: `run` is read again, `tmp` gets another name. */
export function temporaryName(ending: 'run' | 'tmp'): string {
  return `.urlsum-${nodeModule('node:crypto').randomBytes(6).toString('hex')}.${ending}`;
}
