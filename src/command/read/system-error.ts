/** What a user can do about errors of the system. Node's own text names the call that failed, and no remedy. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file: a name on the way to it is not that of a folder',
  EISDIR: 'it is a folder, not a file: name the files in it',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open',
};

/** What is wrong with files that are written. */
const SENTENCES_OF_OUTPUT: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist: a name on the way to it is not that of a folder',
  EISDIR: 'it is a folder, not a file',
};

/** A file that an option names cannot be used: the message names the file and the reason. */
export class FileError extends Error {
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
  }
}

/** Says why a file cannot be read or written; other errors keep their own text. */
export function sentenceOf(error: unknown, isOutput = false): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  const sentence = (isOutput ? SENTENCES_OF_OUTPUT[code] : undefined) ?? SENTENCES[code];
  if (sentence !== undefined) return sentence;
  // "ENOSPC: no space left on device, write '…'", without the call
  return syscall === undefined ? message : message.split(`, ${syscall}`)[0]!;
}

/** Names the file in errors of `work`. @throws {FileError} */
export function tried<T>(path: string, work: () => T, isOutput = false): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(path, sentenceOf(error, isOutput));
  }
}
