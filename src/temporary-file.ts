import { nodeModule } from './node-module.ts';

/** A file without a name, in the folder for temporary files: it vanishes with the process, however that ends. */
export class TemporaryFile {
  readonly descriptor: number;
  readonly #path = temporaryPath();

  constructor() {
    const { openSync, rmSync } = nodeModule('node:fs');
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

function temporaryPath(): string {
  const name = `urlsum-keys-${nodeModule('node:crypto').randomBytes(8).toString('hex')}`;
  return nodeModule('node:path').join(nodeModule('node:os').tmpdir(), name);
}
