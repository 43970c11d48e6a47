import { mustBeString } from '../argument.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { asciiBytes } from '../bytes/text.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { UrlsumError } from '../error.ts';
import { openKernel } from '../kernel/open.ts';
import { quote } from '../quote.ts';
import { formBeforeLine } from '../url/canonicalize.ts';
import type { Options } from '../url/options.ts';
import { type SiteRuleLine, type SiteRuleSet, siteLineOf } from '../url/page-rules.ts';
import type { PageSettings } from '../url/page-settings.ts';
import { type SiteLine, SiteLineReader } from './site-line.ts';
import { SiteTable } from './site-table.ts';

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
  /**
   * The canonical text: ASCII, one line per address, in the order of their bytes; `parse` makes the same rules of it.
   */
  readonly text: string;
  /** Names the rules in a profile: 32 hex digits, the first half of the SHA-256 of `text`. */
  readonly id: string;
  /** The number of lines of `text`. */
  readonly size: number;
  /** @internal */
  readonly hostTable: Uint8Array;
  /** @internal */
  readonly rules: readonly PageSettings[];
  readonly #table: SiteTable;

  private constructor(lines: SiteLine[]) {
    this.size = lines.length;
    this.text = textOfSiteLines(lines);
    this.id = hexOfBytes(digestOfBytes(openKernel(), asciiBytes(this.text), ID_BYTES));
    this.#table = new SiteTable(lines);
    this.rules = this.#table.rules;
    this.hostTable = this.#table.hosts;
  }

  /**
   * Reads rules, one per line: `HOST[/PATH*] ACTION…`, its actions separated by `;`: `keep NAME…`, `drop NAME…`, `sort`,
   * `fragment`, `fold RULE…`. LF or CR LF ends a line; empty lines and those that begin with `#` are skipped.
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
   * @param options those that the URL is canonicalized with: the base, and what comes before a line is selected
   * @returns null where no line does
   * @throws {UrlError} where `url`, or the base, is not a URL
   * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
   * @throws {RangeError} on an option that does not exist, and on a value that one cannot have
   * @example
   * SiteRules.parse('a.example drop t\na.example/x* sort').lineOf('http://www.a.example/xy'); //=> 'a.example/x* sort'
   */
  lineOf(url: string | URL, options?: Options): string | null {
    return siteLineOf(formBeforeLine(url, options), this) ?? null;
  }

  /** @internal */
  lineFor(host: string, path: string): SiteRuleLine | null {
    return this.#table.lineFor(host, path);
  }

  /** Identifies instances that another copy of this package made. */
  get [Symbol.toStringTag](): string {
    return 'SiteRules';
  }
}

/**
 * The reason why a line is not a rule: its HOST, its PATH, an action, a name of a parameter, or `keep` and `drop`
 * together.
 */
export type SiteRulesReason = 'host' | 'path' | 'action' | 'name' | 'fold' | 'contradiction';

/** A line of site rules that is not a rule. */
export class SiteRulesError extends UrlsumError<'ERR_INVALID_SITE_RULES', SiteRulesReason, string, undefined> {
  /** @internal */
  static override readonly name = 'SiteRulesError';
  /** The number of the line in the text; the first is 1. */
  declare readonly line: number;

  /** @internal */
  constructor(input: string, line: number, reason: SiteRulesReason, problem: string) {
    super('ERR_INVALID_SITE_RULES', `line ${line} of the site rules: ${problem} (${reason})`, { input, line, reason });
  }
}

/** Reads the lines of a text, those of one address as one, in the order of the addresses' bytes. */
export function siteLines(text: string): SiteLine[] {
  const reader = new SiteLineReader();
  const lines = reader.read(text);
  if (lines !== null) return lines;
  const { line, lineNumber, reason, problem, subject } = reader;
  const sentence = subject === null ? problem : `${problem}, got ${quote(subject)}`;
  throw new SiteRulesError(line, lineNumber, reason as SiteRulesReason, sentence);
}

/** Writes lines as their canonical text. */
export function textOfSiteLines(lines: readonly SiteLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}
