import { mustBeOptions, mustBeString } from '../argument.ts';
import { UrlsumError } from '../error.ts';
import { UNICODE } from './idna.ts';
import { checkedForm, FORM_OPTIONS, type FormOptions, type Options, type UrlForm } from './options.ts';
import { escapedName, unescapedName } from './parameter-name.ts';
import { TRACKING_LISTS } from './parameters.ts';

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
  /** Why: a word that programs can compare. */
  readonly reason: 'not-a-profile' | 'other-version' | 'unknown-list';

  /** @internal */
  constructor(input: string, reason: ProfileError['reason']) {
    super(`cannot compute the profile ${JSON.stringify(input)}: this build computes ${SENTENCES[reason]} (${reason})`);
    this.name = 'ProfileError';
    this.input = input;
    this.reason = reason;
  }
}

/** The profile of the full canonical form, fragment included; `profileOf()` returns it. */
export const PROFILE: string = `url/1+${UNICODE}`;

const SENTENCES: Readonly<Record<ProfileError['reason'], string>> = {
  'not-a-profile': 'no such options',
  'other-version': PROFILE,
  'unknown-list': 'no such list',
};

/**
 * The name of the canonical form that options choose. It changes whenever any output could: `url/1` is the URL Standard
 * as of July 2026, `unicode17` the UTS #46 tables bundled here. Equal options have equal names; docs/parameters.md
 * defines the rest.
 *
 * @param options those that the URLs are canonicalized or hashed with; the base is ignored: it changes no form
 * @returns ASCII without spaces
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on an option that does not exist, and on a name or list that cannot be one
 * @example
 * profileOf({ excludeFragment: true }); //=> 'url/1+unicode17;exclude-fragment'
 * profileOf({ dropList: 'tracking-2026', dropParams: ['sid', 'ad_*'] }); //=> 'url/1+unicode17;drop-list=tracking-2026;drop-params=ad_*,sid'
 */
export function profileOf(options: Options = {}): string {
  const { base: _, ...form } = mustBeOptions('options', options, ['base', ...FORM_OPTIONS]);
  return profileOfForm(checkedForm(form));
}

export function profileOfForm({ excludeFragment, dropList, dropParams, sortParams }: UrlForm): string {
  const settings = [
    excludeFragment && 'exclude-fragment',
    dropList && `drop-list=${dropList}`,
    dropParams.length > 0 && `drop-params=${dropParams.map(escapedName)}`,
    sortParams && 'sort-params',
  ];
  return [PROFILE, ...settings.filter(Boolean)].join(';');
}

/**
 * The options of a canonical form by its name.
 *
 * @param profile as `profileOf` returns it
 * @throws {TypeError} on anything but a string
 * @throws {ProfileError} on a profile that this build does not compute: of other tables, with an unknown list, or of
 *   another specification
 * @example
 * optionsOf('url/1+unicode17;exclude-fragment'); //=> { excludeFragment: true }
 */
export function optionsOf(profile: string): FormOptions {
  const [form, ...settings] = mustBeString('profile', profile).split(';');
  const options: FormOptions = Object.assign({}, ...settings.map(optionOf));
  if (profileIfValid(options) === profile) return options;
  const { dropList } = options;
  const isOfUrls = /^url\/\d+\+unicode\d+$/.test(form!);
  if (isOfUrls && form !== PROFILE) throw new ProfileError(profile, 'other-version');
  const isUnknownList = isOfUrls && dropList !== undefined && !Object.hasOwn(TRACKING_LISTS, dropList);
  throw new ProfileError(profile, isUnknownList ? 'unknown-list' : 'not-a-profile');
}

/** Reads a setting. One with an unknown name gives no option: the profile made of the options is then another. */
function optionOf(setting: string): FormOptions {
  const [name, value = ''] = setting.split('=', 2);
  if (name === 'exclude-fragment') return { excludeFragment: true };
  if (name === 'drop-list') return { dropList: value };
  if (name === 'drop-params') return { dropParams: value.split(',').map(unescapedName) };
  return { sortParams: name === 'sort-params' };
}

function profileIfValid(options: FormOptions): string | undefined {
  try {
    return profileOf(options);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a name or a list that cannot be one
    throw error;
  }
}
