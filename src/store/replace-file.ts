import { nodeModule } from './node-module.ts';

/** Of a mode, what chmod(1) calls the permissions: not setuid, setgid and the sticky bit. */
const PERMISSIONS = 0o777;

/** Returns a path in the folder of `target` for a file that takes its place. */
export function pathBeside(target: string): string {
  const { dirname, join } = nodeModule('node:path');
  return join(dirname(target), temporaryName('tmp')); // the target's own name may be as long as names can be
}

/** Returns a name that no other file has. `ending` says what for: `run` is read again, `tmp` gets another name. */
export function temporaryName(ending: 'run' | 'tmp'): string {
  return `.urlsum-${nodeModule('node:crypto').randomBytes(6).toString('hex')}.${ending}`;
}

/**
 * A file that takes the place of another when it is whole and on the disk, or not at all: until then it has another name
 * in the same folder. It gets the permissions of the file that it replaces.
 */
export class ReplacementFile {
  /** Open for writing. */
  readonly descriptor: number;
  readonly #target: string;
  readonly #temporary: string;
  #isOpen = true;

  /**
   * @param target not a link: that would be replaced, not what it leads to
   * @param temporary the name until then
   * @param like the file whose permissions it gets
   * @param isThere whether somebody else has written the file under its temporary name
   * @throws what opening it throws
   */
  constructor(target: string, temporary = pathBeside(target), like = target, isThere = false) {
    this.#target = target;
    this.#temporary = temporary;
    this.descriptor = openedLike(temporary, like, isThere ? 'r+' : 'wx');
  }

  /** Puts the file on the disk and in its place. The caller calls `discard` where it throws. */
  async commit(): Promise<void> {
    const { fsync } = nodeModule('node:fs');
    const { promisify } = nodeModule('node:util');
    await promisify(fsync)(this.descriptor);
    this.#takePlace();
  }

  /** The same, and nothing else happens meanwhile. */
  commitSync(): void {
    nodeModule('node:fs').fsyncSync(this.descriptor);
    this.#takePlace();
  }

  /** Removes the file, unless it is in its place. It may be called more than once. */
  discard(): void {
    this.#close();
    nodeModule('node:fs').rmSync(this.#temporary, { force: true });
  }

  #takePlace(): void {
    this.#close();
    nodeModule('node:fs').renameSync(this.#temporary, this.#target);
    syncFolderOf(this.#target);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    nodeModule('node:fs').closeSync(this.descriptor);
  }
}

/** Opens or creates a file, and gives it the permissions of another. */
function openedLike(path: string, like: string, flags: 'wx' | 'r+'): number {
  const { fchmodSync, fstatSync, openSync, statSync } = nodeModule('node:fs');
  const known = statSync(like, { throwIfNoEntry: false });
  if (known === undefined) return openSync(path, flags);
  const mode = known.mode & PERMISSIONS;
  const descriptor = openSync(path, flags, mode);
  const found = fstatSync(descriptor);
  // the umask has restricted the mode: the owner may lift that, but another user's file gives away nothing of ours
  if (found.uid === known.uid && (found.mode & PERMISSIONS) !== mode) fchmodSync(descriptor, mode);
  return descriptor;
}

/** Makes a folder with the permissions of a file, which whoever may read it may search; one that is there stays. */
export function makeFolderLike(path: string, like: string): void {
  const { chmodSync, existsSync, mkdirSync, statSync } = nodeModule('node:fs');
  if (existsSync(path)) return;
  const known = statSync(like);
  const mode = (known.mode & PERMISSIONS) | ((known.mode & 0o444) >> 2);
  mkdirSync(path, mode);
  const found = statSync(path);
  if (found.uid === known.uid && (found.mode & PERMISSIONS) !== mode) chmodSync(path, mode);
}

/** The name is on the disk when its folder is; where folders cannot be synced, that is left to the system. */
function syncFolderOf(path: string): void {
  const { closeSync, fsyncSync, openSync } = nodeModule('node:fs');
  try {
    const folder = openSync(nodeModule('node:path').dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows opens no folder, and some file systems sync none
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `clean` before one of these signals ends the process. Returns a function that undoes this. */
export function beforeEndingSignal(clean: () => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    clean();
    process.kill(process.pid, signal); // now without this listener, so that the exit status names the signal
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return forget;
}
