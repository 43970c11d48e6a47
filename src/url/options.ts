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

let last: { readonly key: string; readonly form: UrlForm } | undefined;

/**
 * Does the same where other options were checked with these. The last form is kept: callers pass the same options with
 * one URL after another, and compiling the rules of a list takes 18,000 ns.
 */
export function formOf(options: CanonicalizeOptions): UrlForm {
  const { excludeFragment = false, dropParams = [], dropList, sortParams = false } = options;
  mustBeBoolean('excludeFragment', excludeFragment);
  mustBeNames(dropParams);
  if (dropList !== undefined) mustBeOneOf('dropList', dropList, Object.keys(TRACKING_LISTS));
  mustBeBoolean('sortParams', sortParams);
  const key = JSON.stringify([excludeFragment, dropParams, dropList, sortParams]);
  if (last?.key === key) return last.form;
  const names = [...new Set(dropParams)].sort(byBytes);
  const listed = dropList === undefined ? [] : TRACKING_LISTS[dropList]!.split(' ');
  const hasRules = listed.length + names.length > 0 || sortParams;
  const parameters = hasRules ? new ParameterRules([...listed, ...names], sortParams) : undefined;
  const form = { excludeFragment, dropParams: names, dropList, sortParams, parameters };
  last = { key, form };
  return form;
}

/** Returns the options that `formOf` makes the same form of: plain data, for another thread. */
export function optionsOfForm({ dropList, parameters: _, ...options }: UrlForm): CanonicalizeOptions {
  return dropList === undefined ? options : { ...options, dropList };
}

function mustBeNames(names: readonly string[]): void {
  if (!Array.isArray(names)) throw wrongKind('dropParams', 'a list of names', names);
  for (const [index, name] of names.entries()) mustBeName(`dropParams[${index}]`, name);
}

function mustBeName(argument: string, name: string): void {
  const isName = /^[^*]+\*?$/.test(mustBeString(argument, name));
  if (isName && name.search(LONE_SURROGATE) === -1) return;
  const reason = isName ? 'not hold a lone surrogate' : "be a name, with '*' only at its end";
  throw new RangeError(`${argument} must ${reason}, got ${JSON.stringify(name)}`);
}

/** Orders by UTF-8 bytes, which is the order of code points. */
function byBytes(one: string, other: string): number {
  const [left, right] = [textEncoder().encode(one), textEncoder().encode(other)];
  return compareBytes(left, 0, left.length, right, 0, right.length);
}
