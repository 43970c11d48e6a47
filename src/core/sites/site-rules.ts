import { LIST_QUERIES } from '../../../assembly/layout.ts';
import { mustBeString } from '../argument.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { asciiBytes } from '../bytes/text.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { UrlsumError } from '../error.ts';
import { openKernel } from '../kernel/open.ts';
import { quote } from '../quote.ts';
import { formBeforeLine } from '../url/canonicalize.ts';
import { Failure } from '../url/failure.ts';
import { withoutWww } from '../url/folds.ts';
import type { Options } from '../url/options.ts';
import {
  askedOf,
  FOLDS,
  type Fold,
  isOfLines,
  type PageSettings,
  type SiteRule,
  type SiteRuleLine,
  type SiteRuleSet,
  siteLineOf,
} from '../url/page-rules.ts';
import { escapedName, nameProblem, sortedNames, unescapedName } from '../url/parameter-names.ts';
import { parsedUrl } from '../url/parsed-url.ts';
import { NO_PORT, serialize } from '../url/record.ts';
import { type HostRule, hostTable } from './host-table.ts';

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
  readonly rules: readonly SiteRule[];
  /** The lines, in which those of one HOST follow each other, the longest PATH first. */
  readonly #lines: readonly Line[];
  /** The index of the first line of each HOST. */
  readonly #firstOf: ReadonlyMap<string, number>;
  readonly #longestHost: number;

  private constructor(lines: readonly SiteLine[]) {
    this.size = lines.length;
    this.text = textOfSiteLines(lines);
    this.id = hexOfBytes(digestOfBytes(openKernel(), asciiBytes(this.text), ID_BYTES));
    const [rules, sorted] = withRules(lines.slice().sort(byHostThenPathLength));
    this.rules = rules;
    this.hostTable = hostTable([...sorted]);
    this.#lines = sorted;
    this.#firstOf = new Map(sorted.map(({ host }, index) => [host, index] as const).reverse());
    this.#longestHost = sorted.reduce((longest, { host }) => Math.max(longest, host.length), 0);
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

  /** Identifies instances that another copy of this package made. */
  get [Symbol.toStringTag](): string {
    return 'SiteRules';
  }
}

/** A line of a rule: where it applies, and what its pages ask `Kernel.classifyRows` for. */
interface Line extends SiteRuleLine, Omit<Readonly<HostRule>, 'rule'> {}

/** Numbers the distinct settings of lines; returns them as rules, and each line with its number. */
function withRules(lines: readonly SiteLine[]): readonly [rules: readonly SiteRule[], lines: readonly Line[]] {
  const rules: SiteRule[] = [];
  const numbers = new Map<string, number>();
  const numbered = lines.map((line) => {
    const { host, path, drop, keep, isSorted, folds, keepsFragment } = line;
    const own = { drop, keep, isSorted, folds, keepsFragment, pathLength: path.length };
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

/** A line of site rules, as it stands in their canonical text. */
export interface SiteLine extends PageSettings {
  readonly keepsFragment: boolean;
  /** A canonical host without leading `www` labels; '' for every site. */
  readonly host: string;
  /** The beginning of a canonical path: `/` for all. */
  readonly path: string;
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

/** The settings of one address so far. */
interface Address extends Pick<SiteLine, 'host' | 'path'> {
  readonly drop: string[];
  readonly keep: string[];
  readonly folds: Set<Fold>;
  isSorted: boolean;
  keepsFragment: boolean;
}

/** Reads the lines of a text, those of one address as one, in the order of the addresses' bytes. */
export function siteLines(text: string): SiteLine[] {
  const addresses = new Map<string, Address>();
  for (const [index, given] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const [written] = wordsOf(given);
    if (written === undefined || written.startsWith('#')) continue;
    const refuse = (reason: SiteRulesReason, problem: string) => new SiteRulesError(given, index + 1, reason, problem);
    const { host, path } = readAddress(written, refuse);
    const name = addressText(host, path);
    const address = addresses.get(name) ?? emptyAddress(host, path);
    addresses.set(name, address);
    const actions = given.slice(given.indexOf(written) + written.length);
    for (const action of actions.split(';')) addAction(address, wordsOf(action), refuse);
    if (address.keep.length > 0 && address.drop.length > 0)
      throw refuse('contradiction', `${name} is told to keep some parameters and to drop others`);
  }
  return [...addresses.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => lineOf(line));
}

/** Returns the words of a line, which spaces and tabs alone divide: other white space is part of a name. */
function wordsOf(text: string): string[] {
  return text.split(/[ \t]+/).filter((word) => word !== '');
}

function emptyAddress(host: string, path: string): Address {
  return { host, path, drop: [], keep: [], folds: new Set(), isSorted: false, keepsFragment: false };
}

function lineOf({ drop, keep, folds, ...others }: Address): SiteLine {
  return {
    ...others,
    drop: sortedWords(drop),
    keep: keep.length === 0 ? undefined : sortedWords(keep),
    folds: FOLDS.filter((fold) => folds.has(fold)),
  };
}

/** Writes lines as their canonical text. */
export function textOfSiteLines(lines: readonly SiteLine[]): string {
  return lines.map((line) => `${textOfSiteLine(line)}\n`).join('');
}

/** Writes a line with its actions in the order of their names. */
export function textOfSiteLine(line: SiteLine): string {
  const { host, path, drop, keep, isSorted, folds, keepsFragment } = line;
  const actions = [
    ...(drop.length > 0 ? [['drop', ...drop]] : []),
    ...(folds.length > 0 ? [['fold', ...folds]] : []),
    ...(keepsFragment ? [['fragment']] : []),
    ...(keep === undefined ? [] : [['keep', ...keep]]),
    ...(isSorted ? [['sort']] : []),
  ];
  return `${addressText(host, path)} ${actions.map((words) => words.join(' ')).join('; ')}`;
}

/** HOST of lines for the URLs that no line with another HOST matches. */
export const EVERY_SITE = '*';

function addressText(host: string, path: string): string {
  return `${host || EVERY_SITE}${path === '/' ? '' : `${path}*`}`;
}

type Refuse = (reason: SiteRulesReason, problem: string) => SiteRulesError;

function readAddress(written: string, refuse: Refuse): Pick<SiteLine, 'host' | 'path'> {
  const slash = written.indexOf('/');
  const end = slash === -1 ? written.length : slash;
  return { host: hostOf(written.slice(0, end), refuse), path: pathOf(written.slice(end), refuse) };
}

function hostOf(given: string, refuse: Refuse): string {
  if (given === EVERY_SITE) return '';
  const record = given.includes('*') ? undefined : parsedUrl(`http://${given}/`, undefined);
  if (record === undefined || record instanceof Failure || serialize(record, false) !== `http://${given}/`)
    throw refuse('host', `HOST must be a canonical host in ASCII, such as shop.example, or '*', got ${quote(given)}`);
  const { host, username, password, port } = record;
  if (username + password !== '' || port !== NO_PORT)
    throw refuse('host', `HOST must not have a user or a port, got ${quote(given)}`);
  return withoutWww(host!);
}

/** A path is canonical if it stays as it is with a letter after it: a prefix of a path may end within a segment. */
function pathOf(given: string, refuse: Refuse): string {
  if (given === '') return '/';
  if (!given.endsWith('*')) throw refuse('path', `PATH must end in '*', got ${quote(given)}`);
  const path = given.slice(0, -1);
  const record = /[*?#]/.test(path) ? undefined : parsedUrl(`http://h${path}x`, undefined);
  if (record === undefined || record instanceof Failure || record.path !== `${path}x`)
    throw refuse('path', `PATH must be the beginning of a canonical path and a '*', got ${quote(given)}`);
  return path;
}

function addAction(address: Address, [verb = '', ...words]: readonly string[], refuse: Refuse): void {
  if (words.length === 0 && (verb === 'sort' || verb === 'fragment')) {
    address[verb === 'sort' ? 'isSorted' : 'keepsFragment'] = true;
    return;
  }
  if (words.length === 0 || (verb !== 'drop' && verb !== 'keep' && verb !== 'fold'))
    throw refuse(
      'action',
      `an action must be 'keep NAME…', 'drop NAME…', 'sort', 'fragment' or 'fold RULE…', got ${quote([verb, ...words].join(' '))}`,
    );
  const next = words.findIndex((word, index) => index > 0 && ACTIONS.includes(word));
  if (next !== -1)
    throw refuse(
      'action',
      `an action begins after ';': write ';' before ${words[next]}, or it as ${nameWord(words[next]!)}`,
    );
  for (const word of words) {
    if (verb === 'fold') address.folds.add(foldOf(word, refuse));
    else address[verb].push(nameOf(word, refuse));
  }
}

const ACTIONS: readonly string[] = ['drop', 'fold', 'fragment', 'keep', 'sort'];

/** Returns a NAME as the canonical text has it. */
function nameOf(word: string, refuse: Refuse): string {
  const isPrefix = word.endsWith('*');
  const name = unescapedName(isPrefix ? word.slice(0, -1) : word);
  const problem = wordProblem(word) || nameProblem(name === '' ? '' : word);
  if (problem !== '') throw refuse('name', `a NAME must ${problem}, got ${quote(word)}`);
  return nameWord(name) + (isPrefix ? '*' : '');
}

/** Returns a name as a word of a line, in which a `*` stands for itself, and that is not an action. */
export function nameWord(name: string): string {
  const word = escapedName(name).replace(/\*$/, '%2A');
  return ACTIONS.includes(word) ? `%${word.charCodeAt(0).toString(16).toUpperCase()}${word.slice(1)}` : word;
}

/** Returns each word once, in the order of the bytes that they spell. */
function sortedWords(words: readonly string[]): string[] {
  const spelled = sortedNames(words.map(unescapedName));
  const places = new Map(spelled.map((name, index) => [name, index] as const));
  const place = (word: string) => places.get(unescapedName(word))!;
  return [...new Set(words)].sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

/** A comment after a rule would be names, and bytes that are not UTF-8 one name. */
function wordProblem(word: string): string {
  if (word.includes('#')) return "have '#' as %23: a comment is a line of its own";
  return word.includes('\ufffd') ? 'be UTF-8, or have U+FFFD as %EF%BF%BD' : '';
}

const LINE_FOLDS = FOLDS.filter(isOfLines);

function foldOf(word: string, refuse: Refuse): Fold {
  const fold = LINE_FOLDS.find((each) => each === word);
  if (fold === undefined) throw refuse('fold', `a RULE must be one of ${LINE_FOLDS.join(', ')}, got ${quote(word)}`);
  return fold;
}
