import { mustBeOneOf } from '../argument.ts';

/** `web-risk` is Web Risk and Safe Browsing v4; `v5` adds IPv6 and takes hosts from the Public Suffix List. */
export type Profile = 'web-risk' | 'v5';

/** `spec`: the page's steps on the input. `browser`: on what a browser would visit. `union`: both. */
export type Mode = 'spec' | 'browser' | 'union';

export interface CanonicalizeOptions {
  /** Default `v5`. */
  readonly profile?: Profile;
  /** Default `spec`. */
  readonly mode?: 'spec' | 'browser';
}

export interface ExpressionOptions {
  /** Default `v5`. */
  readonly profile?: Profile;
  /** Default `spec`; `union` gives both readings' expressions, so that neither can hide a host. */
  readonly mode?: Mode;
  /** Does the private section of the Public Suffix List count (github.io)? Default true; of `v5` only. */
  readonly privateSuffixes?: boolean;
}

/** One of a URL's two readings, under one profile. */
export interface Reading {
  readonly profile: Profile;
  readonly mode: 'spec' | 'browser';
}

/** Options with their defaults. */
export interface Settings {
  readonly profile: Profile;
  readonly mode: Mode;
  readonly privateSuffixes: boolean;
}

const PROFILES: readonly Profile[] = ['web-risk', 'v5'];

/** @throws {RangeError} on an option there is not, or a value that is none of the option's */
export function settingsOf(
  options: ExpressionOptions,
  modes: readonly Mode[] = ['spec', 'browser', 'union'],
): Settings {
  const { profile = 'v5', mode = 'spec', privateSuffixes = true, ...unknown } = options;
  const [unknownName] = Object.keys(unknown);
  if (unknownName !== undefined) throw new RangeError(`there is no option ${JSON.stringify(unknownName)}`);
  mustBeOneOf('profile', profile, PROFILES);
  mustBeOneOf('mode', mode, modes);
  mustBeOneOf('privateSuffixes', privateSuffixes, [true, false]);
  return { profile, mode, privateSuffixes };
}
