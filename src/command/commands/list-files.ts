import { readFileSync, statSync } from 'node:fs';
import { type HeldList, heldList, isHeldList } from '../../service/check/held-list.ts';
import { HashList, widthProblem } from '../../service/lists/hash-list.ts';
import { ListError } from '../../service/lists/sorted-prefixes.ts';
import { MAX_SHRINK, shrinkProblem } from '../../service/lists/update.ts';
import { fileFault, tried, usageFault } from '../fault.ts';
import type { OptionFile } from '../read/inputs.ts';
import { writeWholeFile } from '../write/output.ts';

/** A list, and its times if a checker keeps it. */
export type Described = { readonly list: HashList } & Partial<HeldList>;

/** Opens a list, or one that a checker keeps, also from standard input under the name '-'. @throws {Fault} */
export function openList(file: OptionFile): Described {
  const { path } = file;
  return tried(path, () => {
    const bytes = file.bytes();
    try {
      return isHeldList(bytes) ? heldList(bytes) : { list: HashList.fromBytes(bytes) };
    } catch (error) {
      if (!(error instanceof ListError) || error.reason !== 'not-a-list') throw error;
      throw new Error(`it is not a list; 'urlsum list build --out LIST ${path}' makes one of its lines`);
    }
  });
}

/**
 * Opens lists that are used together.
 *
 * @throws {Fault} where their profiles or Public Suffix Lists differ, or two of them are standard input
 */
export function openLists(files: readonly OptionFile[]): HashList[] {
  mustNameInputOnce(files.map(({ path }) => path));
  const lists = files.map((file) => openList(file).list);
  const edition = editionFor(lists);
  for (const [at, { profile, suffixList = edition }] of lists.entries()) {
    const { path } = files[at]!;
    if (profile !== lists[0]!.profile)
      throw fileFault(path, `its profile is ${profile}; the first list has ${lists[0]!.profile}`);
    if (suffixList !== edition)
      throw fileFault(path, `it was built with the Public Suffix List ${suffixList}, another list with ${edition}`);
  }
  return lists;
}

/** Standard input can be read only once. @throws {Fault} where it is named twice */
export function mustNameInputOnce(paths: readonly string[]): void {
  if (paths.indexOf('-') === paths.lastIndexOf('-')) return;
  throw usageFault('standard input, -, can be read only once, but is named twice');
}

/** Returns the edition of the Public Suffix List that lists are for, or undefined if each is for any edition. */
export function editionFor(lists: readonly HashList[]): string | undefined {
  return lists.find(({ suffixList }) => suffixList !== undefined)?.suffixList;
}

/** @throws {Fault} where a list of that name has prefixes of another width than one of these */
export function mustBeNamedFor(name: string, widths: readonly number[]): void {
  const problem = widthProblem(name, widths);
  if (problem !== undefined) throw usageFault(`--name ${name} ${problem}`);
}

interface Allowed {
  readonly allowEmpty: boolean;
  readonly allowShrink: boolean;
}

/**
 * A download that failed, or a file that was cut, must not take a good list away.
 *
 * @param older the list that this one is made of, if it is of one, besides the one in the file that it replaces
 * @throws {Fault} where the list is empty or has lost too much, and no flag allows that
 */
export function mustBeGoodList({ size }: HashList, out: string, allowed: Allowed, older?: HashList): void {
  if (size === 0) {
    if (allowed.allowEmpty) return;
    throw fileFault(out, 'no list is written: it would have no entries (--allow-empty)');
  }
  if (allowed.allowShrink) return;
  const before = Math.max(older?.size ?? 0, sizeAt(out));
  const problem = shrinkProblem(size, before, MAX_SHRINK);
  if (problem !== undefined) throw fileFault(out, `no list is written: ${problem} (--allow-shrink)`);
}

export async function writeList(out: string, list: HashList, allowed: Allowed, older?: HashList): Promise<void> {
  mustBeGoodList(list, out, allowed, older);
  await writeWholeFile(out, [list.toBytes()]);
}

/** Returns the size of the list in a file, 0 where there is none. */
function sizeAt(path: string): number {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 0;
  try {
    return HashList.fromBytes(readFileSync(path)).size;
  } catch {
    return 0; // what it would replace is not a list
  }
}
