// docs/parameters.md defines what this file does.

import {
  FIRST_RULE,
  KEEP_ROUTES,
  LIST_QUERIES,
  LIST_SITES,
  LIST_UNSORTED,
  PARSE_FRAGMENTS,
} from '../../../assembly/layout.ts';
import { asciiBytes, asciiText } from '../bytes/text.ts';
import { FOLD_EMPTY_QUERY, FOLD_SESSION, PARAMETER_FOLDS, RUN_FOLDS, SESSION_NAMES } from './folds.ts';
import { beforeLine as beforeLineByBits, InForce, PageForm, partsOf } from './page-form.ts';
import { ParameterFilter, ParameterRules } from './parameters.ts';
import type { SearchVariance } from './search-variance.ts';

/** Settings of a line of a site's rules, or of a run. */
export interface PageSettings {
  /** Names of parameters, as profiles have them, escaped; of `keep`, undefined is no filter. */
  readonly drop: readonly string[];
  readonly keep: readonly string[] | undefined;
  readonly isSorted: boolean;
  readonly folds: readonly Fold[];
  /** Whether the fragment stays where the run excludes it: only a line says so. */
  readonly keepsFragment?: boolean;
}

/** A line of a site's rules. */
export interface SiteRule extends PageSettings {
  /** The length of its PATH in bytes, below which no fold shortens a path; 1 without one: the first slash. */
  readonly pathLength: number;
}

/** Rules for sites, as `SiteRules.parse` of `urlsum/site` reads them. */
export interface SiteRuleSet {
  /** One line per rule, from which another thread or machine makes the same rules. */
  readonly text: string;
  /** Names them in a profile. */
  readonly id: string;
  /** @internal Finds the rules for pages, as `Kernel.classifyRows` reads it. */
  readonly hostTable: Uint8Array;
  /** @internal By their numbers. Lines of equal settings have one rule: what is made of it is shared, in a cache too. */
  readonly rules: readonly SiteRule[];
  /**
   * @internal The line for a page, whose host comes without leading `www` labels. Of the lines that fit, that with the
   * longest HOST, then the longest PATH.
   */
  lineFor(host: string, path: string): SiteRuleLine | undefined;
}

/** A line of `SiteRuleSet.text`, and the number of its rule. */
export interface SiteRuleLine {
  readonly text: string;
  readonly rule: number;
}

/** Settings of a run. */
interface RunSettings extends PageSettings {
  readonly excludeFragment?: boolean | 'but-routes';
  readonly sites?: SiteRuleSet | undefined;
  /** Stands in place of what is said of parameters. */
  readonly variance?: SearchVariance | undefined;
}

/** Rules by which addresses of one page get one canonical form. */
export class PageRules extends PageForm {
  readonly #run: RunSettings;
  /** The settings in force, by the numbers of rules for sites. */
  readonly #inForce: InForce[] = [];
  readonly sites: SiteRuleSet | undefined;
  readonly variance: SearchVariance | undefined;
  /** The bits that `Kernel.classifyRows` is asked for. */
  readonly asked: number;

  private constructor(run: RunSettings) {
    const { sites, variance, excludeFragment } = run;
    const keepsSome = sites?.rules.some(({ keepsFragment }) => keepsFragment) ?? false;
    const keepsRoutes = excludeFragment === 'but-routes';
    const excludesFragments = keepsRoutes || (keepsSome && excludeFragment === true);
    const unfolded = inForceOf([{ ...run, folds: [] }], 1);
    super(inForceOf([run], 1), unfolded, sites !== undefined, keepsRoutes, excludesFragments, variance ?? null);
    this.#run = run;
    this.sites = sites;
    this.variance = variance;
    this.asked =
      askedOf(run) |
      (sites === undefined ? 0 : LIST_SITES) |
      (variance === undefined ? 0 : LIST_QUERIES) |
      (excludesFragments ? (keepsSome ? PARSE_FRAGMENTS : KEEP_ROUTES) : 0);
  }

  /** Returns undefined for rules that change nothing. */
  static from(run: RunSettings): PageRules | undefined {
    const rules = new PageRules(run);
    return rules.asked === 0 ? undefined : rules;
  }

  protected override inForceFor(host: string, path: string): InForce {
    return this.#inForceOf(this.sites?.lineFor(host, path)?.rule ?? -1);
  }

  protected override keptQuery(query: string, parameters: ParameterRules): string {
    parameters.hasDropped = false;
    if (query === '' || (parameters.keepsAll && query !== '?')) return query;
    const bytes = asciiBytes(query);
    const { length } = bytes;
    return parameters.affects(bytes, 0, length)
      ? asciiText(bytes.subarray(0, parameters.write(bytes, 0, length, 0)))
      : query;
  }

  /** Returns what a listed message's parameters are held against: `rule` is what `Kernel.classifyRows` lists. */
  parametersOf(rule: number): ParameterRules {
    return this.#inForceOf(rule - FIRST_RULE).parameters;
  }

  #inForceOf(number: number): InForce {
    if (number < 0) return this.runInForce;
    const rule = this.sites!.rules[number]!;
    return (this.#inForce[number] ??= inForceOf([this.#run, rule], rule.pathLength));
  }
}

/** Applies the folds of a run that come before a line for a site is selected. */
export function beforeLine(url: string, folds: readonly Fold[]): string {
  return beforeLineByBits(url, foldBits(folds));
}

/**
 * Returns the line of the rules for sites that applies to a canonical form; undefined if none does.
 *
 * @param canonical after the folds that come before
 */
export function siteLineOf(canonical: string, sites: SiteRuleSet | undefined): string | undefined {
  const parts = partsOf(canonical.replace(/[?#].*/s, ''));
  return sites?.lineFor(parts?.bareHost ?? '', parts?.path ?? '')?.text;
}

/** Merges settings: every fold, every filter, and sorted if one says so. */
function inForceOf(settings: readonly PageSettings[], pathLength: number): InForce {
  const drop = settings.flatMap((each) => each.drop);
  const filters = settings.flatMap(({ keep }) =>
    keep === undefined ? [] : [new ParameterFilter(false, [...keep], 0)],
  );
  if (drop.length > 0) filters.push(new ParameterFilter(true, drop, 0));
  const isSorted = settings.some((each) => each.isSorted);
  const folds = foldBits(settings.flatMap((each) => each.folds));
  if ((folds & FOLD_SESSION) !== 0) filters.push(new ParameterFilter(true, SESSION_NAMES, 0x20));
  const parameters = new ParameterRules(filters, isSorted, (folds & FOLD_EMPTY_QUERY) !== 0);
  return new InForce(
    folds,
    parameters,
    pathLength,
    settings.some((each) => each.keepsFragment),
  );
}

/** Whether a line says which parameters count, or in which order. */
export function asksForParameters({ drop, keep, isSorted, folds }: PageSettings): boolean {
  return drop.length > 0 || keep !== undefined || isSorted || folds.some(isOfParameters);
}

/** Returns what settings ask `Kernel.classifyRows` for. */
export function askedOf({ drop, keep, isSorted, folds }: PageSettings): number {
  const isFiltered = drop.length > 0 || keep !== undefined;
  return foldBits(folds) | (isFiltered ? LIST_QUERIES : 0) | (isSorted ? LIST_UNSORTED : 0);
}

/** The folds, as FOLD_NAMES of folds.ts has them: profiles and the help keep this order. */
export const FOLDS = ['empty-query', 'escapes', 'https', 'index', 'session', 'slash', 'www'] as const;

/**
 * Addresses of one page that are brought to one: without an empty query, escapes as RFC 3986 has them, `http` as `https`,
 * without index files, sessions, final slashes and `www`.
 */
export type Fold = (typeof FOLDS)[number];

export function isOfParameters(fold: Fold): boolean {
  return (foldBits([fold]) & PARAMETER_FOLDS) !== 0;
}

/** Whether a line of site rules may ask for the fold. */
export function isOfLines(fold: Fold): boolean {
  return (foldBits([fold]) & RUN_FOLDS) === 0;
}

/** Returns a bit for each fold, as folds.ts and the kernel have them. */
export function foldBits(folds: readonly Fold[]): number {
  return folds.reduce((bits, fold) => bits | (1 << FOLDS.indexOf(fold)), 0);
}
