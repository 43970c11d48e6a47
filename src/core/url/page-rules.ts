// docs/parameters.md defines what this file does.

import {
  FIRST_RULE,
  KEEP_ROUTES,
  LIST_QUERIES,
  LIST_SITES,
  LIST_UNSORTED,
  PARSE_FRAGMENTS,
} from '../../../assembly/layout.ts';
import { ParameterFilter, ParameterRules } from './parameters.ts';
import { resolveSegments } from './path.ts';
import type { SearchVariance } from './search-variance.ts';

/** What a line of a site's rules, or a run, asks for. */
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
  readonly excludeFragment?: boolean | 'but-routes';
  readonly sites?: SiteRuleSet | undefined;
  /** Stands in place of what is said of parameters. */
  readonly variance?: SearchVariance | undefined;
}

/** What is in force for a page. */
interface InForce {
  readonly folds: readonly Fold[];
  readonly parameters: ParameterRules;
  readonly pathLength: number;
  readonly keepsFragment: boolean;
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
  /** Whether any may change what is before the query of a page, but for the folds of a run alone. */
  readonly #readsPages: boolean;
  readonly #keepsRoutes: boolean;
  readonly sites: SiteRuleSet | undefined;
  readonly variance: SearchVariance | undefined;
  /** Whether they leave out fragments themselves, since they keep some that the run excludes. */
  readonly excludesFragments: boolean;
  /** What `Kernel.classifyRows` is asked for. */
  readonly asked: number;

  /** Whether the form that `applyToText` was given last lost a parameter, of its path or its query. */
  hasDropped = false;

  private constructor(run: RunSettings) {
    this.#run = run;
    this.#runInForce = inForceOf([run], 1);
    this.#unfoldedInForce = inForceOf([{ ...run, folds: [] }], 1);
    this.sites = run.sites;
    this.variance = run.variance;
    this.#readsPages = run.sites !== undefined || run.folds.some((fold) => !QUERY_FOLDS.includes(fold));
    const keepsSome = run.sites?.rules.some(({ keepsFragment }) => keepsFragment) ?? false;
    this.#keepsRoutes = run.excludeFragment === 'but-routes';
    this.excludesFragments = this.#keepsRoutes || (keepsSome && run.excludeFragment === true);
    this.asked =
      askedOf(run) |
      (run.sites === undefined ? 0 : LIST_SITES) |
      (run.variance === undefined ? 0 : LIST_QUERIES) |
      (this.excludesFragments ? (keepsSome ? PARSE_FRAGMENTS : KEEP_ROUTES) : 0);
  }

  /** Returns undefined for rules that change nothing. */
  static from(run: RunSettings): PageRules | undefined {
    const rules = new PageRules(run);
    return rules.asked === 0 ? undefined : rules;
  }

  /** Returns what the rules make of a canonical form; shorter or longer, or the same. */
  applyToText(given: string): string {
    const spelled = withFoldedEscapes(given, this.#run.folds);
    const url = withoutPathSessions(spelled, this.#run.folds);
    this.hasDropped = url !== spelled;
    const fragment = url.indexOf('#');
    const queryEnd = fragment === -1 ? url.length : fragment;
    const question = url.indexOf('?');
    const pageEnd = question === -1 || question > queryEnd ? queryEnd : question;
    if (pageEnd === queryEnd && !this.#readsPages && (fragment === -1 || !this.excludesFragments)) return url;
    const [page, { parameters, keepsFragment }] = this.#folded(url.slice(0, pageEnd));
    const query = url.slice(pageEnd, queryEnd);
    const isOpaque = url[url.indexOf(':') + 1] !== '/';
    const filter = this.variance ?? parameters;
    const kept = isOpaque ? query : filter.applyToText(query);
    this.hasDropped ||= !isOpaque && filter.hasDropped;
    const isExcluded = this.excludesFragments && !keepsFragment && !(this.#keepsRoutes && isRoute(url, queryEnd));
    return page + kept + (isExcluded ? '' : url.slice(queryEnd));
  }

  /** Returns what the rules make of all before the query, and what is in force for that. */
  #folded(given: string): readonly [page: string, inForce: InForce] {
    if (!given.startsWith('http:') && !given.startsWith('https:')) return [given, this.#unfoldedInForce];
    const parts = this.#readsPages ? PAGE.exec(given) : null;
    if (parts === null) return [given, this.#runInForce];
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
  return withoutPathSessions(withFoldedEscapes(url, folds), folds);
}

function withFoldedEscapes(url: string, folds: readonly Fold[]): string {
  if (!folds.includes('escapes') || !url.includes('%')) return url;
  const [, authority, rest] = AUTHORITY.exec(url) ?? [];
  return authority === undefined ? url : authority + foldedEscapes(rest!);
}

function withoutPathSessions(url: string, folds: readonly Fold[]): string {
  if (!folds.includes('session') || !url.includes(';')) return url;
  const [, authority, rest] = AUTHORITY.exec(url) ?? [];
  return authority === undefined ? url : authority + rest!.replace(/^[^?#]*/, withoutSessions);
}

/** The beginning of an http or https URL up to its path, and the rest. */
const AUTHORITY = /^(https?:\/\/[^/]*)(.*)$/s;

/** Whether a fragment of a page, from its `#` on, names a page of an application: `#!`, `#/` and `#!/` name none. */
function isRoute(url: string, start: number): boolean {
  return ROUTE.test(url.slice(start)) && /^https?:/.test(url);
}

const ROUTE = /^#(?:!(?!\/?$)|\/(?!$))/;

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
  const parameters = new ParameterRules(filters, isSorted, folds.includes('empty-query'));
  return { folds, parameters, pathLength, keepsFragment: settings.some((each) => each.keepsFragment) };
}

/** Whether a line says which parameters count, or in which order. */
export function asksForParameters({ drop, keep, isSorted, folds }: PageSettings): boolean {
  return drop.length > 0 || keep !== undefined || isSorted || folds.some((fold) => PARAMETER_FOLDS.includes(fold));
}

/** Returns what settings ask `Kernel.classifyRows` for. */
export function askedOf({ drop, keep, isSorted, folds }: PageSettings): number {
  const isFiltered = drop.length > 0 || keep !== undefined;
  return foldBits(folds) | (isFiltered ? LIST_QUERIES : 0) | (isSorted ? LIST_UNSORTED : 0);
}

// What the folds of docs/parameters.md do to the parts of a canonical form.

/** The folds, as the profile sorts them, and assembly/layout.ts their bits. */
export const FOLDS = ['empty-query', 'escapes', 'https', 'index', 'session', 'slash', 'www'] as const;

/**
 * Addresses of one page that are brought to one: without an empty query, escapes as RFC 3986 has them, `http` as `https`,
 * without index files, sessions, final slashes and `www`.
 */
export type Fold = (typeof FOLDS)[number];

/** Folds of parameters: not together with another definition of these. */
export const PARAMETER_FOLDS: readonly Fold[] = ['empty-query', 'session'];

/** Folds that leave all before a query to these. */
const QUERY_FOLDS: readonly Fold[] = ['empty-query', 'escapes', 'session'];

/** Folds of a run alone: they change the bytes by which a line of site rules is selected. */
export const RUN_FOLDS: readonly Fold[] = ['escapes', 'session'];

/** Returns a bit for each fold, as the kernel has them. */
export function foldBits(folds: readonly Fold[]): number {
  return folds.reduce((bits, fold) => bits | (1 << FOLDS.indexOf(fold)), 0);
}

/**
 * The list `index-2026`: what servers send for a folder when they are not configured otherwise; docs/parameters.md has
 * the source of each. It never changes: URLs hashed with it would get other hashes.
 */
export const INDEX_NAMES: readonly string[] = (
  'index.html index.htm index.php index.cgi index.pl index.xhtml index.jsp ' +
  'default.htm default.asp default.aspx Default.htm Default.asp Default.aspx'
).split(' ');

/**
 * The list `session-2026`: names of parameters that hold a session, in any ASCII case; a final `*` stands for any end.
 * docs/parameters.md has the source of each. It never changes.
 */
export const SESSION_NAMES: readonly string[] = ['jsessionid', 'phpsessid', 'aspsessionid*', 'cfid', 'cftoken'];

/**
 * Returns the path, query and fragment of a page with the digits of escapes in upper case, and unreserved characters
 * unescaped: not where such a character would make an escape with a `%` before it that begins none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export function foldedEscapes(text: string): string {
  let [folded, tail, copied] = ['', '', 0]; // a slice of `folded` would copy it: V8 keeps it as the pieces it is made of
  for (const { 0: escape, index } of text.matchAll(FOLDED_ESCAPE)) {
    const before = text.slice(copied, index);
    copied = index + escape.length;
    tail = (tail + before.slice(-2)).slice(-2);
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    const stays = !/[-.\w~]/.test(character) || completesEscape(tail, character, text[copied]);
    const spelled = stays ? escape.toUpperCase() : character;
    folded += before + spelled;
    tail = (tail + spelled).slice(-2);
  }
  return folded + text.slice(copied);
}

/** With a digit in lower case, or of an unreserved character: most spell bytes of UTF-8, and are neither. */
const FOLDED_ESCAPE = /%(?:[a-f][\da-f]|[\dA-F][a-f]|[a-f][A-F]|2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/g;

/** Whether `digit`, if it is one, makes an escape with a `%` among the two characters before it, which begins none. */
function completesEscape(before: string, digit: string, after = ''): boolean {
  return [before + digit, before.slice(-1) + digit + after].some((text) => /^%[\da-f]{2}/i.test(text));
}

/** A parameter of a path with one of these names. */
const SESSION = /* @__PURE__ */ new RegExp(
  `;(?:${SESSION_NAMES.join('|').replace('*', '[^=;/]*')})(?![^=;/])[^;/]*`,
  'gi',
);

/** Returns a path without the parameters that hold sessions, and without the dot segments that it then has. */
export function withoutSessions(path: string): string {
  const left = path.replace(SESSION, '');
  return left === path ? path : resolveSegments(left.slice(1), 'http', '');
}

/**
 * Returns a host without its leading `www` labels: those after which at least two labels that are not empty remain, so
 * `www.com` stays.
 */
export function withoutWww(host: string): string {
  let name = host;
  while (WWW.test(name)) name = name.slice('www.'.length);
  return name;
}

const WWW = /^www\.\.*[^.]+\.+[^.]/;

/**
 * Returns a path without final slashes and index files, as far as those are folded. It becomes no shorter than `limit`,
 * which is 1 or more: its first slash stays.
 */
export function foldedPath(path: string, folds: readonly Fold[], limit: number): string {
  let end = path.length;
  for (let before = -1; before !== end; ) {
    before = end;
    if (folds.includes('slash')) while (end > limit && path[end - 1] === '/') end--;
    if (folds.includes('index')) end = withoutIndexFile(path, end, limit);
  }
  return path.slice(0, end);
}

function withoutIndexFile(path: string, end: number, limit: number): number {
  const start = path.lastIndexOf('/', end - 1) + 1;
  return start >= limit && INDEX_NAMES.includes(path.slice(start, end)) ? start : end;
}
