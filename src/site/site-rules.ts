import { mustBeString } from '../argument.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { digestOfString } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { canonicalize } from '../url/canonicalize.ts';
import { askedOf, rulesOfSites, type SiteRule, type SiteRuleSet, siteLineOf } from '../url/page-rules.ts';
import { hostTable } from './host-table.ts';
import { type SiteLine, siteLines, textOfSiteLine, textOfSiteLines } from './site-line.ts';

/** Bytes of the SHA-256 that name the rules. */
const ID_BYTES = 16;

/**
 * Rules for sites: which parameters of their pages count, and which of their addresses are one page. docs/parameters.md
 * defines them.
 *
 * @example
 * const siteRules = SiteRules.parse('shop.example drop si t; fold index');
 * canonicalize('http://www.shop.example/index.html?t=1', { siteRules }); //=> 'http://www.shop.example/'
 */
export class SiteRules implements SiteRuleSet {
  /** @internal */
  static readonly name = 'SiteRules';
  /** The canonical text: ASCII, one line per address, in the order of their bytes; `parse` makes the same rules of it. */
  readonly text: string;
  /** Names the rules in a profile: 32 hex digits, the first half of the SHA-256 of `text`. */
  readonly id: string;
  /** The number of lines of `text`. */
  readonly size: number;
  /** @internal */
  readonly hostTable: Uint8Array;
  /** @internal By their numbers; those of equal settings are one object. */
  readonly rules: readonly SiteRule[];
  /** @internal */
  readonly lines: readonly string[];
  /** By their numbers; those of one HOST follow each other, that with the longest PATH first. */
  readonly #addresses: readonly Pick<SiteLine, 'host' | 'path'>[];
  /** The number of the first of each HOST. */
  readonly #firstOf: ReadonlyMap<string, number>;
  readonly #longestHost: number;

  private constructor(lines: readonly SiteLine[]) {
    this.size = lines.length;
    this.text = textOfSiteLines(lines);
    this.id = hexOfBytes(digestOfString(openKernel(), this.text, ID_BYTES));
    const sorted = lines.slice().sort(byHostThenPathLength);
    this.rules = rulesOf(sorted);
    this.lines = sorted.map(textOfSiteLine);
    this.hostTable = hostTable(sorted.map((line) => ({ ...line, asked: askedOf(line) })));
    this.#addresses = sorted;
    this.#firstOf = new Map(sorted.map(({ host }, number) => [host, number] as const).reverse());
    this.#longestHost = sorted.reduce((longest, { host }) => Math.max(longest, host.length), 0);
  }

  /**
   * Reads rules, one per line: `HOST[/PATH*] ACTION…`, its actions separated by `;`: `keep NAME…`, `drop NAME…`, `sort`,
   * `fold RULE…`. LF or CR LF ends a line; empty lines and those that begin with `#` are skipped.
   *
   * @param text the lines of a file of rules
   * @throws {TypeError} where `text` is not a string
   * @throws {SiteRulesError} on a line that is not a rule, or that contradicts another
   */
  static parse(text: string): SiteRules {
    return new SiteRules(siteLines(mustBeString('text', text)));
  }

  /**
   * The line that applies to a URL, as it stands in `text`, without the line feed.
   *
   * @param url a string or a `URL`
   * @returns null where no line does
   * @throws {UrlError} where `url` is not a URL
   * @throws {TypeError} where it is neither a string nor a `URL`
   * @example
   * SiteRules.parse('a.example drop t\na.example/x* sort').lineOf('http://www.a.example/xy'); //=> 'a.example/x* sort'
   */
  lineOf(url: string | URL): string | null {
    return siteLineOf(canonicalize(url), rulesOfSites(this)) ?? null;
  }

  /** @internal */
  ruleOf(host: string, path: string): number {
    let at = 0;
    do {
      const isKnown = host.length - at <= this.#longestHost;
      const number = isKnown ? this.#ruleOfHost(host.slice(at), path) : -1;
      if (number !== -1) return number;
      at = host.indexOf('.', at) + 1;
    } while (at > 0);
    return -1;
  }

  #ruleOfHost(host: string, path: string): number {
    const addresses = this.#addresses;
    for (let number = this.#firstOf.get(host) ?? -1; addresses[number]?.host === host; number++)
      if (path.startsWith(addresses[number]!.path)) return number;
    return -1;
  }

  /** What a program that looks at an option tells it by: a copy of this package may have made it. */
  get [Symbol.toStringTag](): string {
    return 'SiteRules';
  }
}

/** The rules of lines; those of equal settings are one object, so that what is made of it is shared. */
function rulesOf(lines: readonly SiteLine[]): readonly SiteRule[] {
  const rules = new Map<string, SiteRule>();
  return lines.map(({ drop, keep, isSorted, folds, path }) => {
    const own = { drop, keep, isSorted, folds, pathLength: path.length };
    const key = JSON.stringify(own);
    const rule = rules.get(key) ?? own;
    rules.set(key, rule);
    return rule;
  });
}

function byHostThenPathLength(one: SiteLine, other: SiteLine): number {
  return one.host === other.host ? other.path.length - one.path.length : one.host < other.host ? -1 : 1;
}
