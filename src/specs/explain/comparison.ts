import { mustBeOptions, mustBeUrl } from '../../core/argument.ts';
import { canonicalForm, parseBase } from '../../core/url/canonicalize.ts';
import { formOf, OPTION_NAMES, type Options } from '../../core/url/options.ts';
import { FOLDS } from '../../core/url/page-rules.ts';
import { DEFAULT_SCHEMES } from '../../core/url/parsed-url.ts';
import { formDecoded } from '../../core/url/query-variance.ts';
import type { Explanation, Step } from './explanation.ts';
import { explainUrl } from './url.ts';

/** The answer to whether two URLs have one key. */
export interface Comparison {
  /** Whether both have one canonical form. */
  readonly isSame: boolean;
  /** The name of that form, which the options given choose. */
  readonly profile: string;
  /** The explanations of both URLs, in their order. */
  readonly explanations: readonly [first: Explanation, second: Explanation];
  /** The parts that keep the forms apart; empty where they are one, and where a URL has none. */
  readonly differences: readonly {
    /** The name that the URL Standard gives the part, as `query`. */
    readonly part: string;
    /** The part in the first form; undefined where that has none. */
    readonly first: string | undefined;
    /** The part in the second form; undefined where that has none. */
    readonly second: string | undefined;
  }[];
  /**
   * The options that would make the URLs one: every option that does alone, in the order of their names here: presets,
   * folds, sorted and removed parameters, fragments, default schemes. Where none does alone, a few that do together;
   * empty where nothing does.
   */
  readonly remedies: readonly {
    /** The options that are added to those given; a list of names is added to the list that was given. */
    readonly added: Options;
    /** The form of both URLs under all options. */
    readonly canonical: string;
    /** The steps of both URLs that the added options ask for, each with its clause. */
    readonly steps: readonly Step[];
  }[];
}

/**
 * Compares two URLs: whether they have one key under the options, which part keeps them apart, and which preset, fold
 * or rule would make them one.
 *
 * @param first one of the URLs
 * @param second the other one
 * @param options those of `canonicalize`
 * @returns the answer; a URL that has no canonical form is the same as none
 * @throws {TypeError} where a URL or an option is of the wrong kind; as a `UrlError` on a bad base
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const { isSame, differences, remedies } = compare('https://a.example/?id=1&utm_source=x', 'https://a.example/?id=1');
 * isSame; //=> false
 * differences; //=> [{ part: 'query', first: 'id=1&utm_source=x', second: 'id=1' }]
 * remedies.map(({ added }) => added);
 * //=> [{ preset: 'page-2026' }, { dropList: 'tracking-2026' }, { dropParams: ['utm_source'] }]
 * remedies[1]?.steps[0]?.clause.name; //=> 'docs/parameters.md, What stays'
 */
export function compare(first: string | URL, second: string | URL, options: Options = {}): Comparison {
  const urls = [mustBeUrl('first', first), mustBeUrl('second', second)] as const;
  const own: Options = mustBeOptions('options', options, OPTION_NAMES);
  const explanations = explained(urls, own);
  const [{ profile, canonical }, other] = explanations;
  if (canonical !== undefined && canonical === other.canonical)
    return { isSame: true, profile, explanations, differences: [], remedies: [] };
  const remedies = sufficient(urls, own, explanations).map((added) => remedy(urls, own, explanations, added));
  return { isSame: false, profile, explanations, differences: differencesOf(explanations), remedies };
}

type Urls = readonly [string, string];
type Both = Comparison['explanations'];
type TextsByName = ReadonlyMap<string, string>;

function explained([first, second]: Urls, options: Options): Both {
  return [explainUrl(first, options), explainUrl(second, options)];
}

function differencesOf(both: Both): Comparison['differences'] {
  if (both.some(({ failure }) => failure !== undefined)) return [];
  const [first, second] = both.map(partsOf) as [TextsByName, TextsByName];
  return differing(first, second).map((part) => ({ part, first: first.get(part), second: second.get(part) }));
}

function differing(first: TextsByName, second: TextsByName): string[] {
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names].filter((name) => first.get(name) !== second.get(name));
}

/** Returns the parts of a canonical form. */
function partsOf({ canonical = '', parts }: Explanation): TextsByName {
  return new Map(parts.flatMap(({ name, canonical: span }) => (span ? [[name, canonical.slice(...span)]] : [])));
}

/** Returns the parameters of a canonical form; those of one name are one text. */
function parametersOf(explanation: Explanation): TextsByName {
  const texts = new Map<string, string>();
  for (const parameter of (partsOf(explanation).get('query') ?? '').split('&')) {
    const name = formDecoded(parameter.split('=', 1)[0]!);
    texts.set(name, `${texts.get(name) ?? ''}&${parameter}`);
  }
  return texts;
}

/** Returns the additions that are tried, those that change least among pages first. */
function candidates([first, second]: Both): Options[] {
  const names = differing(parametersOf(first), parametersOf(second));
  const dropParams = names.filter((name) => name !== '' && !name.endsWith('*')); // a * stands for any end
  return [
    { preset: 'page-2026' },
    ...FOLDS.map((fold): Options => ({ fold: [fold] })),
    { sortParams: true },
    { dropList: 'tracking-2026' },
    ...(dropParams.length === 0 ? [] : [{ dropParams }]),
    { excludeFragment: 'but-routes' },
    { excludeFragment: true },
    ...DEFAULT_SCHEMES.map((defaultScheme): Options => ({ defaultScheme })),
  ];
}

/** Returns each addition that is enough alone, or else the fewest together that no other can do without. */
function sufficient(urls: Urls, own: Options, before: Both): Options[] {
  const isEnough = (added: readonly Options[]) => haveOneForm(urls, added.reduce(joined, own)) === true;
  const possible = candidates(before).filter((each) => haveOneForm(urls, joined(own, each)) !== undefined);
  const alone = possible.filter((each) => isEnough([each]));
  const keepsRoutes = alone.some(({ excludeFragment }) => excludeFragment === 'but-routes');
  if (alone.length > 0) return alone.filter(({ excludeFragment }) => !(keepsRoutes && excludeFragment === true));
  const all = possible.filter(({ preset, defaultScheme }) => preset === undefined && defaultScheme !== 'http');
  if (!isEnough(all)) return [];
  const without = (each: Options, added: readonly Options[]) => added.filter((other) => other !== each);
  const fewest = all.reduceRight((added, each) => (isEnough(without(each, added)) ? without(each, added) : added), all);
  return [fewest.reduce(joined, {})];
}

/** Whether both URLs have one form; undefined where the options cannot be combined. */
function haveOneForm([first, second]: Urls, options: Options): boolean | undefined {
  try {
    const form = formOf(options); // not by tryCanonicalize, which would keep each of them for its next call
    const base = parseBase(options, form);
    const canonical = canonicalForm(first, base, form);
    return typeof canonical === 'string' && canonical === canonicalForm(second, base, form);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Adds options to others: lists are joined, and other values replaced. */
function joined(options: Options, { fold, dropParams, ...added }: Options): Options {
  return {
    ...options,
    ...added,
    ...(fold && { fold: [...(options.fold ?? []), ...fold] }),
    ...(dropParams && { dropParams: [...(options.dropParams ?? []), ...dropParams] }),
  };
}

/** Says what an addition does, by the steps that neither URL took before. */
function remedy(urls: Urls, own: Options, before: Both, added: Options): Comparison['remedies'][number] {
  const keyOf = ({ part, change, clause }: Step) => `${part} ${change} ${clause.name}`;
  const after = explained(urls, joined(own, added));
  const steps = new Map(after.flatMap((each) => each.steps.map((step) => [keyOf(step), step] as const)));
  for (const step of before.flatMap((each) => each.steps)) steps.delete(keyOf(step));
  return { added, canonical: after[0].canonical!, steps: [...steps.values()] };
}
