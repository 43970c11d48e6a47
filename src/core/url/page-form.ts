// docs/parameters.md defines what this file does.

import { COLON, codeAt, isAsciiDigit, LEFT_BRACKET, SLASH } from '../bytes/code-points.ts';
import {
  FOLD_EMPTY_QUERY,
  FOLD_ESCAPES,
  FOLD_HTTPS,
  FOLD_SESSION,
  FOLD_WWW,
  foldedEscapes,
  foldedPath,
  isPage,
  isRoute,
  pathStart,
  withoutSessions,
  withoutWww,
} from './folds.ts';
import { ParameterRules } from './parameters.ts';
import { QueryVariance } from './query-variance.ts';

/** Settings in force for a page. */
export class InForce {
  /** The bits of the folds. */
  readonly folds: i32;
  readonly parameters: ParameterRules;
  /** A folded path does not become shorter. */
  readonly pathLength: i32;
  readonly keepsFragment: bool;

  constructor(folds: i32, parameters: ParameterRules, pathLength: i32, keepsFragment: bool) {
    this.folds = folds;
    this.parameters = parameters;
    this.pathLength = pathLength;
    this.keepsFragment = keepsFragment;
  }
}

/** Folds that leave all before a query to the others. */
const QUERY_FOLDS: i32 = FOLD_EMPTY_QUERY | FOLD_ESCAPES | FOLD_SESSION;

/** Rules of a run, and of sites, for canonical forms. */
export abstract class PageForm {
  /** The bits of the folds of the run. */
  private readonly folds: i32;
  protected readonly runInForce: InForce;
  /** Settings in force for URLs that are not pages: no fold is. */
  private readonly unfoldedInForce: InForce;
  /** Whether any may change what is before the query of a page, but for the folds of a run alone. */
  private readonly readsPages: bool;
  private readonly keepsRoutes: bool;
  /** Whether they leave out fragments themselves, since they keep some that the run excludes. */
  readonly excludesFragments: bool;
  /** Stands in place of what is said of parameters. */
  private readonly queryVariance: QueryVariance | null;

  /** Whether the form that `applyToText` was given last lost a parameter, of its path or its query. */
  hasDropped: bool = false;

  constructor(
    runInForce: InForce,
    unfoldedInForce: InForce,
    hasSites: bool,
    keepsRoutes: bool,
    excludesFragments: bool,
    variance: QueryVariance | null,
  ) {
    this.folds = runInForce.folds;
    this.runInForce = runInForce;
    this.unfoldedInForce = unfoldedInForce;
    this.readsPages = hasSites || (runInForce.folds & ~QUERY_FOLDS) !== 0;
    this.keepsRoutes = keepsRoutes;
    this.excludesFragments = excludesFragments;
    this.queryVariance = variance;
  }

  /** Returns what is in force for a page, whose host comes without leading `www` labels. */
  protected abstract inForceFor(host: string, path: string): InForce;

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
      inForce = this.inForceFor(parts.bareHost, parts.path);
      folded = parts.folded(inForce);
    } else if (!isPage(page)) inForce = this.unfoldedInForce;
    const query = url.slice(pageEnd, queryEnd);
    const kept = codeAt(url, url.indexOf(':') + 1) === SLASH ? this.filtered(query, inForce.parameters) : query;
    const isExcluded =
      this.excludesFragments && !inForce.keepsFragment && !(this.keepsRoutes && isRoute(url, queryEnd));
    return isExcluded ? folded + kept : folded + kept + url.slice(queryEnd);
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

/** The parts of an http or https URL before its query: its scheme, user, host, port and path. */
export class PageParts {
  private readonly scheme: string;
  private readonly user: string;
  private readonly host: string;
  /** The host without leading `www` labels. */
  readonly bareHost: string;
  private readonly port: string;
  readonly path: string;

  constructor(scheme: string, user: string, host: string, port: string, path: string) {
    this.scheme = scheme;
    this.user = user;
    this.host = host;
    this.bareHost = withoutWww(host);
    this.port = port;
    this.path = path;
  }

  /** Returns the page as the folds in force make it. */
  folded(inForce: InForce): string {
    const folds = inForce.folds;
    const scheme = (folds & FOLD_HTTPS) !== 0 && this.port === '' ? 'https' : this.scheme;
    const host = (folds & FOLD_WWW) !== 0 ? this.bareHost : this.host;
    return `${scheme}://${this.user}${host}${this.port}${foldedPath(this.path, folds, inForce.pathLength)}`;
  }
}

/** Returns null for a URL that is not a page. */
export function partsOf(page: string): PageParts | null {
  const authorityEnd = pathStart(page);
  if (authorityEnd === -1) return null;
  const colon = page.indexOf(':');
  const at = page.indexOf('@', colon);
  const host = at === -1 || at > authorityEnd ? colon + 3 : at + 1;
  let hostEnd = host;
  if (codeAt(page, host) === LEFT_BRACKET) hostEnd = page.indexOf(']', host) + 1;
  else while (hostEnd < authorityEnd && codeAt(page, hostEnd) !== COLON) hostEnd++;
  let portEnd = hostEnd;
  if (codeAt(page, hostEnd) === COLON) for (portEnd++; isAsciiDigit(codeAt(page, portEnd)); ) portEnd++;
  return new PageParts(
    page.slice(0, colon),
    page.slice(colon + 3, host),
    page.slice(host, hostEnd),
    page.slice(hostEnd, portEnd),
    page.slice(portEnd),
  );
}
