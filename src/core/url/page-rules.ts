import { FIRST_RULE, LIST_QUERIES, LIST_SITES, LIST_UNSORTED } from '../../../assembly/layout.ts';
import { type Fold, foldBits, foldedEscapes, foldedPath, SESSION_NAMES, withoutSessions, withoutWww } from './fold.ts';
import { ParameterFilter, ParameterRules } from './parameters.ts';
import type { SearchVariance } from './search-variance.ts';

// docs/parameters.md defines what this file does.

/** What a line of a site's rules, or a run, asks for. */
export interface PageSettings {
  /** Names of parameters, as the options have them; of `keep`, undefined is no filter. */
  readonly drop: readonly string[];
  readonly keep: readonly string[] | undefined;
  readonly isSorted: boolean;
  readonly folds: readonly Fold[];
}

/** A line of a site's rules. */
export interface SiteRule extends PageSettings {
  /** Of its PATH in bytes: a folded path does not become shorter. 1 without one: the first slash. */
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

/** What a run asks for. */
interface RunSettings extends PageSettings {
  readonly sites?: SiteRuleSet | undefined;
  /** Stands in place of what is said of parameters. */
  readonly variance?: SearchVariance | undefined;
}

/** What is in force for a page. */
interface InForce {
  readonly folds: readonly Fold[];
  readonly parameters: ParameterRules;
  readonly pathLength: number;
}

/** The parts of an http or https URL before its query: its scheme, user, host, port and path. */
const PAGE = /^(https?):\/\/([^/@]*@)?(\[[^\]]*\]|[^/:]*)(:\d+)?(.*)$/s;

/** Rules by which addresses of one page get one canonical form. */
export class PageRules {
  readonly #run: RunSettings;
  readonly #runInForce: InForce;
  /** For URLs that are not pages: no fold is. */
  readonly #unfoldedInForce: InForce;
  /** By the numbers of rules for sites. */
  readonly #inForce: InForce[] = [];
  readonly #readsPages: boolean;
  readonly sites: SiteRuleSet | undefined;
  readonly variance: SearchVariance | undefined;
  /** What `Kernel.classifyRows` is asked for. */
  readonly asked: number;

  /** Whether the form that `applyToText` was given last lost a parameter. */
  hasDropped = false;

  private constructor(run: RunSettings) {
    this.#run = run;
    this.#runInForce = inForceOf([run], 1);
    this.#unfoldedInForce = inForceOf([{ ...run, folds: [] }], 1);
    this.sites = run.sites;
    this.variance = run.variance;
    this.#readsPages = run.sites !== undefined || run.folds.length > 0;
    this.asked =
      askedOf(run) | (run.sites === undefined ? 0 : LIST_SITES) | (run.variance === undefined ? 0 : LIST_QUERIES);
  }

  /** Returns undefined for rules that change nothing. */
  static from(run: RunSettings): PageRules | undefined {
    const rules = new PageRules(run);
    return rules.asked === 0 ? undefined : rules;
  }

  /** Returns what the rules make of a canonical form; shorter or longer, or the same. */
  applyToText(given: string): string {
    this.hasDropped = false;
    const url = beforeLine(given, this.#run.folds);
    const fragment = url.indexOf('#');
    const queryEnd = fragment === -1 ? url.length : fragment;
    const question = url.indexOf('?');
    const pageEnd = question === -1 || question > queryEnd ? queryEnd : question;
    if (pageEnd === queryEnd && !this.#readsPages) return url;
    const [page, { parameters }] = this.#folded(url.slice(0, pageEnd));
    const query = url.slice(pageEnd, queryEnd);
    const isOpaque = url[url.indexOf(':') + 1] !== '/';
    const kept = isOpaque ? query : (this.variance ?? parameters).applyToText(query);
    this.hasDropped = kept.length < query.length;
    return page + kept + url.slice(queryEnd);
  }

  /** Returns what the rules make of all before the query, and what is in force for that. */
  #folded(given: string): readonly [page: string, inForce: InForce] {
    const parts = this.#readsPages ? PAGE.exec(given) : null;
    if (parts === null) return [given, this.#unfoldedInForce];
    const [, scheme, user = '', host = '', port = '', path = ''] = parts;
    const bareHost = withoutWww(host);
    const inForce = this.#inForceOf(this.sites?.lineFor(bareHost, path)?.rule ?? -1);
    const { folds, pathLength } = inForce;
    const keptScheme = folds.includes('https') && port === '' ? 'https' : scheme;
    const keptHost = folds.includes('www') ? bareHost : host;
    return [`${keptScheme}://${user}${keptHost}${port}${foldedPath(path, folds, pathLength)}`, inForce];
  }

  /** Returns what a listed message's parameters are held against: `rule` is what `Kernel.classifyRows` lists. */
  parametersOf(rule: number): ParameterRules {
    return this.#inForceOf(rule - FIRST_RULE).parameters;
  }

  #inForceOf(number: number): InForce {
    if (number < 0) return this.#runInForce;
    const rule = this.sites!.rules[number]!;
    return (this.#inForce[number] ??= inForceOf([this.#run, rule], rule.pathLength));
  }
}

/** Applies the folds of a run that come before a line for a site is selected. */
export function beforeLine(url: string, folds: readonly Fold[]): string {
  if (!folds.includes('escapes') && !folds.includes('session')) return url;
  const [, authority, rest] = /^(https?:\/\/[^/]*)(.*)$/s.exec(url) ?? [];
  if (authority === undefined) return url;
  const folded = folds.includes('escapes') ? foldedEscapes(rest!) : rest!;
  if (!folds.includes('session')) return authority + folded;
  return authority + folded.replace(/^[^?#]*/, withoutSessions);
}

/**
 * Returns the line of the rules for sites that applies to a canonical form; undefined if none does.
 *
 * @param canonical after the folds that come before
 */
export function siteLineOf(canonical: string, sites: SiteRuleSet | undefined): string | undefined {
  const [, , , host = '', , path = ''] = PAGE.exec(canonical.replace(/[?#].*/s, '')) ?? [];
  return sites?.lineFor(withoutWww(host), path)?.text;
}

/** What several ask for together: every fold, every filter, and sorted if one says so. */
function inForceOf(settings: readonly PageSettings[], pathLength: number): InForce {
  const drop = settings.flatMap((each) => each.drop);
  const filters = settings.flatMap(({ keep }) => (keep === undefined ? [] : [new ParameterFilter('keep', keep)]));
  if (drop.length > 0) filters.push(new ParameterFilter('drop', drop));
  const isSorted = settings.some((each) => each.isSorted);
  const folds = settings.flatMap((each) => each.folds);
  if (folds.includes('session')) filters.push(new ParameterFilter('drop', SESSION_NAMES, 0x20));
  return { folds, parameters: new ParameterRules(filters, isSorted, folds.includes('empty-query')), pathLength };
}

/** Returns what settings ask `Kernel.classifyRows` for. */
export function askedOf({ drop, keep, isSorted, folds }: PageSettings): number {
  const isFiltered = drop.length > 0 || keep !== undefined;
  return foldBits(folds) | (isFiltered ? LIST_QUERIES : 0) | (isSorted ? LIST_UNSORTED : 0);
}
