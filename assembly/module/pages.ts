// Rules for pages, as src/core/url/page-rules.ts has them for hosts of JavaScript.

import { decodeUtf8 } from '../../src/core/bytes/code-points';
import { FOLD_EMPTY_QUERY, FOLD_SESSION, SESSION_NAMES } from '../../src/core/url/folds';
import { InForce, PageForm } from '../../src/core/url/page-form';
import { ParameterFilter, ParameterRules } from '../../src/core/url/parameters';
import { QueryVariance } from '../../src/core/url/query-variance';
import {
  FIRST_RULE, KEEP_ROUTES, LIST_QUERIES, LIST_SITES, LISTED, LISTED_COUNT, PARSE_FRAGMENTS, PENDING,
  PENDING_COUNT, SPANS,
} from '../layout';
import { MEMORY } from './memory';
import { PageSettings } from './page-settings';
import { SiteRules } from './site-rules';

export class PageRules extends PageForm {
  readonly asked: u32;
  private readonly run: PageSettings;
  private readonly variance: QueryVariance | null;
  private readonly sites: SiteRules | null;
  /** Settings in force, by the numbers of rules for sites. */
  private readonly byRule: (InForce | null)[];

  /** @param fragment what of fragments is excluded: EXCLUDES_NONE, EXCLUDES_ALL or EXCLUDES_BUT_ROUTES */
  constructor(run: PageSettings, fragment: i32, sites: SiteRules | null, variance: QueryVariance | null) {
    const keepsSome = sites !== null && sites.keepsFragments;
    const keepsRoutes = fragment == EXCLUDES_BUT_ROUTES;
    const excludesFragments = keepsRoutes || (keepsSome && fragment == EXCLUDES_ALL);
    const unfolded = new PageSettings();
    unfolded.drop = run.drop;
    unfolded.keep = run.keep;
    unfolded.isSorted = run.isSorted;
    super(
      inForceOf(run, null, 1), inForceOf(unfolded, null, 1), sites !== null, keepsRoutes, excludesFragments, variance,
    );
    this.run = run;
    this.sites = sites;
    this.variance = variance;
    this.byRule = new Array<InForce | null>(sites === null ? 0 : sites.rules.length);
    this.asked = run.asked | (sites === null ? 0 : LIST_SITES) | (variance === null ? 0 : LIST_QUERIES)
      | (excludesFragments ? (keepsSome ? PARSE_FRAGMENTS : KEEP_ROUTES) : 0);
  }

  protected inForceFor(host: string, path: string): InForce {
    const sites = this.sites;
    return this.inForceOfRule(sites === null ? -1 : sites.ruleFor(host, path));
  }

  protected keptQuery(query: string, parameters: ParameterRules): string {
    parameters.hasDropped = false;
    const length = query.length;
    if (length == 0) return query;
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ++at) bytes[at] = <u8>query.charCodeAt(at);
    return parameters.affects(bytes, 0, length) ? decodeUtf8(bytes.subarray(0, parameters.write(bytes, 0, length, 0))) : query;
  }

  private inForceOfRule(rule: i32): InForce {
    const sites = this.sites;
    if (rule < 0 || sites === null) return this.runInForce;
    const known = this.byRule[rule];
    if (known !== null) return known;
    const made = inForceOf(this.run, sites.rules[rule], sites.pathLengths[rule]);
    this.byRule[rule] = made;
    return made;
  }

  /** Puts the rules for sites where classifyRows reads them. */
  loadSites(): void {
    const sites = this.sites;
    if (sites !== null) sites.load();
  }

  /** Rewrites the queries of those of the listed messages that the rules change; some are left to the parser. */
  applyToListed(): void {
    const count = load<u32>(LISTED_COUNT);
    for (let listed = LISTED, end = LISTED + (count << 4); listed < end; listed += 16) {
      const row = load<u32>(listed);
      if (this.variance !== null) {
        const pendingCount = load<u32>(PENDING_COUNT);
        store<u32>(PENDING + (pendingCount << 2), row);
        store<u32>(PENDING_COUNT, pendingCount + 1);
        continue;
      }
      const parameters = this.inForceOfRule(<i32>load<u32>(listed, 4) - FIRST_RULE).parameters;
      const queryStart: i32 = load<u32>(listed, 8), queryEnd: i32 = load<u32>(listed, 12);
      if (!parameters.affects(MEMORY, queryStart, queryEnd)) continue;
      const keptEnd = parameters.write(MEMORY, queryStart, queryEnd, queryStart);
      const span = SPANS + (row << 3);
      const messageEnd = load<u32>(span) + load<u32>(span, 4);
      memory.copy(keptEnd, queryEnd, messageEnd - queryEnd);
      store<u32>(span, load<u32>(span, 4) - (queryEnd - keptEnd), 4);
    }
  }
}

export const EXCLUDES_NONE: i32 = 0;
export const EXCLUDES_ALL: i32 = 1;
export const EXCLUDES_BUT_ROUTES: i32 = 2;

/** Joins the settings of a run and of a rule: every fold, every filter, and sorted if one says so. */
function inForceOf(run: PageSettings, rule: PageSettings | null, pathLength: i32): InForce {
  const filters: ParameterFilter[] = [];
  addKept(filters, run);
  if (rule !== null) addKept(filters, rule);
  const drop = rule === null ? run.drop : run.drop.concat(rule.drop);
  if (drop.length > 0) filters.push(new ParameterFilter(true, drop, 0));
  const folds = run.folds | (rule === null ? 0 : rule.folds);
  if ((folds & FOLD_SESSION) != 0) filters.push(new ParameterFilter(true, SESSION_NAMES, 0x20));
  const isSorted = run.isSorted || (rule !== null && rule.isSorted);
  const parameters = new ParameterRules(filters, isSorted, (folds & FOLD_EMPTY_QUERY) != 0);
  return new InForce(folds, parameters, pathLength, rule !== null && rule.keepsFragment);
}

function addKept(filters: ParameterFilter[], settings: PageSettings): void {
  const keep = settings.keep;
  if (keep !== null) filters.push(new ParameterFilter(false, keep, 0));
}
