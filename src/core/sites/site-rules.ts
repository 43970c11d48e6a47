import { LIST_QUERIES } from '../../../assembly/layout.ts';
import { mustBeString } from '../argument.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { digestOfString } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { canonicalize } from '../url/canonicalize.ts';
import { askedOf, type SiteRule, type SiteRuleLine, type SiteRuleSet, siteLineOf } from '../url/page-rules.ts';
import { type HostRule, hostTable } from './host-table.ts';
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
  /** @internal */
  readonly rules: readonly SiteRule[];
  /** Those of one HOST follow each other, that with the longest PATH first. */
  readonly #lines: readonly Line[];
  /** The index of the first line of each HOST. */
  readonly #firstOf: ReadonlyMap<string, number>;
  readonly #longestHost: number;

  private constructor(lines: readonly SiteLine[]) {
    this.size = lines.length;
    this.text = textOfSiteLines(lines);
    this.id = hexOfBytes(digestOfString(openKernel(), this.text, ID_BYTES));
    const [rules, sorted] = withRules(lines.slice().sort(byHostThenPathLength));
    this.rules = rules;
    this.hostTable = hostTable(sorted);
    this.#lines = sorted;
    this.#firstOf = new Map(sorted.map(({ host }, index) => [host, index] as const).reverse());
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
    return siteLineOf(canonicalize(url), this) ?? null;
  }

  /** @internal */
  lineFor(host: string, path: string): SiteRuleLine | undefined {
    let at = 0;
    do {
      const isKnown = host.length - at <= this.#longestHost;
      const line = isKnown ? this.#lineOfHost(host.slice(at), path) : undefined;
      if (line !== undefined) return line;
      at = host.indexOf('.', at) + 1;
    } while (at > 0);
    return this.#lineOfHost('', path);
  }

  #lineOfHost(host: string, path: string): Line | undefined {
    const lines = this.#lines;
    for (let index = this.#firstOf.get(host) ?? -1; lines[index]?.host === host; index++)
      if (path.startsWith(lines[index]!.path)) return lines[index];
    return undefined;
  }

  /** What a program that looks at an option tells it by: a copy of this package may have made it. */
  get [Symbol.toStringTag](): string {
    return 'SiteRules';
  }
}

/** Where a rule applies, and what its pages ask `Kernel.classifyRows` for. */
interface Line extends SiteRuleLine, HostRule {}

/** Returns the rules of lines, one for each of their settings, and the lines with the numbers of theirs. */
function withRules(lines: readonly SiteLine[]): readonly [rules: readonly SiteRule[], lines: readonly Line[]] {
  const rules: SiteRule[] = [];
  const numbers = new Map<string, number>();
  const numbered = lines.map((line) => {
    const { host, path, drop, keep, isSorted, folds } = line;
    const own = { drop, keep, isSorted, folds, pathLength: path.length };
    const key = JSON.stringify(own);
    const rule = numbers.get(key) ?? rules.push(own) - 1;
    numbers.set(key, rule);
    return { host, path, rule, asked: askedOfLine(line), text: textOfSiteLine(line) };
  });
  return [rules, numbered];
}

/** The kernel looks for empty queries before it selects a line: those of a line are for JavaScript. */
function askedOfLine(line: SiteLine): number {
  return askedOf(line) | (line.folds.includes('empty-query') ? LIST_QUERIES : 0);
}

function byHostThenPathLength(one: SiteLine, other: SiteLine): number {
  return one.host === other.host ? other.path.length - one.path.length : one.host < other.host ? -1 : 1;
}
