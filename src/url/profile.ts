import { mustBeString } from '../argument.ts';
import { UrlsumError } from '../error.ts';
import { UNICODE } from './idna.ts';
import { type CanonicalizeOptions, checkedForm, type UrlForm } from './options.ts';
import { TRACKING_LISTS } from './tracking-lists.ts';

/** A profile that this build does not compute. */
export class ProfileError extends UrlsumError {
  /** @internal */
  static override readonly name = 'ProfileError';
  /** @internal */
  static readonly code = 'ERR_UNSUPPORTED_PROFILE';
  /** The same for every such error. */
  readonly code = 'ERR_UNSUPPORTED_PROFILE';
  /** The profile, whole. */
  override readonly input: string;
  /** Why. */
  readonly reason: 'not-a-profile' | 'other-version' | 'unknown-list';

  /** @internal */
  constructor(input: string, reason: ProfileError['reason'], sentence: string) {
    super(`cannot compute the profile ${JSON.stringify(input)}: ${sentence} (${reason})`);
    this.name = 'ProfileError';
    this.input = input;
    this.reason = reason;
  }
}

/** The profile of the full canonical form, fragment included: what `profileOf()` gives. */
export const PROFILE: string = `url/1+${UNICODE}`;

/**
 * The name of the canonical form that options choose. It changes whenever any output could: `url/1` is the URL Standard
 * as of July 2026, `unicode17` the UTS #46 tables bundled here. Equal options have equal names; docs/parameters.md
 * defines the rest.
 *
 * @param options those that the URLs are canonicalized or hashed with
 * @returns ASCII without spaces
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on an option that does not exist, and on a name or list that cannot be one
 * @example
 * profileOf({ excludeFragment: true }); //=> 'url/1+unicode17;exclude-fragment'
 * profileOf({ dropList: 'tracking-2026', dropParams: ['sid', 'ad_*'] }); //=> 'url/1+unicode17;drop-list=tracking-2026;drop-params=ad_*,sid'
 */
export function profileOf(options?: CanonicalizeOptions): string {
  return profileOfForm(checkedForm(options));
}

export function profileOfForm({ excludeFragment, dropList, dropParams, sortParams }: UrlForm): string {
  let profile = PROFILE;
  if (excludeFragment) profile += ';exclude-fragment';
  if (dropList !== undefined) profile += `;drop-list=${dropList}`;
  if (dropParams.length > 0) profile += `;drop-params=${dropParams.map(escapedName).join(',')}`;
  if (sortParams) profile += ';sort-params';
  return profile;
}

/** encodeURIComponent leaves `!'()` and a final `*` besides letters, digits and `-._~`. */
function escapedName(name: string): string {
  return encodeURIComponent(name).replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/**
 * The options of a canonical form by its name.
 *
 * @param profile what `profileOf` gives
 * @throws {TypeError} on what is not a string
 * @throws {ProfileError} on a profile that this build does not compute: of other tables, with an unknown list, or of
 *   another specification
 * @example
 * optionsOf('url/1+unicode17;exclude-fragment'); //=> { excludeFragment: true }
 */
export function optionsOf(profile: string): CanonicalizeOptions {
  const [form, ...settings] = mustBeString('profile', profile).split(';');
  if (form !== PROFILE) {
    const isOther = /^url\/\d+\+unicode\d+$/.test(form!);
    throw isOther
      ? new ProfileError(profile, 'other-version', `this build computes ${PROFILE}`)
      : new ProfileError(profile, 'not-a-profile', `one of URLs begins with ${PROFILE}`);
  }
  const options = Object.assign({}, ...settings.map((setting) => optionOf(profile, setting))) as CanonicalizeOptions;
  if (profileIfValid(options) === profile) return options;
  throw new ProfileError(profile, 'not-a-profile', 'no options have this profile');
}

function optionOf(profile: string, setting: string): CanonicalizeOptions {
  const [name, value = ''] = setting.split('=', 2);
  if (setting === 'exclude-fragment') return { excludeFragment: true };
  if (setting === 'sort-params') return { sortParams: true };
  if (name === 'drop-params') return { dropParams: value.split(',').map(unescapedName) };
  if (name !== 'drop-list') throw new ProfileError(profile, 'not-a-profile', `${JSON.stringify(setting)} is unknown`);
  if (Object.hasOwn(TRACKING_LISTS, value)) return { dropList: value };
  throw new ProfileError(profile, 'unknown-list', `this build has no list ${JSON.stringify(value)}`);
}

/** What is not well-formed is no name, and found when the profile is made again. */
function unescapedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function profileIfValid(options: CanonicalizeOptions): string | undefined {
  try {
    return profileOf(options);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a name that cannot be one
    throw error;
  }
}
