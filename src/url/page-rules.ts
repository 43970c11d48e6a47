import { asciiText, writeAscii } from '../bytes/ascii.ts';
import { COLON, LEFT_BRACKET, QUESTION_MARK, RIGHT_BRACKET, SLASH } from '../bytes/code-points.ts';
import { type Fold, type Folds, foldedPathEnd, foldsOf, startWithoutWww } from './fold.ts';
import { indexIn, ParameterFilter, ParameterRules } from './parameters.ts';

// docs/parameters.md defines what this file does, to the bytes of a canonical form, which are ASCII.

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
  /** @internal The line for a page: its host is bytes [hostStart, hostEnd), without leading `www` labels; its path [pathStart, pathEnd). */
  ruleOf(
    bytes: Uint8Array,
    hostStart: number,
    hostEnd: number,
    pathStart: number,
    pathEnd: number,
  ): SiteRule | undefined;
}

/** What a run asks for. */
interface RunSettings extends PageSettings {
  readonly siteRules?: SiteRuleSet | undefined;
}

interface InForce {
  readonly folds: Folds;
  readonly parameters: ParameterRules | undefined;
  readonly pathLength: number;
}

/**
 * Rules by which addresses of one page get one canonical form. `affects` looks at a form; `write` then writes what the
 * rules make of it: most forms are not affected, and are not copied.
 */
export class PageRules {
  readonly #run: RunSettings;
  readonly #runInForce: InForce;
  readonly #inForceOfLine = new Map<SiteRule, InForce>();
  /** Whether more than the query is looked at. */
  readonly readsPages: boolean;

  // What `affects` found of the form it looked at last.
  #inForce: InForce;
  #start = 0;
  #hostStart = 0;
  #hostEnd = 0;
  #keptHostStart = 0;
  #pathEnd = 0;
  #keptPathEnd = 0;
  #queryEnd = 0;
  #changesQuery = false;
  /** Whether `write` makes the form one byte longer: http becomes https. */
  isUpgraded = false;
  /** Whether a parameter was dropped in the last `write`. */
  hasDropped = false;

  private constructor(run: RunSettings) {
    this.#run = run;
    this.#runInForce = inForceOf([run], 1);
    this.#inForce = this.#runInForce;
    this.readsPages = run.siteRules !== undefined || run.folds.length > 0;
  }

  /** Returns undefined for rules that change nothing. */
  static from(run: RunSettings): PageRules | undefined {
    const rules = new PageRules(run);
    return rules.readsPages || rules.#runInForce.parameters !== undefined ? rules : undefined;
  }

  /** Returns what the rules make of a canonical form; shorter or longer, or `url` itself. */
  applyToText(url: string): string {
    this.hasDropped = false;
    const fragment = url.indexOf('#');
    const queryEnd = fragment === -1 ? url.length : fragment;
    const question = url.indexOf('?');
    const pathEnd = question === -1 || question > queryEnd ? queryEnd : question;
    if (pathEnd === queryEnd && !this.readsPages) return url;
    const bytes = new Uint8Array(1 + url.length); // from its second byte, since it may get one longer
    writeAscii(bytes, 1, url);
    if (!this.affects(bytes, 1, 1 + pathEnd, 1 + queryEnd)) return url;
    return asciiText(bytes.subarray(0, this.write(bytes, 1 + url.length, 0)));
  }

  /**
   * Whether the rules change the canonical form that begins at `start`. Its query is the bytes after the `?` at
   * `pathEnd` up to `queryEnd`; without one, both are equal.
   */
  affects(bytes: Uint8Array, start: number, pathEnd: number, queryEnd: number): boolean {
    this.#start = start;
    this.#pathEnd = pathEnd;
    this.#queryEnd = queryEnd;
    const isPage = this.readsPages && isHttp(bytes, start);
    const isPageAffected = isPage && this.#findPage(bytes, start, pathEnd);
    if (!isPage) this.#leavePage(start, pathEnd);
    const { parameters } = this.#inForce;
    this.#changesQuery =
      pathEnd < queryEnd &&
      parameters !== undefined &&
      (isPage || !isOpaque(bytes, start, pathEnd)) &&
      parameters.affects(bytes, pathEnd + 1, queryEnd);
    return isPageAffected || this.#changesQuery;
  }

  /**
   * Writes what the rules make of the form that `affects` has looked at, and that ends at `end`, to the address `to`,
   * and returns its end there. `to` is beyond the form, or its start; one before that if it gets longer.
   */
  write(bytes: Uint8Array, end: number, to: number): number {
    let at = this.#writeScheme(bytes, to);
    at = moved(bytes, this.#keptHostStart, this.#keptPathEnd, at);
    at = this.#writeQuery(bytes, at);
    return moved(bytes, this.#queryEnd, end, at);
  }

  /** Writes all up to the host. */
  #writeScheme(bytes: Uint8Array, to: number): number {
    if (!this.isUpgraded) return moved(bytes, this.#start, this.#hostStart, to);
    writeAscii(bytes, to, 'https');
    return moved(bytes, this.#start + 'http'.length, this.#hostStart, to + 'https'.length);
  }

  #writeQuery(bytes: Uint8Array, to: number): number {
    this.hasDropped = false;
    const [start, end] = [this.#pathEnd, this.#queryEnd];
    if (!this.#changesQuery) return moved(bytes, start, end, to);
    const newEnd = this.#inForce.parameters!.write(bytes, start + 1, end, to + 1);
    this.hasDropped = newEnd - to < end - start;
    if (newEnd === -1) return to;
    bytes[to] = QUESTION_MARK;
    return newEnd;
  }

  /** Finds what stays of an http or https URL without its query, and returns whether that is not all. */
  #findPage(bytes: Uint8Array, start: number, pathEnd: number): boolean {
    const isHttps = bytes[start + 4] !== COLON;
    const pathStart = this.#findHost(bytes, start + (isHttps ? 'https://' : 'http://').length);
    const bareHostStart = startWithoutWww(bytes, this.#hostStart, this.#hostEnd);
    const rule = this.#run.siteRules?.ruleOf(bytes, bareHostStart, this.#hostEnd, pathStart, pathEnd);
    const inForce = rule === undefined ? this.#runInForce : this.#inForceOf(rule);
    const { folds, pathLength } = inForce;
    this.#inForce = inForce;
    this.#keptHostStart = folds.www ? bareHostStart : this.#hostStart;
    this.#keptPathEnd = foldedPathEnd(bytes, pathEnd, pathStart + pathLength, folds);
    this.isUpgraded = folds.https && !isHttps && this.#hostEnd === pathStart;
    return this.isUpgraded || this.#keptHostStart > this.#hostStart || this.#keptPathEnd < pathEnd;
  }

  /** Finds the host of what follows `//`, and returns where the path begins. */
  #findHost(bytes: Uint8Array, authority: number): number {
    let hostStart = authority;
    let hostEnd = -1;
    let at = authority;
    for (; bytes[at] !== SLASH; at++) {
      const byte = bytes[at]!;
      if (byte === AT) [hostStart, hostEnd] = [at + 1, -1];
      else if (byte === LEFT_BRACKET) while (bytes[at] !== RIGHT_BRACKET) at++;
      else if (byte === COLON && hostEnd === -1) hostEnd = at;
    }
    this.#hostStart = hostStart;
    this.#hostEnd = hostEnd === -1 ? at : hostEnd;
    return at;
  }

  #leavePage(start: number, pathEnd: number): void {
    this.#inForce = this.#runInForce;
    this.#hostStart = start;
    this.#keptHostStart = start;
    this.#keptPathEnd = pathEnd;
    this.isUpgraded = false;
  }

  #inForceOf(rule: SiteRule): InForce {
    const found = this.#inForceOfLine.get(rule);
    if (found !== undefined) return found;
    const inForce = inForceOf([this.#run, rule], rule.pathLength);
    this.#inForceOfLine.set(rule, inForce);
    return inForce;
  }
}

const AT = 0x40;

/** What several ask for together: every fold, every filter, and sorted if one says so. */
function inForceOf(settings: readonly PageSettings[], pathLength: number): InForce {
  const drop = settings.flatMap((each) => each.drop);
  const filters = settings.flatMap(({ keep }) => (keep === undefined ? [] : [ParameterFilter.keeping(keep)]));
  if (drop.length > 0) filters.push(ParameterFilter.dropping(drop));
  const isSorted = settings.some((each) => each.isSorted);
  const parameters = filters.length > 0 || isSorted ? new ParameterRules(filters, isSorted) : undefined;
  return { folds: foldsOf(...settings.map(({ folds }) => folds)), parameters, pathLength };
}

const HTTP = [0x68, 0x74, 0x74, 0x70];
const S = 0x73;

function isHttp(bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < HTTP.length; index++) if (bytes[start + index] !== HTTP[index]) return false;
  return bytes[start + 4] === COLON || (bytes[start + 4] === S && bytes[start + 5] === COLON);
}

function isOpaque(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[indexIn(bytes, COLON, start, end) + 1] !== SLASH;
}

/** Moves bytes [start, end) to `to`, and returns their new end. */
function moved(bytes: Uint8Array, start: number, end: number, to: number): number {
  if (start !== to) bytes.copyWithin(to, start, end);
  return to + end - start;
}
