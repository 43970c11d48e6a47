import { sentenceOf } from '../input/system-error.ts';

/** What `--against` names cannot be read, or is not a file of ascending words. */
export class WordFileError extends Error {
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
  }
}

/** Names the file in what goes wrong with it. @throws {WordFileError} */
export function tried<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new WordFileError(path, sentenceOf(error));
  }
}
