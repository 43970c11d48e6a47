import { sentenceOf } from '../input/system-error.ts';

/** Where the data go. */
export interface Output {
  /** Settles when the bytes may be written over. @throws {OutputError} */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it: `isWhole` says that nothing is missing. @throws {OutputError} */
  end(isWhole: boolean): Promise<void>;
}

/** The output cannot be written: a full disk, say. It ends the run, unlike an input that cannot be read. */
export class OutputError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${sentenceOf(cause)}`, { cause });
  }
}

export function fail(name: string, cause: unknown): never {
  throw new OutputError(name, cause);
}
