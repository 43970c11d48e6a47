import { HashList } from '../../safe-browsing/lists/hash-list.ts';
import { sentenceOf } from '../input/system-error.ts';
import { wholeInput } from '../input/whole-input.ts';

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
    return work(wholeInput(path));
  } catch (error) {
    throw new HashListFileError(path, sentenceOf(error));
  }
}

/** @throws {HashListFileError} */
export function openHashList(path: string): HashList {
  return ofFile(path, (bytes) => HashList.fromBytes(bytes));
}

/** Lists that are used together. @throws {HashListFileError} where their profiles or Public Suffix Lists differ */
export function openHashLists(paths: readonly string[]): HashList[] {
  const lists = paths.map(openHashList);
  const profile = lists[0]?.profile;
  const edition = editionFor(lists);
  for (const [at, list] of lists.entries()) {
    if (list.profile !== profile)
      throw new HashListFileError(paths[at]!, `its profile is ${list.profile}, that of the first ${profile}`);
    if (list.suffixList !== undefined && list.suffixList !== edition)
      throw new HashListFileError(
        paths[at]!,
        `it is for the Public Suffix List ${list.suffixList}, another list for ${edition}`,
      );
  }
  return lists;
}

/** The edition of the Public Suffix List that lists are for; undefined where each is for any. */
export function editionFor(lists: readonly HashList[]): string | undefined {
  return lists.find(({ suffixList }) => suffixList !== undefined)?.suffixList;
}
