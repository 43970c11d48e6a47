import { mustBeOptions, mustBeString } from '../argument.ts';
import { UrlsumError } from '../error.ts';
import { quote } from '../quote.ts';
import { DEFAULT_UNICODE } from './idna.ts';
import { FORM_OPTIONS, type FormOptions, formOf, OPTION_NAMES, type Options, type UrlForm } from './options.ts';
import type { SiteRuleSet } from './page-rules.ts';
import { UNICODE_VERSIONS } from './parsed-url.ts';
import { NoVarySearchError } from './search-variance.ts';

/** The canonical form that this build computes, without its version of Unicode. */
const FORM = 'url/1';

/** The reasons of a ProfileError. */
type ProfileReason = 'not-a-profile' | 'other-spelling' | 'other-version' | 'unknown-list' | 'unknown-rules';

const SENTENCES: Readonly<Record<ProfileReason, string>> = {
  'not-a-profile': 'computes no such options',
  'other-spelling': 'spells its options',
  'other-version': 'computes url/1 of other versions of Unicode',
  'unknown-list': 'computes no such list',
  'unknown-rules': 'computes those of the site rules that it is given',
};

/** A profile that this build does not compute. */
export class ProfileError extends UrlsumError<'ERR_UNSUPPORTED_PROFILE', ProfileReason, string, undefined> {
  /** @internal */
  static override readonly name = 'ProfileError';
  /** The profile of the same options in this build, where it spells them otherwise. */
  declare readonly spelling?: string;

  /** @internal */
  constructor(input: string, reason: ProfileReason, spelling?: string) {
    const sentence = spelling === undefined ? SENTENCES[reason] : `${SENTENCES[reason]} ${spelling}`;
    const facts = spelling === undefined ? { input, reason } : { input, reason, spelling };
    super(
      'ERR_UNSUPPORTED_PROFILE',
      `cannot compute the profile ${quote(input)}: this build ${sentence} (${reason})`,
      facts,
    );
  }
}

/** The profile of the full canonical form, fragment included; `profileOf()` returns it. */
export const PROFILE: string = `${FORM}+unicode${DEFAULT_UNICODE}`;

/**
 * The name of the canonical form that options choose. It changes whenever any output could: `url/1` is the URL Standard
 * as of July 2026, `unicode18` the version of the UTS #46 tables. Equal options have equal names; docs/parameters.md
 * defines the rest.
 *
 * @param options those that the URLs are canonicalized or hashed with; the base is ignored: it changes no form
 * @returns ASCII without spaces
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on an option that does not exist, and on a name or list that cannot be one
 * @example
 * profileOf({ excludeFragment: true }); //=> 'url/1+unicode18;exclude-fragment'
 * profileOf({ dropList: 'tracking-2026', dropParams: ['sid', 'ad_*'] }); //=> 'url/1+unicode18;drop-list=tracking-2026;drop-params=ad_*,sid'
 */
export function profileOf(options: Options = {}): string {
  return profileOfForm(formOf(mustBeOptions('options', options, OPTION_NAMES)));
}

export function profileOfForm({ options, unicode }: UrlForm): string {
  const settings = FORM_OPTIONS.flatMap(({ name, setting, write }) => {
    const value = options[name];
    if (value === undefined || setting === undefined) return [];
    const written = write(value);
    return [written === '' ? setting : `${setting}=${written}`];
  });
  return [`${FORM}+unicode${unicode}`, ...settings].join(';');
}

/**
 * The options of a canonical form by its name.
 *
 * @param profile as `profileOf` returns it; of one that names several versions of Unicode, as `HashIndex.profile` may, the
 *   newest counts
 * @param siteRules those that the profile may name
 * @throws {TypeError} on anything but a string, and rules that are not `SiteRules`, such as their text
 * @throws {ProfileError} on a profile that this build does not compute: of other tables, with an unknown list, with site
 *   rules other than those given, or of another specification
 * @example
 * optionsOf('url/1+unicode18;exclude-fragment'); //=> { excludeFragment: true }
 * optionsOf('url/1+unicode17'); //=> { unicode: 17 }
 */
export function optionsOf(profile: string, siteRules?: SiteRuleSet): FormOptions {
  const [start, ...settings] = mustBeString('profile', profile).split(';');
  formOf({ siteRules }); // which checks the rules
  const newest = Math.max(...partsOf(start!).versions);
  const unicode = UNICODE_VERSIONS.find((version) => version === newest);
  if (unicode === undefined)
    throw new ProfileError(profile, /^url\/\d+(\+unicode[1-9]\d*)+$/.test(start!) ? 'other-version' : 'not-a-profile');
  const read = settings.map((setting) => optionIn(setting, profile, siteRules));
  const form = formIfValid({ unicode, ...Object.fromEntries(read) });
  if (form === undefined) throw new ProfileError(profile, 'not-a-profile');
  const spelling = profileOfForm(form);
  if (spelling === [`${FORM}+unicode${unicode}`, ...settings].join(';')) return { ...form.options };
  throw new ProfileError(profile, 'other-spelling', spelling);
}

/** Returns a kept profile for a message, with the spelling that this build has of it, where that is another. */
export function shownProfile(profile: string): string {
  try {
    optionsOf(profile);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    if (error.spelling !== undefined) return `${profile} (now ${error.spelling})`;
  }
  return profile;
}

function optionIn(text: string, profile: string, siteRules: SiteRuleSet | undefined): readonly [string, unknown] {
  const [setting, value = ''] = text.split('=', 2);
  const option = FORM_OPTIONS.find((each) => each.setting === setting);
  const read = option?.read(value, siteRules);
  if (read === undefined) throw new ProfileError(profile, option?.absent ?? 'not-a-profile');
  return [option!.name, read];
}

function formIfValid(options: FormOptions): UrlForm | undefined {
  try {
    return formOf(options);
  } catch (error) {
    if (error instanceof RangeError || error instanceof NoVarySearchError) return undefined; // what no option can be
    throw error;
  }
}

/** A profile without its versions of Unicode, `url/1+;sort-params`, and these; one of another specification has none. */
interface ProfileParts {
  readonly settings: string;
  readonly versions: readonly number[];
}

const PROFILE_SYNTAX = /^url\/1((?:\+unicode[1-9]\d*)+)((?:;.*)?)$/s;

export function partsOf(profile: string): ProfileParts {
  const [, versions, settings] = PROFILE_SYNTAX.exec(profile) ?? [];
  if (versions === undefined) return { settings: profile, versions: [] };
  return {
    settings: `${FORM}+${settings}`,
    versions: Array.from(versions.matchAll(/\d+/g), ([digits]) => Number(digits)),
  };
}

export function profileWith(versions: readonly number[], settings: string): string {
  if (versions.length === 0) return settings;
  return FORM + versions.map((version) => `+unicode${version}`).join('') + settings.slice(FORM.length + 1);
}
