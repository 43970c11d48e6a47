import { randomBytes } from 'node:crypto';
import { close, fchmodSync, fstatSync, fsync, openSync, rmSync, type Stats } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEndingSignal } from './ending-signals.ts';
import { targetOf } from './link-target.ts';
import { fail, type Output, OutputInPlace } from './output.ts';
import { openStandardOutput, STANDARD_OUTPUT } from './standard-output.ts';

/** Standard output, also by the name '-', or a file that appears when it is whole. @throws {OutputError} */
export async function openOutput(path = '-'): Promise<Output> {
  return path === '-' ? openStandardOutput() : openFileOutput(path);
}

const sync = promisify(fsync);
const closed = promisify(close);

/**
 * Opens the output of `--out`. What is not a plain file (a pipe, a device, an open descriptor) cannot be replaced and
 * is written to in place.
 *
 * @throws {OutputError} where it cannot be opened
 */
async function openFileOutput(path: string): Promise<Output> {
  if (path === '') fail('--out', 'the name of a file cannot be empty');
  if (path.endsWith('/')) fail(path, 'it names a folder');
  try {
    const target = targetOf(path);
    if ('path' in target) return await openPath(path, target.path);
    if (target.descriptor === STANDARD_OUTPUT) return openStandardOutput();
    return new OutputInPlace(path, target.descriptor);
  } catch (error) {
    fail(path, error);
  }
}

async function openPath(name: string, target: string): Promise<Output> {
  const known = await stat(target).catch(() => undefined); // opening it throws the reason
  if (known !== undefined && !known.isFile()) {
    const file = await open(target, 'w'); // of a pipe, when its reader has
    return new OutputInPlace(name, file.fd, file);
  }
  return new FileOutput(name, target, known);
}

/** Written beside its final name, and renamed to that when it is whole and on the disk; otherwise removed. */
class FileOutput implements Output {
  readonly #name: string;
  readonly #output: OutputInPlace;
  readonly #target: string;
  readonly #temporary: string;
  readonly #descriptor: number;
  readonly #forgetSignals: () => void;

  /** Listens for signals before the file exists: none is acted upon while this thread opens it. */
  constructor(name: string, target: string, known: Stats | undefined) {
    this.#name = name;
    this.#target = target;
    // not the target's name with an addition: that name may be as long as names can be
    this.#temporary = join(dirname(target), `.urlsum-${randomBytes(6).toString('hex')}.tmp`);
    this.#forgetSignals = beforeEndingSignal(() => rmSync(this.#temporary, { force: true }));
    try {
      this.#descriptor = openLike(this.#temporary, known);
      this.#output = new OutputInPlace(name, this.#descriptor);
    } catch (error) {
      this.#cleanUp();
      throw error;
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#output.write(bytes);
  }

  async end(isWhole: boolean): Promise<void> {
    try {
      if (isWhole) await sync(this.#descriptor);
      await closed(this.#descriptor);
      if (isWhole) await this.#commit();
    } catch (error) {
      fail(this.#name, error);
    } finally {
      this.#cleanUp();
    }
  }

  /** The name is on the disk when its folder is; where folders cannot be synced, that is left to the system. */
  async #commit(): Promise<void> {
    await rename(this.#temporary, this.#target);
    const folder = await open(dirname(this.#target)).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  /** Leaves nothing beside the target; a file that has its final name stays. */
  #cleanUp(): void {
    rmSync(this.#temporary, { force: true });
    this.#forgetSignals();
  }
}

/** A new file with the mode of the one it replaces; the umask takes away from the mode that open is given. */
function openLike(path: string, known: Stats | undefined): number {
  const descriptor = openSync(path, 'wx', known?.mode);
  if (known !== undefined && fstatSync(descriptor).mode !== known.mode) fchmodSync(descriptor, known.mode & 0o7777);
  return descriptor;
}
