import { mustBeBytes, mustBeString, wrongKind } from '../../core/argument.ts';
import { type AbortSource, onAbort, signalOf, timeLimit } from '../../core/lifetime.ts';
import { isLeftover, ReplacementFile, writeWholeLater } from '../../store/files.ts';
import { Lock, LockedError } from '../../store/lock.ts';
import { mustBePath, nodeModule } from '../../store/node-module.ts';
import type { ListStore } from './local-lists.ts';
import { MINUTE } from './remote-method.ts';

/** The time that an update may keep the store locked: one takes at most 32 requests of the option `timeoutMs`. */
const LOCK_AGE_MS = 10 * MINUTE;
const LOCK_PATIENCE_MS = 30_000;
const LOCK_PAUSE_MS = 100;

const LOCK = '.urlsum.lock';

/**
 * Keeps the lists of a `SafeBrowsingChecker` in a folder: a file per list, with its version, its times and a checksum,
 * that is replaced when the new one is whole and on the disk. Processes can share the folder: one updates at a time, and
 * the others take over what it fetched.
 *
 * @example
 * const store = new FileStore('lists');
 * await store.get('mw-4b'); //=> undefined
 */
export class FileStore implements ListStore {
  /** @internal */
  static readonly name = 'FileStore';
  /** The path of the folder. */
  readonly folder: string;

  /**
   * @param folder made, with those above it, by the first update
   * @throws {TypeError} on anything but a path or a `file:` URL, and where the runtime opens no files
   */
  constructor(folder: string | URL) {
    this.folder = pathOf(folder);
  }

  /**
   * The bytes of the file of a list, or undefined if there is none.
   *
   * @param name of the list
   * @throws where the file cannot be read
   */
  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      return await files().readFile(this.#file(name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Replaces the file of a list, once the new one is on the disk. If it fails, the old one stays.
   *
   * @param name of the list
   * @param bytes what the checker keeps
   * @throws where the file cannot be written
   */
  async set(name: string, bytes: Uint8Array): Promise<void> {
    mustBeBytes('bytes', bytes);
    makeFolder(this.folder);
    const file = new ReplacementFile(this.#file(name));
    try {
      await writeWholeLater(file.descriptor, bytes);
      await file.commit();
    } finally {
      file.discard();
    }
  }

  /**
   * Keeps other processes from updating the folder until the function is called that it settles with. It waits up to 30
   * seconds for another process. The lock of a process of this machine that has ended is void, and so is one of another
   * machine after ten minutes; in a folder that cannot be written to, there is nothing to lock.
   *
   * @param options a signal that ends the wait: the promise is rejected with its reason
   * @throws {Error} with the code `ELOCKED` where another process does not let go
   * @throws {TypeError} on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async lock(
    options: {
      /** Ends the wait. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): Promise<() => Promise<void>> {
    const signal = signalOf(options);
    for (let waited = 0; ; waited += LOCK_PAUSE_MS) {
      const lock = this.#tryLock();
      if (!(lock instanceof LockedError)) {
        await this.#removeLeftovers().catch(() => undefined); // the next update tries again
        return async () => released(lock);
      }
      if (waited >= LOCK_PATIENCE_MS) throw lock;
      await pause(LOCK_PAUSE_MS, signal);
    }
  }

  /** Returns undefined where no file can be written, and why the lock is another process's. */
  #tryLock(): Lock | LockedError | undefined {
    try {
      makeFolder(this.folder);
      return new Lock(this.#path(LOCK), LOCK_AGE_MS);
    } catch (error) {
      return error instanceof LockedError ? error : undefined;
    }
  }

  /** Removes what killed processes began to write. */
  async #removeLeftovers(): Promise<void> {
    const { readdir, rm, stat } = files();
    for (const name of await readdir(this.folder)) {
      if (!isLeftover(name)) continue;
      const path = this.#path(name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs > LOCK_AGE_MS) await rm(path, { force: true });
    }
  }

  /** A name may have slashes, as those of version 4 do. */
  #file(name: string): string {
    return this.#path(`${encodeURIComponent(mustBeString('name', name))}.list`);
  }

  #path(name: string): string {
    return nodeModule('node:path').join(this.folder, name);
  }
}

function files() {
  return nodeModule('node:fs', '; keep lists in a store of your own').promises;
}

function pathOf(folder: string | URL): string {
  const path = mustBePath('folder', folder);
  if (path !== '') return path;
  throw wrongKind('folder', 'a path or a file: URL', folder);
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

/** @throws the reason of the signal, when it aborts: nothing is waited for then */
async function pause(milliseconds: number, stop: AbortSource | undefined): Promise<void> {
  const { signal, end } = timeLimit(milliseconds, stop);
  await new Promise<void>((resolve) => onAbort(signal, resolve));
  end();
  if (stop?.aborted === true) throw stop.reason;
}

/**
 * Makes a folder and those above it. Node's `mkdir` with `recursive` never returns where the system says that the folder
 * above does not exist although it does, as Linux does in /proc.
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = nodeModule('node:path').dirname(path);
  if (above !== path) makeFolder(above);
  try {
    nodeModule('node:fs').mkdirSync(path);
  } catch (error) {
    if (!isFolder(path)) throw error; // another process may have made it
  }
}

function isFolder(path: string): boolean {
  return nodeModule('node:fs').statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A lock that cannot be removed is void when this process has ended. */
function released(lock: Lock | undefined): void {
  try {
    lock?.release();
  } catch {}
}
