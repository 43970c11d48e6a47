import { asciiBytes, asciiText } from '../bytes/ascii.ts';
import { UrlsumError } from '../error.ts';
import { quote } from '../url/error.ts';
import { Failure } from '../url/failure.ts';
import { FOLDS, type Fold, startWithoutWww } from '../url/fold.ts';
import type { PageSettings } from '../url/page-rules.ts';
import { escapedName, nameProblem, sortedNames, unescapedName } from '../url/parameter-name.ts';
import { parseUrl } from '../url/parser.ts';
import { serialize } from '../url/record.ts';

/** A line of site rules, as it stands in their canonical text. */
export interface SiteLine extends PageSettings {
  /** A canonical host without leading `www` labels. */
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
  /** The same for every such error. */
  readonly code = 'ERR_INVALID_SITE_RULES';
  /** The line, whole. */
  override readonly input: string;
  /** Its number in the text; the first is 1. */
  readonly line: number;
  /** A machine-readable reason. */
  readonly reason: SiteRulesReason;

  /** @internal */
  constructor(input: string, line: number, reason: SiteRulesReason, problem: string) {
    super(`line ${line} of the site rules: ${problem} (${reason})`);
    this.name = 'SiteRulesError';
    this.input = input;
    this.line = line;
    this.reason = reason;
  }
}

/** Reads the lines of a text, those of one address as one, in the order of the addresses' bytes. */
export function siteLines(text: string): SiteLine[] {
  const byAddress = new Map<string, SiteLine>();
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const trimmed = given.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const refuse = (reason: SiteRulesReason, problem: string) => new SiteRulesError(given, index + 1, reason, problem);
    const line = readLine(trimmed, refuse);
    const address = addressOf(line);
    const before = byAddress.get(address);
    byAddress.set(address, before === undefined ? line : joined(before, line));
    const { keep, drop } = byAddress.get(address)!;
    if (keep !== undefined && drop.length > 0)
      throw refuse('contradiction', `${address} is told to keep some parameters and to drop others`);
  }
  return [...byAddress.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

/** Writes a line with its actions in the order of their names. */
export function textOfSiteLine(line: SiteLine): string {
  const { drop, keep, isSorted, folds } = line;
  const actions = [
    ...(drop.length > 0 ? [['drop', ...drop.map(escapedName)]] : []),
    ...(folds.length > 0 ? [['fold', ...folds]] : []),
    ...(keep === undefined ? [] : [['keep', ...keep.map(escapedName)]]),
    ...(isSorted ? [['sort']] : []),
  ];
  return `${addressOf(line)} ${actions.map((words) => words.join(' ')).join('; ')}`;
}

function addressOf({ host, path }: SiteLine): string {
  return path === '/' ? host : `${host}${path}*`;
}

type Refuse = (reason: SiteRulesReason, problem: string) => SiteRulesError;

function readLine(line: string, refuse: Refuse): SiteLine {
  const [address] = /^\S+/.exec(line)!;
  const [, host, path] = /^([^/]*)(.*)$/.exec(address)!;
  const settings: PageSettings = { drop: [], keep: undefined, isSorted: false, folds: [] };
  const actions = line.slice(address.length).split(';');
  return actions
    .map((action) => readAction(action.trim(), refuse))
    .reduce(joined, { host: hostOf(host!, refuse), path: pathOf(path!, refuse), ...settings });
}

function hostOf(given: string, refuse: Refuse): string {
  const record = given.includes('*') ? undefined : parseUrl(`http://${given}/`, undefined);
  if (record === undefined || record instanceof Failure || serialize(record, false) !== `http://${given}/`)
    throw refuse('host', `HOST must be a canonical host in ASCII, such as shop.example, got ${quote(given)}`);
  const { host, username, password, port } = record;
  if (username + password !== '' || port !== null)
    throw refuse('host', `HOST must not have a user or a port, got ${quote(given)}`);
  const bytes = asciiBytes(host!);
  return asciiText(bytes.subarray(startWithoutWww(bytes, 0, bytes.length)));
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

function readAction(action: string, refuse: Refuse): Partial<PageSettings> {
  const [verb, ...words] = action.split(/\s+/);
  if (verb === 'sort' && words.length === 0) return { isSorted: true };
  if (words.length > 0) {
    if (verb === 'drop') return { drop: words.map((word) => nameOf(word, refuse)) };
    if (verb === 'keep') return { keep: words.map((word) => nameOf(word, refuse)) };
    if (verb === 'fold') return { folds: words.map((word) => foldOf(word, refuse)) };
  }
  throw refuse('action', `an action must be 'keep NAME…', 'drop NAME…', 'sort' or 'fold RULE…', got ${quote(action)}`);
}

function nameOf(word: string, refuse: Refuse): string {
  const name = unescapedName(word);
  const problem = nameProblem(name);
  if (problem !== undefined) throw refuse('name', `a NAME must ${problem}, got ${quote(word)}`);
  return name;
}

function foldOf(word: string, refuse: Refuse): Fold {
  const fold = FOLDS.find((each) => each === word);
  if (fold === undefined) throw refuse('fold', `a RULE must be one of ${FOLDS.join(', ')}, got ${quote(word)}`);
  return fold;
}

function joined(line: SiteLine, action: Partial<PageSettings>): SiteLine {
  const { drop = [], keep, isSorted = false, folds = [] } = action;
  return {
    ...line,
    drop: sortedNames([...line.drop, ...drop]),
    keep: keep === undefined ? line.keep : sortedNames([...(line.keep ?? []), ...keep]),
    isSorted: line.isSorted || isSorted,
    folds: FOLDS.filter((fold) => line.folds.includes(fold) || folds.includes(fold)),
  };
}
