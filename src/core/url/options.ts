import { kindOf, mustBeBoolean, mustBeOneOf, mustBeString, ownProperties, wrongKind } from '../argument.ts';
import { quote } from '../quote.ts';
import { DEFAULT_UNICODE } from './idna.ts';
import { FOLDS, type Fold, isOfParameters, PageRules, type RunSettings, type SiteRuleSet } from './page-rules.ts';
import { escapedName, nameProblem, sortedNames, unescapedName } from './parameter-names.ts';
import { TRACKING_2026 } from './parameters.ts';
import { type DefaultScheme, UNICODE_VERSIONS, type UnicodeVersion } from './parsed-url.ts';
import { NoVarySearchError, SearchVariance } from './search-variance.ts';

/** Which canonical form is meant: what `profileOf` names, and `optionsOf` returns. */
export interface FormOptions {
  /**
   * The options for the pages of a crawl by one name that never changes: 'page-2026' stands for excludeFragment
   * 'but-routes', dropList 'tracking-2026' and sortParams, and the profile names those. Default: none.
   */
  readonly preset?: 'page-2026' | undefined;
  /**
   * The version of Unicode for hosts beyond ASCII: 17, as in Node 24 and 26, or 18. A URL that is valid in both has one
   * form. Default, in every 1.x: 18.
   */
  readonly unicode?: UnicodeVersion | undefined;
  /**
   * Leaves out the fragment and its `#`, as the "exclude fragment" flag of the URL serializer does; 'but-routes' keeps
   * those of http and https that begin with `!` or `/` and name something, as an application in JavaScript names its
   * pages: `#!/user`, `#/inbox`. Default: false.
   */
  readonly excludeFragment?: boolean | 'but-routes' | undefined;
  /** The name of a list of parameters that never changes: 'tracking-2026'. They are removed. Default: none. */
  readonly dropList?: string | undefined;
  /**
   * Names of parameters that are removed from the query, case included; a final `*` stands for any end. docs/parameters.md
   * defines it. Default: none.
   */
  readonly dropParams?: readonly string[] | undefined;
  /**
   * Names of the only parameters that stay, as in `dropParams`; not together with that or `dropList`. Default: all stay.
   */
  readonly keepParams?: readonly string[] | undefined;
  /**
   * Which addresses of one page become one: without an empty query, escapes as RFC 3986 has them, https, without index
   * files, sessions, final slashes, `www`. Default: none.
   */
  readonly fold?: readonly Fold[] | undefined;
  /**
   * The value of the header No-Vary-Search, as draft-ietf-httpbis-no-vary-search-10 defines it, such as
   * `key-order, except=("id")`: the parameters that do not count go, and the others are spelled as forms are. Only with
   * `excludeFragment`, `unicode`, and those folds that do not touch parameters. A header that may be invalid is for
   * `NoVarySearch.of`. Default: none.
   */
  readonly noVarySearch?: string | undefined;
  /** Rules for sites, which `SiteRules.parse` of `urlsum/site` reads. Default: none. */
  readonly siteRules?: SiteRuleSet | undefined;
  /** Sorts the parameters of the query by the bytes of their decoded names. Default: false. */
  readonly sortParams?: boolean | undefined;
}

/** Options of `canonicalize`, `UrlHash.of` and the like: the canonical form, and how a URL without a scheme is read. */
export interface Options extends FormOptions {
  /** The URL that relative URLs are resolved against; without it, they are not URLs. */
  readonly base?: string | URL | undefined;
  /**
   * The scheme that a URL without one gets, with `//`: 'http' or 'https', not together with `base`.
   * `example.com:8080/x` lacks one, too; what is empty or begins with `/`, `\\`, `?` or `#` gets none. Default: none.
   */
  readonly defaultScheme?: DefaultScheme | undefined;
}

type OptionName = keyof FormOptions;
type ValueOf<Name extends OptionName> = NonNullable<FormOptions[Name]>;

/** Names an option in messages; of a list, the item at `index`. */
type Label = (index?: number) => string;

/** The parts of a form, each of which an option may change. */
interface FormParts extends RunSettings {
  readonly unicode: UnicodeVersion;
}

/** An option: its row in the table that the library, the command, `serve` and the engines read. */
export interface FormOption<Name extends OptionName = OptionName> {
  readonly name: Name;
  /**
   * The name among the settings of a profile; undefined for the version of Unicode, which comes before them, and
   * for a preset, of which they have what it stands for.
   */
  readonly setting: string | undefined;
  /** The options that each of its values stands for. */
  readonly standsFor?: Readonly<Record<string, FormOptions>>;
  /** Options that it cannot be combined with, and why, where that is not plain. */
  readonly excludes?: readonly OptionName[];
  readonly excludesFor?: string;
  /** Why a profile cannot be computed for which `read` returns undefined. */
  readonly absent?: 'unknown-list' | 'unknown-rules';
  /**
   * Returns the value as a profile has it; undefined where it changes nothing.
   *
   * @throws {TypeError | RangeError} on a value that it cannot have
   */
  check(value: ValueOf<Name>, label: Label): ValueOf<Name> | undefined;
  /** Writes what follows the setting and `=` in a profile; '' for nothing. */
  write(value: ValueOf<Name>): string;
  /** Reads that; undefined where it names what this build, or `known`, has not. */
  read(text: string, known: SiteRuleSet | undefined): ValueOf<Name> | undefined;
  /** Returns what it adds to a form of the options before it. */
  apply(value: ValueOf<Name>, parts: FormParts): Partial<FormParts>;
}

/**
 * Lists of parameters that exist only to track. A list never changes: URLs hashed with it would get other hashes. A later
 * one has another name.
 */
export const TRACKING_LISTS: Readonly<Record<string, string>> = { 'tracking-2026': TRACKING_2026 };

/** The options that each preset stands for. A preset never changes: URLs hashed with it would get other hashes. */
const PRESETS = {
  'page-2026': { excludeFragment: 'but-routes', dropList: 'tracking-2026', sortParams: true },
} as const satisfies Readonly<Record<NonNullable<FormOptions['preset']>, FormOptions>>;

const PRESET_NAMES = Object.keys(PRESETS) as (keyof typeof PRESETS)[];

const PRESET: FormOption<'preset'> = {
  name: 'preset',
  setting: undefined,
  standsFor: PRESETS,
  check: () => undefined, // formOf has put in its place what it stands for
  write: String,
  read: () => undefined,
  apply: () => ({}),
};

const UNICODE: FormOption<'unicode'> = {
  name: 'unicode',
  setting: undefined,
  check: (version, label) => {
    const checked = mustBeOneOf(label(), version, UNICODE_VERSIONS);
    return checked === DEFAULT_UNICODE ? undefined : checked;
  },
  write: String,
  read: (text) => UNICODE_VERSIONS.find((version) => String(version) === text),
  apply: (unicode) => ({ unicode }),
};

const BUT_ROUTES = 'but-routes';

const EXCLUDE_FRAGMENT: FormOption<'excludeFragment'> = {
  name: 'excludeFragment',
  setting: 'exclude-fragment',
  check(value, label) {
    if (typeof value === 'string')
      return mustBeOneOf<boolean | 'but-routes'>(label(), value, [true, false, BUT_ROUTES]);
    return mustBeBoolean(label(), value) || undefined;
  },
  write: (value) => (value === BUT_ROUTES ? value : ''),
  read: (text) => (text === '' ? true : text === BUT_ROUTES ? text : undefined),
  apply: (excludeFragment) => ({ excludeFragment }),
};

const DROP_LIST: FormOption<'dropList'> = {
  name: 'dropList',
  setting: 'drop-list',
  check: (list, label) => mustBeOneOf(label(), list, Object.keys(TRACKING_LISTS)),
  absent: 'unknown-list',
  write: (list) => list,
  read: (text) => (Object.hasOwn(TRACKING_LISTS, text) ? text : undefined),
  apply: (list, { drop }) => ({ drop: [...drop, ...TRACKING_LISTS[list]!.split(' ')] }),
};

const DROP_PARAMS: FormOption<'dropParams'> = {
  name: 'dropParams',
  setting: 'drop-params',
  check: (names, label) => (mustBeNames(names, label).length === 0 ? undefined : sortedNames([...names])),
  write: writtenNames,
  read: readNames,
  apply: (names, { drop }) => ({ drop: [...drop, ...names.map(escapedName)] }),
};

const KEEP_PARAMS: FormOption<'keepParams'> = {
  name: 'keepParams',
  setting: 'keep-params',
  excludes: ['dropList', 'dropParams'],
  check(names, label) {
    if (mustBeNames(names, label).length === 0)
      throw new RangeError(`${label()} must have a name: what keeps no parameter is No-Vary-Search except=()`);
    return sortedNames([...names]);
  },
  write: writtenNames,
  read: readNames,
  apply: (keep) => ({ keep: keep.map(escapedName) }),
};

const FOLD: FormOption<'fold'> = {
  name: 'fold',
  setting: 'fold',
  check(folds, label) {
    if (!Array.isArray(folds)) throw wrongKind(label(), 'a list of folds', folds);
    for (const [index, fold] of folds.entries()) mustBeOneOf(label(index), fold, FOLDS);
    return folds.length === 0 ? undefined : FOLDS.filter((fold) => folds.includes(fold));
  },
  write: (folds) => folds.join(','),
  read: (text) => text.split(',') as Fold[],
  apply: (folds) => ({ folds }),
};

const NO_VARY_SEARCH: FormOption<'noVarySearch'> = {
  name: 'noVarySearch',
  setting: 'no-vary-search',
  excludes: ['dropList', 'dropParams', 'keepParams', 'sortParams'],
  excludesFor: 'the header alone says which parameters count',
  check(value, label) {
    const variance = SearchVariance.parse(mustBeString(label(), value));
    if (typeof variance === 'string') throw new NoVarySearchError(label(), value, variance);
    return variance.text;
  },
  // except=("a" "b") is except(a,b), and except=() is except: a profile has no spaces
  write: (value) => value.replace(/=\(\)|[="]/g, '').replace(/, | /g, ','),
  read: (text) =>
    text
      .replace(/\(([^()]*)\)/g, (_, names: string) => `=("${names.replaceAll(',', '" "')}")`)
      .replace(/\bexcept$/, 'except=()'),
  apply: (value) => ({ variance: SearchVariance.parse(value) as SearchVariance }),
};

const SITE_RULES: FormOption<'siteRules'> = {
  name: 'siteRules',
  setting: 'site-rules',
  absent: 'unknown-rules',
  check(rules, label) {
    // By its tag: that of another copy of this package is one, too.
    if (kindOf(rules) === 'SiteRules') return rules.text === '' ? undefined : rules;
    throw wrongKind(label(), 'SiteRules', rules);
  },
  write: ({ id }) => id,
  read: (id, known) => (known?.id === id ? known : undefined),
  apply: (sites) => ({ sites }),
};

const SORT_PARAMS: FormOption<'sortParams'> = {
  name: 'sortParams',
  setting: 'sort-params',
  check: (value, label) => mustBeBoolean(label(), value) || undefined,
  write: () => '',
  read: () => true,
  apply: () => ({ isSorted: true }),
};

/** Every option, in the order in which profiles and the help have them. */
export const FORM_OPTIONS: readonly FormOption[] = [
  PRESET,
  UNICODE,
  EXCLUDE_FRAGMENT,
  DROP_LIST,
  DROP_PARAMS,
  KEEP_PARAMS,
  FOLD,
  NO_VARY_SEARCH,
  SITE_RULES,
  SORT_PARAMS,
];

export const FORM_OPTION_NAMES: readonly string[] = FORM_OPTIONS.map(({ name }) => name);
/** The names of `Options`. */
export const OPTION_NAMES: readonly string[] = ['base', 'defaultScheme', ...FORM_OPTION_NAMES];

/** How a command line gives an option. */
export interface FormFlag {
  /**
   * The way in which it is given: as a switch, perhaps with a value after `=`; with a value, once for each item of a
   * list; or by the name of a file.
   */
  readonly kind: 'switch' | 'value' | 'list' | 'file';
  /** Without its `--`. */
  readonly flag: string;
  /** The name of its value in the help. */
  readonly operand?: string;
  readonly help: string;
  /** The values that it, or each item, may have. An item without choices is the name of a parameter. */
  readonly choices?: readonly (string | number)[];
  /** An empty list is an error. */
  readonly needsItem?: boolean;
}

/**
 * The options on command lines, and in what `npm run build` writes for engines: apart from FORM_OPTIONS, so that no
 * bundle of the library has these texts.
 */
export const FORM_FLAGS = {
  preset: {
    kind: 'value',
    flag: 'preset',
    operand: 'NAME',
    choices: PRESET_NAMES,
    help: 'page-2026: exclude-fragment=but-routes, drop-list and sort-params',
  },
  unicode: {
    kind: 'value',
    flag: 'unicode',
    operand: 'VERSION',
    choices: UNICODE_VERSIONS,
    help: 'version of Unicode for hosts beyond ASCII: 18 (default) or 17',
  },
  excludeFragment: {
    kind: 'switch',
    flag: 'exclude-fragment',
    operand: 'K',
    choices: [BUT_ROUTES],
    help: 'leave out fragments, all or but-routes (#!/… and #/…)',
  },
  dropList: {
    kind: 'value',
    flag: 'drop-list',
    operand: 'LIST',
    help: 'remove the parameters on a list: tracking-2026',
    choices: /* @__PURE__ */ Object.keys(TRACKING_LISTS),
  },
  dropParams: {
    kind: 'list',
    flag: 'drop-param',
    operand: 'NAME',
    help: "remove this parameter; 'NAME*' removes all that begin with NAME",
  },
  keepParams: {
    kind: 'list',
    flag: 'keep-param',
    operand: 'NAME',
    help: 'keep this parameter, and remove all that are not named',
    needsItem: true,
  },
  fold: {
    kind: 'list',
    flag: 'fold',
    operand: 'RULE',
    help: /* @__PURE__ */ foldHelp(),
    choices: FOLDS,
  },
  noVarySearch: {
    kind: 'value',
    flag: 'no-vary-search',
    operand: 'V',
    help: 'fold what V, a value of the header No-Vary-Search, says is one',
  },
  siteRules: { kind: 'file', flag: 'site-rules', operand: 'FILE', help: 'apply the rules for sites in FILE' },
  sortParams: { kind: 'switch', flag: 'sort-params', help: 'sort the parameters by name' },
} as const satisfies Readonly<Record<OptionName, FormFlag>>;

function foldHelp(): string {
  return `fold by ${FOLDS.slice(0, -1).join(', ')} or ${FOLDS.at(-1)}`;
}

/** A canonical form, of all that options choose from. */
export interface UrlForm {
  /** Plain data, as a profile has it: only what differs from its default, in the order of the table. */
  readonly options: FormOptions;
  readonly unicode: UnicodeVersion;
  /** Whether the serialization has no fragment; rules may exclude it later. */
  readonly excludeFragment: boolean;
  /** The rules that change the serialization; undefined for none. */
  readonly rules: PageRules | undefined;
}

/** The serialization of the standard, unchanged. */
export const FULL_FORM: UrlForm = {
  options: /* @__PURE__ */ ownProperties<FormOptions>(),
  unicode: DEFAULT_UNICODE,
  excludeFragment: false,
  rules: undefined,
};

/**
 * Checks options and compiles the form that they choose. Callers keep the result: the rules of a list take 18,000 ns.
 *
 * @param labelOf what an option, or an item of one, is called in messages
 */
export function formOf(given: FormOptions, labelOf = libraryLabel): UrlForm {
  const own = withoutPreset(ownProperties<FormOptions>(given), labelOf);
  const options = ownProperties<Partial<Record<OptionName, unknown>>>();
  let parts = FULL_PARTS;
  for (const option of FORM_OPTIONS) {
    const value = own[option.name];
    const checked = value === undefined ? value : option.check(value, (index) => labelOf(option, index));
    if (checked === undefined) continue;
    const excluded = FORM_OPTIONS.find(
      ({ name, excludes }) =>
        options[name] !== undefined && (option.excludes?.includes(name) || excludes?.includes(option.name)),
    );
    if (excluded !== undefined)
      throw new RangeError(
        cannotBeCombined(labelOf(excluded), labelOf(option), excluded.excludesFor ?? option.excludesFor),
      );
    options[option.name] = checked;
    parts = { ...parts, ...option.apply(checked, parts) };
  }
  const rival = parts.variance && rivalOf(parts, labelOf);
  if (rival !== undefined)
    throw new RangeError(cannotBeCombined(labelOf(NO_VARY_SEARCH), rival, NO_VARY_SEARCH.excludesFor));
  const rules = PageRules.from(parts);
  const excludeFragment = parts.excludeFragment === true && !rules?.excludesFragments;
  return { options: options as FormOptions, unicode: parts.unicode, excludeFragment, rules };
}

function cannotBeCombined(one: string, other: string, reason: string | undefined): string {
  return `${one} and ${other} cannot be combined${reason === undefined ? '' : `: ${reason}`}`;
}

/** Names the fold, or the rules for sites, that also say which parameters count; undefined without one. */
function rivalOf({ folds, sites }: FormParts, labelOf: typeof libraryLabel): string | undefined {
  const fold = folds.find(isOfParameters);
  if (fold !== undefined) return `${labelOf(FOLD)} ${fold}`;
  const hasRival = sites?.rules.some((rule) => rule.asksForParameters) ?? false;
  return hasRival ? `a line of ${labelOf(SITE_RULES)} that drops, keeps or sorts parameters` : undefined;
}

/**
 * Puts in a preset's place what it stands for, and leaves out all fragments if those are excluded.
 *
 * @throws {RangeError} where another option contradicts that
 */
function withoutPreset(given: FormOptions, labelOf: typeof libraryLabel): FormOptions {
  if (given.preset === undefined) return given;
  const meant = ownProperties<FormOptions>(PRESETS[mustBeOneOf(labelOf(PRESET), given.preset, PRESET_NAMES)]);
  const excludesAll = given.excludeFragment === true;
  for (const option of FORM_OPTIONS) {
    const { name, excludes = [], excludesFor } = option;
    const isOther = meant[name] === undefined ? excludes.some((each) => each in meant) : given[name] !== meant[name];
    const isStricter = excludesAll && name === EXCLUDE_FRAGMENT.name;
    if (given[name] !== undefined && isOther && !isStricter)
      throw new RangeError(cannotBeCombined(labelOf(PRESET), labelOf(option), excludesFor));
  }
  return ownProperties<FormOptions>(given, meant, excludesAll ? { excludeFragment: true } : {});
}

const FULL_PARTS: FormParts = {
  unicode: DEFAULT_UNICODE,
  excludeFragment: false,
  drop: [],
  keep: [],
  isSorted: false,
  folds: [],
  variance: undefined,
  sites: undefined,
};

/** Names an option as the library has it. */
function libraryLabel({ name }: FormOption, index?: number): string {
  return index === undefined ? name : `${name}[${index}]`;
}

function mustBeNames(names: readonly string[], label: Label): readonly string[] {
  if (!Array.isArray(names)) throw wrongKind(label(), 'a list of names', names);
  for (const [index, name] of names.entries()) mustBeName(label(index), name);
  return names;
}

function mustBeName(argument: string, name: string): void {
  const problem = nameProblem(mustBeString(argument, name));
  if (problem !== '') throw new RangeError(`${argument} must ${problem}, got ${quote(name)}`);
}

function writtenNames(names: readonly string[]): string {
  return names.map(escapedName).join(',');
}

function readNames(text: string): string[] {
  return text.split(',').map(unescapedName);
}
