import { nodeModule } from './node-module.ts';

/** A lock that another run has, or seems to have. */
export class LockedError extends Error {
  readonly code = 'ELOCKED';

  /** @param path of the lock, which a person may remove if its run ended where nobody saw it */
  constructor(path: string, holder: Holder | undefined) {
    const name =
      holder === undefined ? 'another run' : `process ${holder.id} on ${holder.host}, started ${holder.startedAt},`;
    super(`${name} is using it; if no run is, remove ${path}`);
  }
}

/**
 * A lock that all processes and machines see: a file that names the process that made it. The lock of a process of this
 * machine that was killed is taken over, by one run at a time: a second lock guards that, since a lock that is only
 * read and removed may be another run's by then.
 */
export class Lock {
  readonly #path: string;
  readonly #unseenMs: number;
  readonly #own = holderText();

  /**
   * Takes the lock now, or fails.
   *
   * @param unseenMs the age at which the lock of a process is void that is not seen from here: one on another machine
   *   or
   * in another container. Default: it never is.
   * @throws {LockedError} where another run has the lock
   * @throws {Error} that of the system, where the file cannot be made
   */
  constructor(path: string, unseenMs = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#unseenMs = unseenMs;
    if (this.#isMade(path)) return;
    if (!this.#isVoid() && !isLeftUnwritten(path)) throw refusal(path);
    this.#takeOver();
  }

  /** False where somebody removed the lock, so that other runs may have used what it is for. */
  isHeld(): boolean {
    return this.#isOwn(this.#path);
  }

  #isOwn(path: string): boolean {
    return textOf(path) === this.#own;
  }

  /** Leaves a lock that is another run's by now. */
  release(): void {
    if (this.isHeld()) remove(this.#path);
  }

  #takeOver(): void {
    const guard = `${this.#path}.takeover`;
    if (!this.#isMade(guard)) {
      const error = refusal(guard);
      if (stateOf(holderOf(guard)) !== 'running' && this.#isOld(guard)) remove(guard); // the next attempt makes it
      throw error;
    }
    try {
      if (this.#isVoid() || isUnwritten(this.#path)) remove(this.#path);
      if (!this.#isMade(this.#path)) throw refusal(this.#path);
    } finally {
      remove(guard);
    }
  }

  #isVoid(): boolean {
    const state = stateOf(holderOf(this.#path));
    return state === 'ended' || (state === 'unseen' && this.#isOld(this.#path));
  }

  #isOld(path: string): boolean {
    const found = nodeModule('node:fs').statSync(path, { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > this.#unseenMs;
  }

  /** Returns false if there is such a file: it is another run's. */
  #isMade(path: string): boolean {
    const { closeSync, openSync, writeFileSync } = nodeModule('node:fs');
    let descriptor: number;
    try {
      descriptor = openSync(path, 'wx'); // O_CREAT and O_EXCL
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    try {
      writeFileSync(descriptor, this.#own);
      return this.#isOwn(path); // not where this process stood still before it, and another took the file over
    } catch (error) {
      remove(path); // a full disk leaves an empty file
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The time that a lock may lack its line: that is written when the file is made, some microseconds later. */
const UNWRITTEN_MS = 1000;
const PAUSE_MS = 20;

/**
 * Whether a lock's writer was killed before its line was whole. One that only stood still finds that it has lost it.
 */
function isLeftUnwritten(path: string): boolean {
  for (let waited = 0; isUnwritten(path); waited += PAUSE_MS) {
    if (waited >= UNWRITTEN_MS) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return false;
}

function isUnwritten(path: string): boolean {
  return textOf(path)?.endsWith('\n') === false;
}

function refusal(path: string): LockedError {
  return new LockedError(path, holderOf(path));
}

function remove(path: string): void {
  nodeModule('node:fs').rmSync(path, { force: true });
}

interface Holder {
  readonly id: number;
  readonly host: string;
  /** ISO 8601; only shown in messages. */
  readonly startedAt: string;
  readonly identity: string;
}

/** A number at the end tells the locks of one process from each other. */
function holderText(): string {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const mark = nodeModule('node:crypto').randomBytes(4).toString('hex');
  return `${process.pid} ${nodeModule('node:os').hostname()} ${startedAt} ${identityOf(process.pid)}/${mark}\n`;
}

/** Returns undefined if the file does not name the holder: it is being written, or was just removed. */
function holderOf(lock: string): Holder | undefined {
  const [, id, host, startedAt, identity] = /^(\d+) (.*) (\S+) (\S+)\n$/.exec(textOf(lock) ?? '') ?? [];
  return id === undefined ? undefined : { id: Number(id), host: host!, startedAt: startedAt!, identity: identity! };
}

/** Finds out what has become of a holder. Processes of other machines and containers are not seen from here. */
function stateOf(holder: Holder | undefined): 'running' | 'ended' | 'unseen' {
  if (holder?.host !== nodeModule('node:os').hostname()) return 'unseen';
  const [boot, space, start] = holder.identity.split('/');
  const [ownBoot, ownSpace] = identityOf(process.pid).split('/');
  if (boot !== ownBoot) return boot === UNKNOWN || ownBoot === UNKNOWN ? 'unseen' : 'ended';
  if (space !== ownSpace) return 'unseen';
  if (!isRunning(holder.id)) return 'ended';
  const found = identityOf(holder.id).split('/')[2];
  if (found === UNKNOWN) return 'unseen'; // the number may be another process's now
  return found === start ? 'running' : 'ended';
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const UNKNOWN = '-';

/** The place of `starttime` among the fields after the name of the program (proc_pid_stat(5), field 22). */
const START_FIELD = 19;

/**
 * Returns what tells a process from all others that have its number: the boot, the namespace of process numbers of this
 * process, and when the other started, in ticks since the boot. Without /proc these are unknown.
 */
function identityOf(id: number): string {
  const { readlinkSync } = nodeModule('node:fs');
  const boot = fact(() => textOf('/proc/sys/kernel/random/boot_id')?.trim());
  const space = fact(() => readlinkSync('/proc/self/ns/pid').replace(/\D+/g, ''));
  const start = fact(() => {
    const stat = textOf(`/proc/${id}/stat`);
    return stat?.slice(stat.lastIndexOf(') ') + 2).split(' ')[START_FIELD];
  });
  return `${boot}/${space}/${start}`;
}

/** A system may have no such file, or, as Deno does, not let it be read. */
function fact(read: () => string | undefined): string {
  try {
    return read() ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** Returns undefined if there is no such file. */
function textOf(path: string): string | undefined {
  try {
    return nodeModule('node:fs').readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
