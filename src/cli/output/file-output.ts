import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, type Output } from './output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Opens the output of `--out`. What is no plain file (a pipe, a device) cannot be replaced and is written
 * to as it stands.
 *
 * @throws {OutputError} where it cannot be opened
 */
export async function openFileOutput(path: string): Promise<Output> {
  try {
    const target = await realpath(path).catch(() => path); // behind a symbolic link: the link stays
    const known = await stat(target).catch(() => undefined);
    if (known !== undefined && !known.isFile()) return new DirectOutput(path, await open(target, 'w'));
    const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    const file = await open(temporary, 'wx', known?.mode);
    return new FileOutput(path, target, temporary, file);
  } catch (error) {
    fail(path, error);
  }
}

class DirectOutput implements Output {
  readonly #name: string;
  readonly #file: FileHandle;

  constructor(name: string, file: FileHandle) {
    this.#name = name;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.writeFile(bytes).catch((error) => fail(this.#name, error));
  }

  async end(): Promise<void> {
    await this.#file.close().catch((error) => fail(this.#name, error));
  }
}

/** Written beside its final name, and renamed to that when it is whole and on the disk; else it vanishes. */
class FileOutput implements Output {
  readonly #name: string;
  readonly #target: string;
  readonly #temporary: string;
  readonly #file: FileHandle;
  readonly #stop = (signal: NodeJS.Signals): void => {
    rmSync(this.#temporary, { force: true }); // it may just have been renamed
    this.#ignoreSignals();
    process.kill(process.pid, signal); // now without a listener: the status says which signal it was
  };

  constructor(name: string, target: string, temporary: string, file: FileHandle) {
    this.#name = name;
    this.#target = target;
    this.#temporary = temporary;
    this.#file = file;
    for (const signal of SIGNALS) process.on(signal, this.#stop);
  }

  // writeFile writes at the file's position, and again where the system wrote less than it was given
  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.writeFile(bytes).catch((error) => fail(this.#name, error));
  }

  async end(isWhole: boolean): Promise<void> {
    try {
      if (isWhole) await this.#file.sync();
      await this.#file.close();
      await (isWhole ? this.#commit() : unlink(this.#temporary));
    } catch (error) {
      fail(this.#name, error);
    } finally {
      this.#ignoreSignals();
    }
  }

  /** The name is on the disk when its folder is; where folders cannot be synced, the system sees to it. */
  async #commit(): Promise<void> {
    await rename(this.#temporary, this.#target);
    const folder = await open(dirname(this.#target)).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  #ignoreSignals(): void {
    for (const signal of SIGNALS) process.off(signal, this.#stop);
  }
}
