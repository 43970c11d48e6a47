import { mustBeString } from '../argument.ts';
import { UNICODE_VERSIONS, type UnicodeVersion } from './parsed-url.ts';
import { partsOf, profileWith } from './profile.ts';

/** The origin of kept keys, and their worth under another version of Unicode. */
export interface KeyOrigin {
  /**
   * The form that was hashed. Where keys of several versions of Unicode are together, it names each of them, ascending:
   * `url/1+unicode17+unicode18`.
   */
  readonly profile: string;
  /** Whether some key came from a host beyond ASCII. Without one, the keys are the same under every version. */
  readonly hasUnicodeHosts: boolean;
}

/**
 * Whether every URL that is valid under two profiles has one canonical form, and so one hash, under both: they are the
 * same, or differ only by versions of Unicode that changed no form (docs/conformance.md). The relation is not
 * transitive. Of a version that this build does not know, nothing but itself is known to be compatible.
 *
 * @param profile as `profileOf` or `HashIndex.profile` has it
 * @param other the same
 * @throws {TypeError} on anything but strings
 * @example
 * compatible('url/1+unicode17', 'url/1+unicode18'); //=> true
 * compatible('url/1+unicode17', 'url/1+unicode17;sort-params'); //=> false
 */
export function compatible(profile: string, other: string): boolean {
  const one = partsOf(mustBeString('profile', profile));
  const two = partsOf(mustBeString('other', other));
  return one.settings === two.settings && one.versions.every((each) => two.versions.every((v) => areEqual(each, v)));
}

/** Whether keys can be looked up among others, or kept with them: a URL that is valid under both has one key. */
export function mayMeet(keys: KeyOrigin, others: KeyOrigin): boolean {
  if (keys.hasUnicodeHosts && others.hasUnicodeHosts) return compatible(keys.profile, others.profile);
  return partsOf(keys.profile).settings === partsOf(others.profile).settings;
}

/**
 * The origin of keys that are kept together, each of which may meet the others. It names the versions of those with
 * hosts beyond ASCII, and else the newest: the other keys are the same under every version.
 */
export function jointOrigin(origins: readonly KeyOrigin[]): KeyOrigin {
  const withHosts = origins.filter(({ hasUnicodeHosts }) => hasUnicodeHosts);
  const hasUnicodeHosts = withHosts.length > 0;
  const { settings } = partsOf(origins[0]!.profile);
  const versions = (hasUnicodeHosts ? withHosts : origins).flatMap(({ profile }) => partsOf(profile).versions);
  const ascending = [...new Set(versions)].sort((one, other) => one - other);
  return { profile: profileWith(hasUnicodeHosts ? ascending : ascending.slice(-1), settings), hasUnicodeHosts };
}

/**
 * Returns the version of Unicode of a profile that differs from another by nothing else; undefined where it names
 * several, or one that this build does not compute.
 */
export function otherVersion(profile: string, other: string): UnicodeVersion | undefined {
  const { settings, versions } = partsOf(profile);
  if (settings !== partsOf(other).settings || versions.length !== 1) return undefined;
  return UNICODE_VERSIONS.find((version) => version === versions[0]);
}

/** Pairs of versions whose forms of a URL that is valid in both are equal: the tests compute them. */
export const EQUAL_FORMS: readonly (readonly [one: number, other: number])[] = [[17, 18]];

function areEqual(version: number, other: number): boolean {
  return version === other || EQUAL_FORMS.some((pair) => pair.includes(version) && pair.includes(other));
}
