import { BUNDLED_LIST, type Profile, SuffixList } from '../../safe-browsing/index.ts';
import { wholeInput } from '../input/inputs.ts';
import { sentenceOf } from '../input/system-error.ts';
import { group, text, toggle } from '../terminal/flag.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** The specifications of Safe Browsing, by the names that `--profile` takes. */
export const SAFE_BROWSING_PROFILES = {
  'safe-browsing': 'Safe Browsing version 5; also called v5',
  v5: '',
  'web-risk': 'Web Risk, and Safe Browsing version 4',
} as const;

/** Flags that choose the Public Suffix List. */
export const SUFFIX_LIST_FLAG = {
  suffixList: text('FILE', 'use this Public Suffix List, not the bundled one', { isPath: true }),
};

/** Flags that choose the list and its sections. */
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

/** Reads the Public Suffix List of `--suffix-list FILE`; by default it is the bundled one. @throws {UsageError} */
export async function suffixListIn(path: string | undefined, profile: Profile): Promise<SuffixList> {
  if (path === undefined) return BUNDLED_LIST;
  if (profile !== 'v5') throw new UsageError(`--suffix-list needs the profile safe-browsing, not ${profile}`);
  try {
    return SuffixList.parse(Buffer.from(wholeInput(path)).toString());
  } catch (error) {
    throw new UsageError(`--suffix-list ${path}: ${sentenceOf(error)}`);
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
