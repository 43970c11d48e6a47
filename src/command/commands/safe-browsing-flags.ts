import type { TextSource } from '../../specs/safe-browsing/doubt.ts';
import type { Profile } from '../../specs/safe-browsing/host.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import { BUNDLED_LIST, SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { choice, file, group, toggle, type ValuesOf } from '../arguments/flag.ts';
import { reasonOf, usageFault } from '../fault.ts';
import type { Records } from '../read/framing.ts';
import type { OptionFile } from '../read/inputs.ts';
import type { Facts } from '../work/work.ts';
import type { ROW_FLAGS } from './line-flags.ts';

/** The specifications of Safe Browsing, by the names that `--profile` takes. */
export const SAFE_BROWSING_PROFILES = {
  'safe-browsing': 'Safe Browsing version 5; also called v5',
  v5: '',
  'web-risk': 'Web Risk, and Safe Browsing version 4',
} as const;

export const SUFFIX_LIST_FLAG = {
  suffixList: file('FILE', 'use this Public Suffix List, not the bundled one'),
};

export const SUFFIX_FLAGS = {
  icannSuffixes: toggle('use only the ICANN section of the Public Suffix List: github.io is not a suffix'),
  ...SUFFIX_LIST_FLAG,
};

export const SPACES_FLAG = group('Bad lines', {
  spaces: choice(
    'ACTION',
    ['refuse', 'allow'],
    'refuse',
    'lines with spaces or tabs inside: refuse (default); allow, look each up as one URL',
  ),
});

/** Returns whether the texts that a command looks up are lines: fields, cells, links and requests are one text each. */
export function sourceIn(
  { spaces, column, links }: ValuesOf<typeof ROW_FLAGS & typeof SPACES_FLAG>,
  records: Records | undefined,
): TextSource {
  const areValues = spaces === 'allow' || records !== undefined || column !== undefined || links;
  return areValues ? 'value' : 'line';
}

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
export function suffixListIn(file: OptionFile | undefined, profile: Profile): SuffixList {
  if (file === undefined) return BUNDLED_LIST;
  if (profile !== 'v5') throw usageFault(`--suffix-list needs the profile safe-browsing, not ${profile}`);
  try {
    return SuffixList.parse(Buffer.from(file.bytes()).toString());
  } catch (error) {
    throw usageFault(`--suffix-list ${file.path}: ${reasonOf(error)}`);
  }
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
