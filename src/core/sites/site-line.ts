import { UrlsumError } from '../error.ts';
import { Failure, quote } from '../url/failure.ts';
import { FOLDS, type Fold, RUN_FOLDS, withoutWww } from '../url/fold.ts';
import type { PageSettings } from '../url/page-rules.ts';
import { escapedName, nameProblem, sortedNames, unescapedName } from '../url/parameters.ts';
import { parseUrl } from '../url/parser.ts';
import { serialize } from '../url/record.ts';

/** A line of site rules, as it stands in their canonical text. */
export interface SiteLine extends PageSettings {
  /** A canonical host without leading `www` labels; '' for every site. */
  readonly host: string;
  /** The beginning of a canonical path: `/` for all. */
  readonly path: string;
}

/** Why a line is not a rule: its HOST, its PATH, an action, a name of a parameter, or `keep` and `drop` together. */
export type SiteRulesReason = 'host' | 'path' | 'action' | 'name' | 'fold' | 'contradiction';

/** A line of site rules that is not a rule. */
export class SiteRulesError extends UrlsumError {
  /** @internal */
  static override readonly name = 'SiteRulesError';
  /** @internal */
  static readonly code = 'ERR_INVALID_SITE_RULES';
  /** Names the class. */
  declare readonly code: 'ERR_INVALID_SITE_RULES';
  /** The line, whole. */
  declare readonly input: string;
  /** Its number in the text; the first is 1. */
  declare readonly line: number;
  /** A machine-readable reason. */
  declare readonly reason: SiteRulesReason;

  /** @internal */
  constructor(input: string, line: number, reason: SiteRulesReason, problem: string) {
    super(`line ${line} of the site rules: ${problem} (${reason})`, { input, line, reason });
  }
}

/** What the lines of one address say so far. */
interface Address extends Pick<SiteLine, 'host' | 'path'> {
  readonly drop: string[];
  readonly keep: string[];
  readonly folds: Set<Fold>;
  isSorted: boolean;
}

/** Reads the lines of a text, those of one address as one, in the order of the addresses' bytes. */
export function siteLines(text: string): SiteLine[] {
  const addresses = new Map<string, Address>();
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const line = given.trim();
    if (line === '' || line.startsWith('#')) continue;
    const refuse = (reason: SiteRulesReason, problem: string) => new SiteRulesError(given, index + 1, reason, problem);
    const [written] = /^\S+/.exec(line)!;
    const { host, path } = readAddress(written, refuse);
    const name = addressText(host, path);
    const address = addresses.get(name) ?? { host, path, drop: [], keep: [], folds: new Set(), isSorted: false };
    addresses.set(name, address);
    for (const action of line.slice(written.length).split(';')) addAction(address, action.trim(), refuse);
    if (address.keep.length > 0 && address.drop.length > 0)
      throw refuse('contradiction', `${name} is told to keep some parameters and to drop others`);
  }
  return [...addresses.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => lineOf(line));
}

function lineOf({ host, path, drop, keep, folds, isSorted }: Address): SiteLine {
  return {
    host,
    path,
    drop: sortedNames(drop),
    keep: keep.length === 0 ? undefined : sortedNames(keep),
    isSorted,
    folds: FOLDS.filter((fold) => folds.has(fold)),
  };
}

/** Writes lines as their canonical text. */
export function textOfSiteLines(lines: readonly SiteLine[]): string {
  return lines.map((line) => `${textOfSiteLine(line)}\n`).join('');
}

/** Writes a line with its actions in the order of their names. */
export function textOfSiteLine(line: SiteLine): string {
  const { host, path, drop, keep, isSorted, folds } = line;
  const actions = [
    ...(drop.length > 0 ? [['drop', ...drop.map(escapedName)]] : []),
    ...(folds.length > 0 ? [['fold', ...folds]] : []),
    ...(keep === undefined ? [] : [['keep', ...keep.map(escapedName)]]),
    ...(isSorted ? [['sort']] : []),
  ];
  return `${addressText(host, path)} ${actions.map((words) => words.join(' ')).join('; ')}`;
}

/** HOST of lines for the sites that have none of their own. */
export const EVERY_SITE = '*';

function addressText(host: string, path: string): string {
  return `${host || EVERY_SITE}${path === '/' ? '' : `${path}*`}`;
}

type Refuse = (reason: SiteRulesReason, problem: string) => SiteRulesError;

function readAddress(written: string, refuse: Refuse): Pick<SiteLine, 'host' | 'path'> {
  const [, host, path] = /^([^/]*)(.*)$/.exec(written)!;
  return { host: hostOf(host!, refuse), path: pathOf(path!, refuse) };
}

function hostOf(given: string, refuse: Refuse): string {
  if (given === EVERY_SITE) return '';
  const record = given.includes('*') ? undefined : parseUrl(`http://${given}/`, undefined);
  if (record === undefined || record instanceof Failure || serialize(record, false) !== `http://${given}/`)
    throw refuse('host', `HOST must be a canonical host in ASCII, such as shop.example, or '*', got ${quote(given)}`);
  const { host, username, password, port } = record;
  if (username + password !== '' || port !== null)
    throw refuse('host', `HOST must not have a user or a port, got ${quote(given)}`);
  return withoutWww(host!);
}

/** A path is canonical if it stays as it is with a letter after it: a prefix of a path may end within a segment. */
function pathOf(given: string, refuse: Refuse): string {
  if (given === '') return '/';
  if (!given.endsWith('*')) throw refuse('path', `PATH must end in '*', got ${quote(given)}`);
  const path = given.slice(0, -1);
  const record = /[*?#]/.test(path) ? undefined : parseUrl(`http://h${path}x`, undefined);
  if (record === undefined || record instanceof Failure || record.path !== `${path}x`)
    throw refuse('path', `PATH must be the beginning of a canonical path and a '*', got ${quote(given)}`);
  return path;
}

function addAction(address: Address, action: string, refuse: Refuse): void {
  const [verb, ...words] = action.split(/\s+/);
  if (verb === 'sort' && words.length === 0) {
    address.isSorted = true;
    return;
  }
  if (words.length === 0 || (verb !== 'drop' && verb !== 'keep' && verb !== 'fold'))
    throw refuse(
      'action',
      `an action must be 'keep NAME…', 'drop NAME…', 'sort' or 'fold RULE…', got ${quote(action)}`,
    );
  for (const word of words) {
    if (verb === 'fold') address.folds.add(foldOf(word, refuse));
    else address[verb].push(nameOf(word, refuse));
  }
}

function nameOf(word: string, refuse: Refuse): string {
  const name = unescapedName(word);
  const problem = wordProblem(word) ?? nameProblem(name);
  if (problem !== undefined) throw refuse('name', `a NAME must ${problem}, got ${quote(word)}`);
  return name;
}

/** A comment after a rule would be names, and bytes that are not UTF-8 one name. */
function wordProblem(word: string): string | undefined {
  if (word.includes('#')) return "have '#' as %23: a comment is a line of its own";
  return word.includes('\ufffd') ? 'be UTF-8, or have U+FFFD as %EF%BF%BD' : undefined;
}

const LINE_FOLDS = FOLDS.filter((fold) => !RUN_FOLDS.includes(fold));

function foldOf(word: string, refuse: Refuse): Fold {
  const fold = LINE_FOLDS.find((each) => each === word);
  if (fold === undefined) throw refuse('fold', `a RULE must be one of ${LINE_FOLDS.join(', ')}, got ${quote(word)}`);
  return fold;
}
