import {
  FIRST_RULE,
  FOLD_HTTPS,
  FOLD_WWW,
  LIST_QUERIES,
  LIST_SITES,
  LIST_UNSORTED,
  UNKNOWN_RULE,
} from '../../assembly/layout.ts';
import { asciiText, hasAsciiAt, writeAscii } from '../bytes/ascii.ts';
import {
  COLON,
  COMMERCIAL_AT,
  LEFT_BRACKET,
  positionOf,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SLASH,
} from '../bytes/code-points.ts';
import { type Fold, foldBits, foldedPathEnd, startWithoutWww } from './fold.ts';
import { moved, ParameterFilter, ParameterRules } from './parameters.ts';

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
  /** @internal Finds the rules for pages, as `Kernel.classifyRows` reads it. */
  readonly hostTable: Uint8Array;
  /** @internal By their numbers. */
  readonly rules: readonly SiteRule[];
  /** @internal The same as lines of `text`. */
  readonly lines: readonly string[];
  /**
   * @internal The number of the line for a page, or -1: its host is bytes [hostStart, hostEnd), without leading `www`
   * labels, its path [pathStart, pathEnd). Of the lines that fit, that with the longest HOST, then the longest PATH.
   */
  ruleOf(bytes: Uint8Array, hostStart: number, hostEnd: number, pathStart: number, pathEnd: number): number;
}

/** What a run asks for. */
interface RunSettings extends PageSettings {
  readonly siteRules?: SiteRuleSet | undefined;
}

interface InForce {
  readonly folds: number;
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
  /** By the numbers of the lines; those of equal settings share one, which keeps more of them in a cache. */
  readonly #inForceOfLine: InForce[] = [];
  readonly #inForceOfSettings = new Map<string, InForce>();
  readonly siteRules: SiteRuleSet | undefined;
  /** What `Kernel.classifyRows` is asked for. */
  readonly asked: number;
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
  /** The number of the rule for its site, unless it was folded already; -1 for none. */
  rule = -1;
  /** Whether `write` makes the form one byte longer: http becomes https. */
  isUpgraded = false;
  /** Whether a parameter was dropped in the last `write`. */
  hasDropped = false;

  private constructor(run: RunSettings) {
    this.#run = run;
    this.#runInForce = inForceOf([run], 1);
    this.#inForce = this.#runInForce;
    this.siteRules = run.siteRules;
    this.asked = askedOf(run) | (run.siteRules === undefined ? 0 : LIST_SITES);
    this.readsPages = run.siteRules !== undefined || run.folds.length > 0;
  }

  /** Finds the rules for sites, as `Kernel.classifyRows` reads it. */
  get hostTable(): Uint8Array | undefined {
    return this.siteRules?.hostTable;
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
    if (!this.affects(bytes, 1, UNKNOWN_RULE, 1 + pathEnd, 1 + queryEnd)) return url;
    const to = this.isUpgraded ? 0 : 1;
    return asciiText(bytes.subarray(to, this.write(bytes, 1 + url.length, to)));
  }

  /**
   * Whether the rules change the canonical form that begins at `start`. `rule` is what `Kernel.classifyRows` lists: of a
   * folded form, only parameters may change. Its query is the bytes after the `?` at `pathEnd` up to `queryEnd`;
   * without one, both are equal.
   */
  affects(bytes: Uint8Array, start: number, rule: number, pathEnd: number, queryEnd: number): boolean {
    this.#start = start;
    this.#pathEnd = pathEnd;
    this.#queryEnd = queryEnd;
    const isFolded = rule !== UNKNOWN_RULE;
    const isPage = isFolded || (this.readsPages && isHttp(bytes, start));
    const isPageAffected = isPage && !isFolded && this.#findPage(bytes, start, pathEnd);
    if (isFolded || !isPage) this.#leavePage(start, pathEnd);
    if (rule >= FIRST_RULE) this.#inForce = this.#inForceOf(rule - FIRST_RULE);
    const { parameters } = this.#inForce;
    this.#changesQuery =
      pathEnd < queryEnd &&
      parameters !== undefined &&
      (isPage || !isOpaque(bytes, start, pathEnd)) &&
      parameters.affects(bytes, pathEnd + 1, queryEnd);
    return isPageAffected || this.#changesQuery;
  }

  /**
   * Writes what the rules make of the form that `affects` has looked at, and that ends at `end`, and returns its end. It
   * begins at `to`: after the form, or where that begins, or one byte before that if it gets longer.
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
    this.rule = this.siteRules?.ruleOf(bytes, bareHostStart, this.#hostEnd, pathStart, pathEnd) ?? -1;
    const inForce = this.rule === -1 ? this.#runInForce : this.#inForceOf(this.rule);
    const { folds, pathLength } = inForce;
    this.#inForce = inForce;
    this.#keptHostStart = (folds & FOLD_WWW) === 0 ? this.#hostStart : bareHostStart;
    this.#keptPathEnd = foldedPathEnd(bytes, pathEnd, pathStart + pathLength, folds);
    this.isUpgraded = (folds & FOLD_HTTPS) !== 0 && !isHttps && this.#hostEnd === pathStart;
    return this.isUpgraded || this.#keptHostStart > this.#hostStart || this.#keptPathEnd < pathEnd;
  }

  /** Finds the host of what follows `//`, and returns where the path begins. */
  #findHost(bytes: Uint8Array, authority: number): number {
    let hostStart = authority;
    let hostEnd = -1;
    let at = authority;
    for (let byte = bytes[at]!; byte !== SLASH; byte = bytes[++at]!) {
      if (byte === COMMERCIAL_AT) {
        hostStart = at + 1;
        hostEnd = -1;
      } else if (byte === LEFT_BRACKET) while (bytes[at] !== RIGHT_BRACKET) at++;
      else if (byte === COLON && hostEnd === -1) hostEnd = at;
    }
    this.#hostStart = hostStart;
    this.#hostEnd = hostEnd === -1 ? at : hostEnd;
    return at;
  }

  #leavePage(start: number, pathEnd: number): void {
    this.rule = -1;
    this.#inForce = this.#runInForce;
    this.#hostStart = start;
    this.#keptHostStart = start;
    this.#keptPathEnd = pathEnd;
    this.isUpgraded = false;
  }

  #inForceOf(number: number): InForce {
    return (this.#inForceOfLine[number] ??= this.#inForceOfRule(this.siteRules!.rules[number]!));
  }

  #inForceOfRule({ drop, keep, isSorted, folds, pathLength }: SiteRule): InForce {
    const line = { drop, keep, isSorted, folds };
    const key = JSON.stringify([line, pathLength]);
    const inForce = this.#inForceOfSettings.get(key) ?? inForceOf([this.#run, line], pathLength);
    this.#inForceOfSettings.set(key, inForce);
    return inForce;
  }
}

export function rulesOfSites(siteRules: SiteRuleSet): PageRules | undefined {
  return PageRules.from({ drop: [], keep: undefined, isSorted: false, folds: [], siteRules });
}

/** Returns the line of the rules for sites that applies to a canonical form; undefined if none does. */
export function siteLineOf(canonical: string, rules: PageRules | undefined): string | undefined {
  rules?.applyToText(canonical);
  return rules?.siteRules?.lines[rules.rule];
}

/** What several ask for together: every fold, every filter, and sorted if one says so. */
function inForceOf(settings: readonly PageSettings[], pathLength: number): InForce {
  const drop = settings.flatMap((each) => each.drop);
  const filters = settings.flatMap(({ keep }) => (keep === undefined ? [] : [new ParameterFilter('keep', keep)]));
  if (drop.length > 0) filters.push(new ParameterFilter('drop', drop));
  const isSorted = settings.some((each) => each.isSorted);
  const parameters = filters.length > 0 || isSorted ? new ParameterRules(filters, isSorted) : undefined;
  return { folds: foldBits(settings.flatMap((each) => each.folds)), parameters, pathLength };
}

/** Returns what settings ask `Kernel.classifyRows` for. */
export function askedOf({ drop, keep, isSorted, folds }: PageSettings): number {
  const isFiltered = drop.length > 0 || keep !== undefined;
  return foldBits(folds) | (isFiltered ? LIST_QUERIES : 0) | (isSorted ? LIST_UNSORTED : 0);
}

const S = 0x73;

function isHttp(bytes: Uint8Array, start: number): boolean {
  if (!hasAsciiAt(bytes, start, 'http')) return false;
  return bytes[start + 4] === COLON || (bytes[start + 4] === S && bytes[start + 5] === COLON);
}

function isOpaque(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[positionOf(COLON, bytes, start, end) + 1] !== SLASH;
}
