import { ListError } from '../../service/lists/error.ts';
import { HashList } from '../../service/lists/hash-list.ts';
import { fileFault, tried, usageFault } from '../fault.ts';
import { wholeInput } from '../read/inputs.ts';

/** Standard input can be read only once. @throws {Fault} where it is named twice */
export function mustNameInputOnce(paths: readonly string[]): void {
  if (paths.indexOf('-') === paths.lastIndexOf('-')) return;
  throw usageFault('standard input, -, can be read only once, but is named twice');
}

/** Opens the list in a file, or in standard input under the name '-'. @throws {Fault} */
export function openHashList(path: string): HashList {
  return tried(path, () => listIn(wholeInput(path), path));
}

/** @throws where the bytes are not a list */
export function listIn(bytes: Uint8Array, path: string): HashList {
  try {
    return HashList.fromBytes(bytes);
  } catch (error) {
    if (!(error instanceof ListError) || error.reason !== 'not-a-list') throw error;
    throw new Error(`it is not a list; 'urlsum list build --out LIST ${path}' makes one of its lines`);
  }
}

/**
 * Opens lists that are used together.
 *
 * @throws {Fault} where their profiles or Public Suffix Lists differ
 * @throws {Fault} where two of them are standard input
 */
export function openHashLists(paths: readonly string[]): HashList[] {
  mustNameInputOnce(paths);
  const lists = paths.map(openHashList);
  const profile = lists[0]?.profile;
  const edition = editionFor(lists);
  for (const [at, list] of lists.entries()) {
    if (list.profile !== profile)
      throw fileFault(paths[at]!, `its profile is ${list.profile}; the first list has ${profile}`);
    if (list.suffixList !== undefined && list.suffixList !== edition)
      throw fileFault(
        paths[at]!,
        `it was built with the Public Suffix List ${list.suffixList}, another list with ${edition}`,
      );
  }
  return lists;
}

/** Returns the edition of the Public Suffix List that lists are for, or undefined if each is for any edition. */
export function editionFor(lists: readonly HashList[]): string | undefined {
  return lists.find(({ suffixList }) => suffixList !== undefined)?.suffixList;
}
