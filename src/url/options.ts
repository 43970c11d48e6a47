import { mustBeBoolean, mustBeOneOf, mustBeOptions, mustBeString, wrongKind } from '../argument.ts';
import { LONE_SURROGATE } from '../bytes/code-points.ts';
import { compareBytes } from '../bytes/compare.ts';
import { textEncoder } from '../bytes/utf8.ts';
import { ParameterRules, TRACKING_LISTS } from './parameters.ts';

/** What `canonicalize`, `profileOf` and the static functions `of` take: which canonical form is meant. */
export interface CanonicalizeOptions {
  /** Leaves out the fragment and its `#`, as the "exclude fragment" flag of the URL serializer does. Default: false. */
  readonly excludeFragment?: boolean;
  /**
   * Names of parameters that are removed from the query, case included; a final `*` stands for any end. docs/parameters.md
   * defines it. Default: none.
   */
  readonly dropParams?: readonly string[];
  /** The name of a list of such parameters that never changes: 'tracking-2026'. Default: none. */
  readonly dropList?: string;
  /** Sorts the parameters of the query by the bytes of their decoded names. Default: false. */
  readonly sortParams?: boolean;
}

export const CANONICALIZE_OPTIONS = ['excludeFragment', 'dropParams', 'dropList', 'sortParams'] as const;

/** A canonical form, of all that options choose from. */
export interface UrlForm {
  readonly excludeFragment: boolean;
  /** Sorted by their bytes, each once. */
  readonly dropParams: readonly string[];
  readonly dropList: string | undefined;
  readonly sortParams: boolean;
  /** The last three, compiled; undefined if they leave every query as it is. */
  readonly parameters: ParameterRules | undefined;
}

/** The serialization of the standard, unchanged. */
export const FULL_FORM: UrlForm = {
  excludeFragment: false,
  dropParams: [],
  dropList: undefined,
  sortParams: false,
  parameters: undefined,
};

/**
 * @throws {TypeError} on what is not an object, or an option of the wrong kind
 * @throws {RangeError} on an option, a list or a name of a parameter that does not exist or cannot be one
 */
export function checkedForm(options: CanonicalizeOptions | undefined): UrlForm {
  if (options === undefined) return FULL_FORM;
  mustBeOptions('options', options, CANONICALIZE_OPTIONS);
  return formOf(options);
}

/** Does the same where other options were checked with these. */
export function formOf(options: CanonicalizeOptions): UrlForm {
  const { excludeFragment = false, dropParams = [], dropList, sortParams = false } = options;
  const settings = {
    excludeFragment: mustBeBoolean('excludeFragment', excludeFragment),
    dropParams: checkedNames(dropParams),
    dropList: dropList === undefined ? undefined : mustBeOneOf('dropList', dropList, Object.keys(TRACKING_LISTS)),
    sortParams: mustBeBoolean('sortParams', sortParams),
  };
  return { ...settings, parameters: rulesOf(settings) };
}

/** Returns the options that `formOf` makes the same form of: plain data, for another thread. */
export function optionsOfForm({ dropList, parameters: _, ...options }: UrlForm): CanonicalizeOptions {
  return dropList === undefined ? options : { ...options, dropList };
}

function rulesOf({ dropParams, dropList, sortParams }: Omit<UrlForm, 'parameters'>): ParameterRules | undefined {
  const listed = dropList === undefined ? [] : TRACKING_LISTS[dropList]!.split(' ');
  const names = [...listed, ...dropParams];
  if (names.length === 0 && !sortParams) return undefined;
  const dropped = names.map((name) => {
    const isPrefix = name.endsWith('*');
    return { bytes: textEncoder().encode(isPrefix ? name.slice(0, -1) : name), isPrefix };
  });
  return new ParameterRules(dropped, sortParams);
}

function checkedNames(names: readonly string[]): string[] {
  if (!Array.isArray(names)) throw wrongKind('dropParams', 'a list of names', names);
  for (const [index, name] of names.entries()) mustBeName(`dropParams[${index}]`, name);
  return [...new Set(names)].sort(byBytes);
}

function mustBeName(argument: string, name: string): void {
  const isName = /^[^*]+\*?$/.test(mustBeString(argument, name));
  if (isName && name.search(LONE_SURROGATE) === -1) return;
  const reason = isName ? 'not hold half a surrogate pair' : "be a name, or the beginning of one and '*'";
  throw new RangeError(`${argument} must ${reason}, got ${JSON.stringify(name)}`);
}

/** Orders by UTF-8 bytes, which is the order of code points. */
function byBytes(one: string, other: string): number {
  const [left, right] = [textEncoder().encode(one), textEncoder().encode(other)];
  return compareBytes(left, 0, left.length, right, 0, right.length);
}
