import { closeSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { FileError, tried } from '../read/system-error.ts';
import { beforeEndingSignal } from '../write/open-output.ts';

/**
 * Keeps other runs off an index until this process ends, by a file next to it that names the process. The lock of a
 * process on this machine that was killed is taken over, by one run at a time: a second lock guards that, since a lock
 * that is only read and removed may be another run's by then.
 */
export class IndexLock {
  readonly #path: string;
  readonly #lock: string;
  readonly #own = holderText();

  /** @throws {FileError} */
  constructor(path: string) {
    this.#path = path;
    this.#lock = `${path}.lock`;
    const release = () => this.#release();
    // before the file exists: no signal is handled while this thread creates it
    const forgetSignals = beforeEndingSignal(release);
    try {
      tried(this.#lock, () => this.#acquire(), true);
    } catch (error) {
      forgetSignals(); // the lock is another run's
      throw error;
    }
    process.once('exit', release);
  }

  /** @throws {FileError} where somebody has removed the lock, so that other runs may have used the index */
  mustBeHeld(): void {
    if (textOf(this.#lock) === this.#own) return;
    throw new FileError(this.#path, 'its lock was removed during this run; it was not changed');
  }

  #release(): void {
    if (textOf(this.#lock) === this.#own) rmSync(this.#lock, { force: true });
  }

  #acquire(): void {
    if (this.#take(this.#lock)) return;
    if (!isGone(holderOf(this.#lock))) throw this.#refusal();
    const guard = `${this.#lock}.takeover`;
    if (!this.#take(guard)) throw this.#refusal(guard);
    try {
      if (isGone(holderOf(this.#lock))) rmSync(this.#lock, { force: true });
      if (!this.#take(this.#lock)) throw this.#refusal();
    } finally {
      rmSync(guard, { force: true });
    }
  }

  /** Returns false if another run has the lock. */
  #take(lock: string): boolean {
    const descriptor = created(lock);
    if (descriptor === undefined) return false;
    try {
      writeFileSync(descriptor, this.#own);
      return true;
    } catch (error) {
      rmSync(lock, { force: true }); // a full disk leaves an empty file
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Another run is using the index, or seems to be. */
  #refusal(lock = this.#lock): FileError {
    const holder = holderOf(lock);
    const name =
      holder === undefined ? 'another run' : `process ${holder.id} on ${holder.host}, started ${holder.startedAt},`;
    return new FileError(this.#path, `${name} is using it; if no run is, remove ${lock}`);
  }
}

/** Returns undefined if there is such a file. */
function created(path: string): number | undefined {
  try {
    return openSync(path, 'wx'); // O_CREAT and O_EXCL
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

interface Holder {
  readonly id: number;
  readonly host: string;
  /** For people, in ISO 8601. */
  readonly startedAt: string;
  /** The boot of the machine, the namespace of process numbers and the start, as `identityOf` returns them. */
  readonly identity: string;
}

function holderText(): string {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  return `${process.pid} ${hostname()} ${startedAt} ${identityOf(process.pid)}\n`;
}

/** Returns undefined if the file does not name the holder: it is being written, or was just removed. */
function holderOf(lock: string): Holder | undefined {
  const [, id, host, startedAt, identity] = /^(\d+) (.*) (\S+) (\S+)\n$/.exec(textOf(lock) ?? '') ?? [];
  return id === undefined ? undefined : { id: Number(id), host: host!, startedAt: startedAt!, identity: identity! };
}

/** Whether the holder has ended, which is known only of this machine. */
function isGone(holder: Holder | undefined): boolean {
  if (holder?.host !== hostname()) return false;
  const [boot, space, start] = holder.identity.split('/');
  const [ownBoot, ownSpace] = identityOf(process.pid).split('/');
  if (boot !== ownBoot) return boot !== UNKNOWN && ownBoot !== UNKNOWN;
  if (space !== ownSpace) return false; // another container, whose processes are not seen here
  if (!isRunning(holder.id)) return true;
  const found = identityOf(holder.id).split('/')[2];
  return found !== UNKNOWN && found !== start; // the number is another process's now
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
  const boot = textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? UNKNOWN;
  const stat = textOf(`/proc/${id}/stat`);
  const start = stat?.slice(stat.lastIndexOf(') ') + 2).split(' ')[START_FIELD] ?? UNKNOWN;
  return `${boot}/${namespaceOfProcesses()}/${start}`;
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D+/g, '');
  } catch {
    return UNKNOWN;
  }
}

/** Returns undefined if there is no such file. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
