import { mustBeArray, mustBeBoolean, mustBeOneOf, mustBeOptions, mustBeString } from '../../core/argument.ts';

/** Appendix A: N tends towards false negatives, P towards false positives. */
export type Variant = 'N' | 'P';

/** A component that is removed unless it is kept, by the name of its flag: `+frag`, `+query`. */
export type KeepFlag = 'frag' | 'query';

/** What the draft leaves open. Both sides of a comparison must read it alike; the defaults are what is proposed. */
export interface Readings {
  /** Schemes, in lower case, whose escapes of unreserved characters are decoded, once. Default: http and https. */
  readonly unescapedSchemes?: readonly string[] | undefined;
  /** Decode them in a kept query and fragment too. Default: false, section 4.3 (2) decodes nothing that it need not. */
  readonly unescapeKept?: boolean | undefined;
  /** Variant P lower-cases a kept query and fragment too. Default: true, section 4.3 (1) calls them components. */
  readonly lowercaseKept?: boolean | undefined;
  /** Is `:0080` the default port of http? 'number' (default): yes; 'text': no, step 3 comes before step 5. */
  readonly defaultPort?: 'number' | 'text' | undefined;
  /** Does '?' begin a query in an opaque URI like `mailto:a@b?subject=c`? Default: false, RFC 2396 has none there. */
  readonly opaqueQuery?: boolean | undefined;
  /** What no URI may hold, spaces and non-ASCII characters included: 'reject' (default), or 'escape' as UTF-8. */
  readonly excluded?: 'reject' | 'escape' | undefined;
}

/** What `canonicalize` takes, and `hash` as well. */
export interface VariantOptions {
  /** Which of the two variants of appendix A. */
  readonly variant: Variant;
  /** What is not removed. Default: neither. */
  readonly keep?: readonly KeepFlag[] | undefined;
  /** An absolute URI that a relative one is resolved against. */
  readonly base?: string | URL | undefined;
  /** What the draft leaves open. */
  readonly readings?: Readings | undefined;
}

/** Readings with their defaults. */
export type AllReadings = { readonly [Name in keyof Readings]-?: NonNullable<Readings[Name]> };

export const DEFAULT_READINGS: AllReadings = {
  unescapedSchemes: ['http', 'https'],
  unescapeKept: false,
  lowercaseKept: true,
  defaultPort: 'number',
  opaqueQuery: false,
  excluded: 'reject',
};

/** @throws {TypeError} on a reading of the wrong kind @throws {RangeError} where one is not one of those above */
export function readingsOf(readings: Readings | undefined): AllReadings {
  if (readings === undefined) return DEFAULT_READINGS;
  const given = mustBeOptions('readings', readings, Object.keys(DEFAULT_READINGS)) as Partial<AllReadings>;
  const chosen = { ...DEFAULT_READINGS, ...given };
  const unescapedSchemes = [...mustBeArray('unescapedSchemes', chosen.unescapedSchemes)]; // the caller may change its own
  for (const scheme of unescapedSchemes) mustBeString('each of unescapedSchemes', scheme);
  for (const name of ['unescapeKept', 'lowercaseKept', 'opaqueQuery'] as const) mustBeBoolean(name, chosen[name]);
  mustBeOneOf('defaultPort', chosen.defaultPort, ['number', 'text']);
  mustBeOneOf('excluded', chosen.excluded, ['reject', 'escape']);
  return { ...chosen, unescapedSchemes };
}

/** @throws {TypeError} where `keep` is not an array @throws {RangeError} where it names anything else */
export function mustBeKeepFlags(keep: readonly KeepFlag[]): readonly KeepFlag[] {
  mustBeArray('keep', keep);
  for (const flag of keep) mustBeOneOf('keep', flag, ['frag', 'query']);
  return keep;
}
