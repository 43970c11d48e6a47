import { readFileSync, statSync } from 'node:fs';
import { HashList } from '../../service/lists/hash-list.ts';
import { ListError } from '../../service/lists/sorted-prefixes.ts';
import { MAX_SHRINK, shrinkProblem } from '../../service/lists/update.ts';
import { HASH_BYTES, SHORTEST_PREFIX } from '../../specs/safe-browsing/expressions.ts';
import type { Profile } from '../../specs/safe-browsing/host.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import { BUNDLED_LIST, SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { group, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { fileFault, reasonOf, tried, usageFault } from '../fault.ts';
import { wholeInput } from '../read/inputs.ts';
import type { Facts } from '../work/work.ts';

/** The specifications of Safe Browsing, by the names that `--profile` takes. */
export const SAFE_BROWSING_PROFILES = {
  'safe-browsing': 'Safe Browsing version 5; also called v5',
  v5: '',
  'web-risk': 'Web Risk, and Safe Browsing version 4',
} as const;

export const SUFFIX_LIST_FLAG = {
  suffixList: text('FILE', 'use this Public Suffix List, not the bundled one', { isPath: true }),
};

export const SUFFIX_FLAGS = {
  icannSuffixes: toggle('use only the ICANN section of the Public Suffix List: github.io is not a suffix'),
  ...SUFFIX_LIST_FLAG,
};

export type SafeBrowsingProfile = keyof typeof SAFE_BROWSING_PROFILES;

export function isSafeBrowsing(profile: string): profile is SafeBrowsingProfile {
  return Object.hasOwn(SAFE_BROWSING_PROFILES, profile);
}

/** Returns the library's name for a profile. */
export function libraryProfile(profile: SafeBrowsingProfile): Profile {
  return profile === 'web-risk' ? 'web-risk' : 'v5';
}

/** Returns the name of a profile for `--profile`. */
export function commandProfile(profile: Profile): SafeBrowsingProfile {
  return profile === 'v5' ? 'safe-browsing' : profile;
}

/** Reads the Public Suffix List of `--suffix-list FILE`; by default it is the bundled one. @throws {Fault} */
export function suffixListIn(path: string | undefined, profile: Profile): SuffixList {
  if (path === undefined) return BUNDLED_LIST;
  if (profile !== 'v5') throw usageFault(`--suffix-list needs the profile safe-browsing, not ${profile}`);
  try {
    return SuffixList.parse(Buffer.from(wholeInput(path)).toString());
  } catch (error) {
    throw usageFault(`--suffix-list ${path}: ${reasonOf(error)}`);
  }
}

export const OUT_FLAG = group('Output', {
  out: text('FILE', 'write to FILE, which appears when it is complete; - is standard output', {
    short: 'o',
    isPath: true,
  }),
});

export const NAME_FLAG = group('Output', {
  name: text('NAME', 'the name of the list; default none'),
});

/** @throws {Fault} where a list of that name has prefixes of another width than one of these */
export function mustBeNamedFor(name: string, widths: readonly number[]): void {
  const named = /-(\d+)b$/.exec(name)?.[1];
  const other = widths.find((width) => width !== Number(named));
  if (named !== undefined && other !== undefined)
    throw usageFault(`--name ${name} says that prefixes have ${named} bytes, but some have ${other}`);
}

/** Returns the settings that flags choose. @throws {Fault} where the Public Suffix List cannot be read */
export function settingsIn(
  { mode, icannSuffixes, suffixList }: ValuesOf<typeof SUFFIX_FLAGS> & Pick<Settings, 'mode'>,
  profile: Profile,
): Settings {
  return { profile, mode, privateSuffixes: !icannSuffixes, suffixList: suffixListIn(suffixList, profile) };
}

/** Returns the facts of `--stats`: a Public Suffix List has no part in Web Risk. */
export function lookupFacts(profile: SafeBrowsingProfile, { edition }: SuffixList): Facts {
  return { profile, ...(profile !== 'web-risk' && { suffixList: edition }) };
}

/** Reads the bytes of a prefix. @throws {Fault} */
export function prefixBytes(value: string, option: string): number {
  const bytes = Number(value);
  if (/^\d+$/.test(value) && bytes >= SHORTEST_PREFIX && bytes <= HASH_BYTES) return bytes;
  throw usageFault(`${option} must be a number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}, not '${value}'`);
}

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

export const REPLACE_FLAGS = group('Output', {
  allowEmpty: toggle('write a list even if it has no entries'),
  allowShrink: toggle('write a list even if it has less than half of the entries of the one that it replaces'),
});

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

/** Returns the size of the list in a file, 0 where there is none. */
function sizeAt(path: string): number {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 0;
  try {
    return HashList.fromBytes(readFileSync(path)).size;
  } catch {
    return 0; // what it would replace is not a list
  }
}
