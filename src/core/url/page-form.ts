// docs/parameters.md defines what this file does.

import {
  FIRST_RULE,
  FOLD_EMPTY_QUERY,
  FOLD_ESCAPES,
  FOLD_SESSION,
  LEAVE_FRAGMENTS,
  LEAVE_ROUTES,
  LIST_QUERIES,
  LIST_SITES,
} from '../../../assembly/layout.ts';
import { codeAt, SLASH } from '../bytes/code-points.ts';
import { foldedEscapes, isPage, isRoute, pathStart, withoutSessions } from './folds.ts';
import { partsOf } from './page-parts.ts';
import { InForce, PageSettings } from './page-settings.ts';
import { ParameterRules } from './parameters.ts';
import { QueryVariance } from './query-variance.ts';

/** Folds that leave all before a query to the others. */
const QUERY_FOLDS: i32 = FOLD_EMPTY_QUERY | FOLD_ESCAPES | FOLD_SESSION;

/** Fragments that are excluded. */
export const EXCLUDES_NONE: i32 = 0;
export const EXCLUDES_ALL: i32 = 1;
export const EXCLUDES_BUT_ROUTES: i32 = 2;

const NO_LINE: PageSettings = /* @__PURE__ */ new PageSettings();

/** Rules of a run, and of sites, for canonical forms. */
export abstract class PageForm {
  private readonly run: PageSettings;
  /** The settings of lines of site rules, by the numbers of rules; none without site rules. */
  private readonly rules: PageSettings[];
  /** No-Vary-Search, which replaces the rules for parameters. */
  private readonly queryVariance: QueryVariance | null;
  private readonly runInForce: InForce;
  /** Settings in force for URLs that are not pages: no fold is. */
  private readonly unfoldedInForce: InForce;
  /** Settings in force by the numbers of rules, made at first use. */
  private readonly inForce: (InForce | null)[];
  /** Whether pages are taken apart: there are site rules, or folds beyond QUERY_FOLDS. */
  private readonly readsPages: bool;
  private readonly keepsRoutes: bool;
  /** Whether they leave out fragments themselves, since they keep some that the run excludes. */
  readonly excludesFragments: bool;
  /** The bits of what `Kernel.classifyRows` folds, lists, and leaves to the parser. */
  readonly folds: i32;
  readonly lists: i32;
  readonly leaves: i32;

  /** Whether the form that `applyToText` was given last lost a parameter, of its path or its query. */
  hasDropped: bool = false;

  /** @param fragment EXCLUDES_NONE, EXCLUDES_ALL or EXCLUDES_BUT_ROUTES */
  constructor(run: PageSettings, rules: PageSettings[], fragment: i32, variance: QueryVariance | null) {
    let keepsSome = false;
    const inForce: (InForce | null)[] = [];
    for (let at = 0; at < rules.length; at++) {
      if (rules[at]!.keepsFragment) keepsSome = true;
      inForce.push(null);
    }
    const keepsRoutes = fragment === EXCLUDES_BUT_ROUTES;
    const excludesFragments = keepsRoutes || (keepsSome && fragment === EXCLUDES_ALL);
    this.run = run;
    this.rules = rules;
    this.inForce = inForce;
    this.queryVariance = variance;
    this.runInForce = new InForce(run, NO_LINE, run.folds);
    this.unfoldedInForce = new InForce(run, NO_LINE, 0);
    this.readsPages = rules.length > 0 || (run.folds & ~QUERY_FOLDS) !== 0;
    this.keepsRoutes = keepsRoutes;
    this.excludesFragments = excludesFragments;
    this.folds = run.folds;
    this.lists = run.lists | (rules.length > 0 ? LIST_SITES : 0) | (variance !== null ? LIST_QUERIES : 0);
    this.leaves = excludesFragments ? (keepsSome ? LEAVE_FRAGMENTS : LEAVE_ROUTES) : 0;
  }

  get changesForms(): bool {
    return (this.folds | this.lists | this.leaves) !== 0;
  }

  /** Returns the number of the rule for a page, whose host comes without leading `www` labels, or -1. */
  protected abstract ruleFor(host: string, path: string): i32;

  /** Returns what stays of a query, which is '' or begins with its `?`. */
  protected abstract keptQuery(query: string, parameters: ParameterRules): string;

  /** Returns what the rules make of a canonical form; shorter or longer, or the same. */
  applyToText(given: string): string {
    const spelled = withFoldedEscapes(given, this.folds);
    const url = withoutPathSessions(spelled, this.folds);
    this.hasDropped = url !== spelled;
    const fragment = url.indexOf('#');
    const queryEnd = fragment === -1 ? url.length : fragment;
    const question = url.indexOf('?');
    const pageEnd = question === -1 || question > queryEnd ? queryEnd : question;
    if (pageEnd === queryEnd && !this.readsPages && (fragment === -1 || !this.excludesFragments)) return url;
    return this.applyToParts(url, pageEnd, queryEnd);
  }

  private applyToParts(url: string, pageEnd: i32, queryEnd: i32): string {
    const page = url.slice(0, pageEnd);
    let inForce = this.runInForce;
    let folded = page;
    const parts = this.readsPages ? partsOf(page) : null;
    if (parts !== null) {
      inForce = this.inForceOf(this.ruleFor(parts.bareHost, parts.path));
      folded = parts.folded(inForce);
    } else if (!isPage(page)) inForce = this.unfoldedInForce;
    const query = url.slice(pageEnd, queryEnd);
    const kept = codeAt(url, url.indexOf(':') + 1) === SLASH ? this.filtered(query, inForce.parameters) : query;
    const isExcluded =
      this.excludesFragments && !inForce.keepsFragment && !(this.keepsRoutes && isRoute(url, queryEnd));
    return isExcluded ? folded + kept : folded + kept + url.slice(queryEnd);
  }

  /** Returns what is in force for the pages of a rule, or of none. */
  private inForceOf(rule: i32): InForce {
    if (rule < 0) return this.runInForce;
    const known = this.inForce[rule]!;
    if (known !== null) return known;
    const settings = this.rules[rule]!;
    const made = new InForce(this.run, settings, this.folds | settings.folds);
    this.inForce[rule] = made;
    return made;
  }

  /** Returns what a listed message's parameters are held against: `rule` is what `Kernel.classifyRows` lists. */
  parametersOf(rule: i32): ParameterRules {
    return this.inForceOf(rule - (FIRST_RULE as i32)).parameters;
  }

  private filtered(query: string, parameters: ParameterRules): string {
    const variance = this.queryVariance;
    const kept = variance === null ? this.keptQuery(query, parameters) : variance.applyToText(query);
    this.hasDropped = this.hasDropped || (variance === null ? parameters.hasDropped : variance.hasDropped);
    return kept;
  }
}

/** Applies the folds of a run that come before a line for a site is selected. */
export function beforeLine(url: string, folds: i32): string {
  return withoutPathSessions(withFoldedEscapes(url, folds), folds);
}

function withFoldedEscapes(url: string, folds: i32): string {
  if ((folds & FOLD_ESCAPES) === 0 || !url.includes('%')) return url;
  const path = pathStart(url);
  return path === -1 ? url : foldedEscapes(url, path);
}

function withoutPathSessions(url: string, folds: i32): string {
  if ((folds & FOLD_SESSION) === 0 || !url.includes(';')) return url;
  const start = pathStart(url);
  if (start === -1) return url;
  const query = url.indexOf('?', start);
  const fragment = url.indexOf('#', start);
  let end = query === -1 ? url.length : query;
  if (fragment !== -1 && fragment < end) end = fragment;
  const path = url.slice(start, end);
  const kept = withoutSessions(path);
  return kept === path ? url : url.slice(0, start) + kept + url.slice(end);
}
