// docs/parameters.md defines what this file does.

import { asciiBytes, asciiText } from '../bytes/text.ts';
import { PARAMETER_FOLDS } from './folds.ts';
import {
  beforeLine as beforeLineByBits,
  EXCLUDES_ALL,
  EXCLUDES_BUT_ROUTES,
  EXCLUDES_NONE,
  PageForm,
} from './page-form.ts';
import { partsOf } from './page-parts.ts';
import { PageSettings } from './page-settings.ts';
import type { ParameterRules } from './parameters.ts';
import type { SearchVariance } from './search-variance.ts';

/** Rules for sites, as `SiteRules.parse` of `urlsum/site` reads them. */
export interface SiteRuleSet {
  /** One line per rule, from which another thread or machine makes the same rules. */
  readonly text: string;
  /** Names them in a profile. */
  readonly id: string;
  /** @internal Finds the rules for pages, as `Kernel.classifyRows` reads it. */
  readonly hostTable: Uint8Array;
  /** @internal By their numbers. Lines of equal settings have one rule: what is made of it is shared, in a cache too. */
  readonly rules: readonly PageSettings[];
  /**
   * @internal The line for a page, whose host comes without leading `www` labels. Of the lines that fit, that with the
   * longest HOST, then the longest PATH.
   */
  lineFor(host: string, path: string): SiteRuleLine | null;
}

/** A line of `SiteRuleSet.text`, and the number of its rule. */
export interface SiteRuleLine {
  readonly text: string;
  readonly rule: number;
}

/** Settings of a run. */
export interface RunSettings {
  readonly drop: readonly string[];
  readonly keep: readonly string[];
  readonly isSorted: boolean;
  readonly folds: readonly Fold[];
  readonly excludeFragment: boolean | 'but-routes';
  readonly sites?: SiteRuleSet | undefined;
  /** Stands in place of what is said of parameters. */
  readonly variance?: SearchVariance | undefined;
}

/** Rules by which addresses of one page get one canonical form. */
export class PageRules extends PageForm {
  readonly sites: SiteRuleSet | undefined;
  readonly variance: SearchVariance | undefined;

  private constructor({ drop, keep, isSorted, folds, excludeFragment, sites, variance }: RunSettings) {
    const run = new PageSettings();
    run.drop = [...drop];
    run.keep = [...keep];
    run.isSorted = isSorted;
    run.folds = foldBits(folds);
    const fragment =
      excludeFragment === 'but-routes' ? EXCLUDES_BUT_ROUTES : excludeFragment ? EXCLUDES_ALL : EXCLUDES_NONE;
    super(run, [...(sites?.rules ?? [])], fragment, variance ?? null);
    this.sites = sites;
    this.variance = variance;
  }

  /** Returns undefined for rules that change nothing. */
  static from(run: RunSettings): PageRules | undefined {
    const rules = new PageRules(run);
    return rules.changesForms ? rules : undefined;
  }

  protected override ruleFor(host: string, path: string): number {
    return this.sites?.lineFor(host, path)?.rule ?? -1;
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

/** Returns a bit for each fold, as folds.ts and the kernel have them. */
export function foldBits(folds: readonly Fold[]): number {
  return folds.reduce((bits, fold) => bits | (1 << FOLDS.indexOf(fold)), 0);
}
