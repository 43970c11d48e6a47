import { mustBeOneOf, mustBeOptions, wrongKind } from '../../core/argument.ts';
import type { Profile } from './host.ts';
import { BUNDLED_LIST, type SuffixList } from './suffix-list.ts';

/**
 * `spec`: the page's steps on the input. `browser`: on what a browser would visit. `union`: both, and its whole URL.
 */
export type Mode = 'spec' | 'browser' | 'union';

/** Options of `canonicalize`. */
export interface ReadingOptions {
  /** The page whose steps are taken: `v5` (default), or `web-risk`. */
  readonly profile?: Profile | undefined;
  /**
   * The text that the steps are taken on: the input itself, `spec` (default), or what a browser would visit, `browser`.
   */
  readonly mode?: 'spec' | 'browser' | undefined;
}

/** Options of `expressions` and `hashes`. */
export interface ExpressionOptions {
  /** The page whose steps are taken: `v5` (default), or `web-risk`. */
  readonly profile?: Profile | undefined;
  /** Default `spec`; `union` gives the expressions of all readings, so that no spelling can hide a host. */
  readonly mode?: Mode | undefined;
  /** Whether the private section of the Public Suffix List counts (github.io). Default true; of `v5` only. */
  readonly privateSuffixes?: boolean | undefined;
  /** The Public Suffix List, from `SuffixList.parse`; default the bundled one. Of `v5` only. */
  readonly suffixList?: SuffixList | undefined;
}

/** One of a URL's two readings, under one profile. */
export interface Reading {
  readonly profile: Profile;
  readonly mode: 'spec' | 'browser';
}

/**
 * The text that the page's steps are taken on: the input (`spec`), or three views of what a browser would visit.
 * `browser` has no userinfo. `browser-whole` has it, as the address that a browser's user copies to a list.
 * `browser-slashed` takes a backslash that was an escape for a slash, as Chromium does; lists were built so before.
 */
export type View = Reading['mode'] | 'browser-whole' | 'browser-slashed';

export interface ViewReading {
  readonly profile: Profile;
  readonly mode: View;
}

/** Options with their defaults. */
export interface Settings {
  readonly profile: Profile;
  readonly mode: Mode;
  readonly privateSuffixes: boolean;
  readonly suffixList: SuffixList;
}

export const PROFILES: readonly Profile[] = ['web-risk', 'v5'];
const READING_MODES: readonly Reading['mode'][] = ['spec', 'browser'];
const MODES: readonly Mode[] = [...READING_MODES, 'union'];

/** Every way to read a URL. */
export const READINGS: readonly Reading[] = /* @__PURE__ */ PROFILES.flatMap((profile) =>
  READING_MODES.map((mode) => ({ profile, mode })),
);

const READING_OPTIONS = ['profile', 'mode'];
export const EXPRESSION_OPTIONS: readonly string[] = [...READING_OPTIONS, 'privateSuffixes', 'suffixList'];

/**
 * Checks options against those in `known`, and sets defaults.
 *
 * @throws {TypeError} on options that are not an object, and on a suffix list that is not one
 * @throws {RangeError} on an option that does not exist, and on a value that the option does not have
 */
export function settingsOf(options: ExpressionOptions, known: readonly string[] = EXPRESSION_OPTIONS): Settings {
  const own = mustBeOptions('options', options, known);
  const { profile = 'v5', mode = 'spec', privateSuffixes = true, suffixList = BUNDLED_LIST } = own;
  mustBeOneOf('profile', profile, PROFILES);
  mustBeOneOf('mode', mode, MODES);
  mustBeOneOf('privateSuffixes', privateSuffixes, [true, false]);
  return { profile, mode, privateSuffixes, suffixList: mustBeSuffixList(suffixList) };
}

/** Checks a list by its members, as one of another copy of this package is not an instance of this class. */
export function mustBeSuffixList(value: SuffixList): SuffixList {
  if (typeof Object(value).edition === 'string' && 'lookup' in value) return value;
  throw wrongKind('suffixList', 'what SuffixList.parse returns', value);
}

/** Checks the options of functions that take one reading at a time. */
export function readingOf(options: ReadingOptions): Reading {
  const { profile, mode } = settingsOf(options, READING_OPTIONS);
  return { profile, mode: mustBeReadingMode(mode) };
}

export function mustBeReadingMode(mode: Mode): Reading['mode'] {
  return mustBeOneOf<Mode>('mode', mode, READING_MODES) as Reading['mode'];
}
