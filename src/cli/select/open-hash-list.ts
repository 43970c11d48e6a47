import { readFileSync } from 'node:fs';
import { HashList } from '../../safe-browsing/lists/hash-list.ts';

/** A list that cannot be used: its file, and why. */
export class HashListFileError extends Error {
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.name = 'HashListFileError';
  }
}

/** What `work` does with a file; what it throws names the file. @throws {HashListFileError} */
export function ofFile<T>(path: string, work: (bytes: Uint8Array) => T): T {
  try {
    return work(readFileSync(path));
  } catch (error) {
    throw new HashListFileError(path, (error as Error).message);
  }
}

/** @throws {HashListFileError} */
export function openHashList(path: string): HashList {
  return ofFile(path, (bytes) => HashList.fromBytes(bytes));
}

/** Lists that are used together. @throws {HashListFileError} where they are of different profiles */
export function openHashLists(paths: readonly string[]): HashList[] {
  const lists = paths.map(openHashList);
  const [first] = lists;
  for (const [at, { profile }] of lists.entries()) {
    if (profile !== first!.profile)
      throw new HashListFileError(paths[at]!, `its profile is ${profile}, that of the first ${first!.profile}`);
  }
  return lists;
}
