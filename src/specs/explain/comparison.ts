import { mustBeOptions, mustBeUrl } from '../../core/argument.ts';
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

type Difference = Comparison['differences'][number];
export type Remedy = Comparison['remedies'][number];

/**
 * Compares two URLs: whether they have one key under the options, which part keeps them apart, and which preset, fold or
 * rule would make them one.
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
  const isSame = formOfBoth(explanations) !== undefined;
  const differences = isSame ? [] : differencesOf(explanations);
  const remedies = isSame ? [] : remediesFor(urls, own, explanations, candidates(explanations));
  return { isSame, profile: explanations[0].profile, explanations, differences, remedies };
}

type Urls = readonly [string, string];
type Both = Comparison['explanations'];

function explained([first, second]: Urls, options: Options): Both {
  return [explainUrl(first, options), explainUrl(second, options)];
}

function formOfBoth([{ canonical }, other]: Both): string | undefined {
  return canonical === other.canonical ? canonical : undefined;
}

function differencesOf(both: Both): Difference[] {
  if (both.some(({ failure }) => failure !== undefined)) return [];
  const [first, second] = both.map(partsOf) as [Map<string, string>, Map<string, string>];
  const names = new Set([...first.keys(), ...second.keys()]);
  return Array.from(names, (part) => ({ part, first: first.get(part), second: second.get(part) })).filter(
    (each) => each.first !== each.second,
  );
}

/** Returns the parts of a canonical form by their names. */
function partsOf({ canonical = '', parts }: Explanation): Map<string, string> {
  return new Map(parts.flatMap(({ name, canonical: span }) => (span ? [[name, canonical.slice(...span)]] : [])));
}

/** Returns single additions to options, those that change least among pages first. */
function candidates(both: Both): Options[] {
  const names = differingParameters(both);
  return [
    { preset: 'page-2026' },
    ...FOLDS.map((fold): Options => ({ fold: [fold] })),
    { sortParams: true },
    { dropList: 'tracking-2026' },
    ...(names.length === 0 ? [] : [{ dropParams: names }]),
    { excludeFragment: 'but-routes' },
    { excludeFragment: true },
    ...DEFAULT_SCHEMES.map((defaultScheme): Options => ({ defaultScheme })),
  ];
}

/** Returns the names of parameters that the forms do not have with the same values. */
function differingParameters(both: Both): string[] {
  const [first, second] = both.map(parametersOf) as [string[], string[]];
  const withName = (parameters: string[], name: string) => parameters.filter((each) => nameOf(each) === name).join('&');
  const isOther = (name: string) => withName(first, name) !== withName(second, name);
  const names = new Set([...first, ...second].map(nameOf));
  return [...names].filter((name) => name !== '' && !name.endsWith('*') && isOther(name)); // a * stands for any end
}

function parametersOf(explanation: Explanation): string[] {
  return (partsOf(explanation).get('query') ?? '').split('&');
}

function nameOf(parameter: string): string {
  return formDecoded(parameter.split('=', 1)[0]!);
}

/** Returns each addition that is enough alone, or else the fewest of all together that no other one can do without. */
function remediesFor(urls: Urls, own: Options, before: Both, added: readonly Options[]): Remedy[] {
  const alone = added.flatMap((each) => remedyOf(urls, own, before, [each]) ?? []);
  const isRoute = alone.some(({ added: { excludeFragment } }) => excludeFragment === 'but-routes');
  if (alone.length > 0) return alone.filter((each) => !(isRoute && each.added.excludeFragment === true));
  let together = added.filter(({ preset, defaultScheme }) => preset === undefined && defaultScheme !== 'http');
  let remedy = remedyOf(urls, own, before, together);
  for (const each of remedy === undefined ? [] : together.toReversed()) {
    const fewer = together.filter((other) => other !== each);
    const less = remedyOf(urls, own, before, fewer);
    if (less !== undefined) [remedy, together] = [less, fewer];
  }
  return remedy === undefined ? [] : [remedy];
}

/** Returns what additions do; undefined where they leave the URLs apart, or do not go with the options. */
function remedyOf(urls: Urls, own: Options, before: Both, additions: readonly Options[]): Remedy | undefined {
  const all = additions.reduce(joined, own);
  if (!canBeCombined(all)) return undefined;
  const both = explained(urls, all);
  const canonical = formOfBoth(both);
  if (canonical === undefined) return undefined;
  const known = new Set(before.flatMap(({ steps }) => steps.map(keyOf)));
  const steps = new Map(both.flatMap((each) => each.steps.map((step) => [keyOf(step), step] as const)));
  return {
    added: additions.reduce(joined, {}),
    canonical,
    steps: [...steps].flatMap(([key, step]) => (known.has(key) ? [] : [step])),
  };
}

function joined(options: Options, { fold, dropParams, ...added }: Options): Options {
  return {
    ...options,
    ...added,
    ...(fold && { fold: [...(options.fold ?? []), ...fold] }),
    ...(dropParams && { dropParams: [...(options.dropParams ?? []), ...dropParams] }),
  };
}

function canBeCombined({ base, defaultScheme, ...form }: Options): boolean {
  if (base !== undefined && defaultScheme !== undefined) return false;
  try {
    formOf(form);
    return true;
  } catch {
    return false;
  }
}

function keyOf({ part, change, clause }: Step): string {
  return `${part} ${change} ${clause.name}`;
}
