/**
 * The kind of a fault says what it ends. A `usage` is a wrong call, which is answered with a pointer to the help; the rest
 * of an `input` is not read, but the other inputs are; an `output` that cannot be written, a `file` that an option names
 * and a `request` of an engine end the run. The exit status is 2.
 */
type FaultKind = 'usage' | 'input' | 'output' | 'file' | 'request';

/** An error that a run tells its user in a line, without a stack. */
export class Fault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, { cause }: { cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

export function isFault(error: unknown, kind: FaultKind): error is Fault {
  return error instanceof Fault && error.kind === kind;
}

export function usageFault(message: string): Fault {
  return new Fault('usage', message);
}

/** Returns what `work` returns; errors of one class that it throws become faults of usage. */
export function usageFaultsFrom<T>(wrong: abstract new (...args: never[]) => Error, work: () => T, prefix = ''): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof wrong ? usageFault(prefix + error.message) : error;
  }
}

/** Makes the fault of `serve`: an option is wrong, a request cannot be answered, or this Node cannot hash. */
export function requestFault(message: string): Fault {
  return new Fault('request', message);
}

/** Makes the fault of a file that an option names and that cannot be used. */
export function fileFault(path: string, reason: string): Fault {
  return new Fault('file', `${path}: ${reason}`);
}

/** Makes the fault of an output that cannot be written, as on a full disk. */
export function outputFault(name: string, cause: unknown): Fault {
  return new Fault('output', `${name}: ${reasonOf(cause, true)}`, { cause });
}

/** Names the file in errors of `work`. @throws {Fault} */
export function tried<T>(path: string, work: () => T, isOutput = false): T {
  try {
    return work();
  } catch (error) {
    throw isFault(error, 'file') ? error : fileFault(path, reasonOf(error, isOutput));
  }
}

/** Says why a file cannot be read or written; other errors keep their own text. */
export function reasonOf(error: unknown, isOutput = false): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  const reason = (isOutput ? OUTPUT_REASONS[code] : undefined) ?? REASONS[code];
  if (reason !== undefined) return reason;
  // "ENOSPC: no space left on device, write '…'", without the call
  return syscall === undefined ? message : message.split(`, ${syscall}`)[0]!;
}

/** Reasons for errors of the system, by their codes. Node's own text names the call that failed, and no remedy. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file: a name on the way to it is not that of a folder',
  EISDIR: 'it is a folder, not a file: name the files in it',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open',
};

/** Reasons for errors of files that are written. */
const OUTPUT_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist: a name on the way to it is not that of a folder',
  EISDIR: 'it is a folder, not a file',
};
