import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { FileError, tried } from '../input/system-error.ts';
import { beforeEndingSignal } from '../output/open-output.ts';

/**
 * Keeps other runs off an index until this process ends, by a file next to it that names the process. The lock of a
 * process on this machine that was killed is taken over.
 *
 * @throws {FileError}
 */
export function lockIndex(path: string): void {
  const lock = `${path}.lock`;
  const release = () => rmSync(lock, { force: true });
  // before the file exists: no signal is handled while this thread creates it
  const forgetSignals = beforeEndingSignal(release);
  try {
    tried(lock, () => takeOver(path, lock), true);
  } catch (error) {
    forgetSignals(); // the lock is another run's
    throw error;
  }
  process.once('exit', release);
}

/** @throws {FileError} */
function takeOver(path: string, lock: string): void {
  if (take(lock)) return;
  const holder = holderOf(lock);
  if (holder === undefined || !isGone(holder)) throw locked(path, lock, holder);
  rmSync(lock, { force: true });
  if (!take(lock)) throw locked(path, lock, holderOf(lock));
}

/** Returns false if another run has the lock. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    rmSync(lock, { force: true }); // a full disk leaves an empty file
    throw error;
  }
}

interface Holder {
  readonly process: number;
  readonly host: string;
}

/** Returns undefined if the file does not name the holder: it is being written, or was just removed. */
function holderOf(lock: string): Holder | undefined {
  const content = existsSync(lock) ? readFileSync(lock, 'utf8') : '';
  const [, process, host] = /^(\d+) (.*)\n$/.exec(content) ?? [];
  return process === undefined ? undefined : { process: Number(process), host: host! };
}

/** Whether the holder has ended, which is known only of this machine. */
function isGone({ process: id, host }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Another run is using the index, or seems to be. */
function locked(path: string, lock: string, holder: Holder | undefined): FileError {
  const name = holder === undefined ? 'another run' : `process ${holder.process} on ${holder.host}`;
  return new FileError(path, `${name} is using it; if no run is, remove ${lock}`);
}
