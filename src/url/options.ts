import { mustBeBoolean, mustBeOneOf, mustBeOptions, type UrlObject, wrongKind } from '../argument.ts';
import { PageRules } from './page-rules.ts';
import { mustBeName, sortedNames } from './parameter-name.ts';
import { TRACKING_LISTS } from './parameters.ts';

/** Which canonical form is meant: what `profileOf` names, and `optionsOf` returns. */
export interface FormOptions {
  /** Leaves out the fragment and its `#`, as the "exclude fragment" flag of the URL serializer does. Default: false. */
  readonly excludeFragment?: boolean | undefined;
  /**
   * Names of parameters that are removed from the query, case included; a final `*` stands for any end. docs/parameters.md
   * defines it. Default: none.
   */
  readonly dropParams?: readonly string[] | undefined;
  /** The name of a list of such parameters that never changes: 'tracking-2026'. Default: none. */
  readonly dropList?: string | undefined;
  /** Sorts the parameters of the query by the bytes of their decoded names. Default: false. */
  readonly sortParams?: boolean | undefined;
}

/** What `canonicalize`, `UrlHash.of` and the like take: the canonical form, and the base. */
export interface Options extends FormOptions {
  /** What relative URLs are resolved against; without it, they are not URLs. */
  readonly base?: string | UrlObject | undefined;
}

export const FORM_OPTIONS = ['excludeFragment', 'dropParams', 'dropList', 'sortParams'] as const;

/** A canonical form, of all that options choose from. */
export interface UrlForm {
  readonly excludeFragment: boolean;
  /** Sorted by their bytes, each once. */
  readonly dropParams: readonly string[];
  readonly dropList: string | undefined;
  readonly sortParams: boolean;
  /** The last three, compiled; undefined if they change nothing. */
  readonly rules: PageRules | undefined;
}

/** The serialization of the standard, unchanged. */
export const FULL_FORM: UrlForm = {
  excludeFragment: false,
  dropParams: [],
  dropList: undefined,
  sortParams: false,
  rules: undefined,
};

/**
 * @throws {TypeError} on what is not an object, or an option of the wrong kind
 * @throws {RangeError} on an option, a list or a name of a parameter that does not exist or cannot be one
 */
export function checkedForm(options: FormOptions | undefined): UrlForm {
  return options === undefined ? FULL_FORM : formOf(mustBeOptions('options', options, FORM_OPTIONS));
}

/** Compiles a form's options, where others were checked with these: the rules of a list take 18,000 ns. */
export function formOf(options: FormOptions): UrlForm {
  const { excludeFragment = false, dropParams = [], dropList, sortParams = false } = options;
  mustBeBoolean('excludeFragment', excludeFragment);
  mustBeNames(dropParams);
  if (dropList !== undefined) mustBeOneOf('dropList', dropList, Object.keys(TRACKING_LISTS));
  mustBeBoolean('sortParams', sortParams);
  const names = sortedNames(dropParams);
  const listed = dropList === undefined ? [] : TRACKING_LISTS[dropList]!.split(' ');
  const rules = PageRules.from({ drop: [...listed, ...names], keep: undefined, isSorted: sortParams, folds: [] });
  return { excludeFragment, dropParams: names, dropList, sortParams, rules };
}

/** Returns the options that `formOf` makes the same form of: plain data, for another thread. */
export function optionsOfForm({ dropList, rules: _, ...options }: UrlForm): FormOptions {
  return dropList === undefined ? options : { ...options, dropList };
}

function mustBeNames(names: readonly string[]): void {
  if (!Array.isArray(names)) throw wrongKind('dropParams', 'a list of names', names);
  for (const [index, name] of names.entries()) mustBeName(`dropParams[${index}]`, name);
}
