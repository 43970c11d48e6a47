import {
  BLOCK,
  type BlockListLine,
  type LeftOutKind,
  leftOut,
  type Reach,
  type ReadLine,
  type Rule,
  refusal,
  ruleFor,
  trimmed,
} from './block-list.ts';
import { HOSTS_LINE, readHostsLine } from './hosts-line.ts';

/**
 * The effect of a modifier on a rule for a host, which by itself blocks the page of that host. `page` says so
 * explicitly; `kept` changes nothing about it; `hosts` names those on whose pages it holds, which are the pages
 * themselves; `type` is for requests of a type, unless one says `page`, too: types add up; `important` yields to important
 * exceptions alone; `badfilter` cancels the rule of its text. All others narrow the rule, or make it one that blocks
 * nothing.
 */
type Meaning = 'page' | 'important' | 'kept' | 'badfilter' | 'hosts' | 'type' | LeftOutKind;

/**
 * The modifiers of AdGuard, uBlock Origin and Adblock Plus, without the ~ before them; `=` ends those with a value. A
 * page is first-party to itself.
 *
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#basic-rules-modifiers
 * @see https://github.com/gorhill/uBlock/wiki/Static-filter-syntax
 */
const MODIFIERS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    page: 'all document doc',
    important: 'important',
    kept:
      'match-case reason= first-party 1p strict1p strict-first-party ~third-party ~3p empty redirect= ' +
      '~strict3p ~strict-third-party',
    badfilter: 'badfilter',
    hosts: 'domain= from= to=',
    type:
      'script image stylesheet css font media object object-subrequest subdocument frame xmlhttprequest xhr websocket ' +
      'webrtc ping beacon other popup popunder mp4 elemhide ehide generichide ghide specifichide shide genericblock ' +
      'content jsinject urlblock extension stealth ~script ~image ~stylesheet ~css ~font ' +
      '~media ~object ~object-subrequest ~subdocument ~frame ~xmlhttprequest ~xhr ~websocket ~webrtc ~ping ~beacon ' +
      '~other ~popup ~popunder ~elemhide ~generichide ~specifichide ~genericblock',
    rulesForTypes: '~document ~doc ~all',
    rulesForSites:
      'third-party 3p strict3p strict-third-party ~first-party ~1p ~strict1p ~strict-first-party denyallow= app=',
    rulesForRequests: 'method= header= header ipaddress= network client= ctag= dnstype= cname',
    rulesThatChange:
      'csp csp= permissions permissions= cookie cookie= hls= jsonprune= xmlprune= removeheader= removeparam ' +
      'removeparam= queryprune queryprune= replace replace= referrerpolicy referrerpolicy= redirect redirect-rule ' +
      'redirect-rule= rewrite= uritransform uritransform= urltransform= urlskip urlskip= inline-font inline-script ' +
      'dnsrewrite dnsrewrite= hls jsonprune xmlprune removeheader',
  }).flatMap(([meaning, names]) => names.split(' ').map((name) => [name, meaning as Meaning] as const)),
);

const NAMES = [...new Set([...MODIFIERS.keys()].map((name) => name.replace(/^~|=$/g, '')))].join('|');
/**
 * The place where modifiers begin: at the first $ with the name of one, since paths contain others; or else at the
 * last.
 */
const KNOWN_MODIFIERS = new RegExp(`\\$(?=~?(?:${NAMES}|_+)(?:[=,]|$))`, 'i');

/** Lines that are not rules for addresses. The first match gives the kind. */
const NOT_RULES: readonly (readonly [kind: LeftOutKind, pattern: RegExp])[] = [
  ['includes', /^!#include(?:\s|$)/],
  ['directives', /^!#/],
  ['comments', /^(?:!|\[[^\]:]*\]$|#(?![#@?$%]))/],
  ['cosmeticRules', /#@?[?$%]{0,2}#|\$@?\$/],
];

/** The anchors of a host, by the hosts that match then: it and those under it, it alone, or only those under it. */
const REACHES: Readonly<Record<string, Reach>> = {
  '||': 'whole',
  '': 'whole',
  '|': 'alone',
  'http://': 'alone',
  'https://': 'alone',
  '://': 'alone',
  '*.': 'below',
  '+.': 'below',
};
const PATTERN = /^(\|\||\|?https?:\/\/|\*?:\/\/|\||)([*+]\.|)((?:[\w.-]|[^\0-\x7f])+|\[[\da-f:.]+\])(:\d+)?(.*)$/is;

/** After a host: nothing more, so all of it. */
const WHOLE_HOST = /^(?:[/^]\*?|\||)$/;
/** A path or a query to its end; `^` also allows more after a separator. */
const WHOLE_PATH = /^(\/[^*^|#\s]*)(?:\^\*?|\|)$/;
/** All in a folder. */
const FOLDER = /^(\/[^*^|#?\s]*\/)\*?$/;
/** A name, or an address in four numbers: a pattern such as -ads. is neither. */
const BARE_HOST =
  /^(?:(?:[^\W_]|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*\.)+(?:(?:[a-z]|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*\.?|\d{1,3})$/i;

/** The form of most rules, read at once: a host and all under it. */
const PLAIN_RULE = /^\|\|([\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*)\^$/i;

/** A rule for addresses, in the syntax that Adblock Plus, uBlock Origin and AdGuard share. */
export interface AdBlockRule {
  readonly isException: boolean;
  readonly pattern: string;
  readonly modifiers: readonly string[];
}

/** The hosts that a pattern is anchored to, and what comes after them. */
export interface HostPattern {
  readonly anchor: string;
  readonly host: string;
  readonly port: string | undefined;
  readonly rest: string;
}

/**
 * Reads one rule of an ad blocker. A rule lists what it blocks as a page: hosts, unless a modifier narrows it; paths,
 * if a modifier says that it blocks documents.
 */
export function adblockLineReader(ignoresExceptions: boolean): ReadLine {
  return (line) => {
    const host = PLAIN_RULE.exec(line)?.[1];
    if (host !== undefined) return ruleFor([host], BLOCK, line.toLowerCase());
    const rule = trimmed(line);
    if (rule === '') return leftOut();
    if (HOSTS_LINE.test(rule)) return readHostsLine(rule);
    const kind = NOT_RULES.find(([, pattern]) => pattern.test(rule))?.[0];
    return kind === undefined ? readRule(rule, ignoresExceptions) : leftOut(kind);
  };
}

/** Tells the parts of a rule apart. */
export function partsOf(rule: string): AdBlockRule {
  const isException = rule.startsWith('@@');
  const dollar = modifiersStart(rule);
  const modifiers = dollar === rule.length ? [] : rule.slice(dollar + 1).split(/(?<!\\),/);
  return { isException, pattern: rule.slice(isException ? 2 : 0, dollar), modifiers };
}

/** Whether modifiers that are all known end the text. */
export function endsInModifiers(text: string): boolean {
  const dollar = text.lastIndexOf('$');
  const names = text.slice(dollar + 1).split(',');
  return dollar !== -1 && names.every((name) => meaningOf(name) !== 'unknownModifiers');
}

function readRule(text: string, ignoresExceptions: boolean): BlockListLine {
  const rule = partsOf(text);
  const { isException, pattern, modifiers } = rule;
  if (isException && ignoresExceptions) return leftOut('exceptions');
  const meanings = modifiers.map(meaningOf);
  const narrowed = narrowingOf(meanings);
  if (narrowed !== undefined) return leftOut(isException ? 'exceptions' : narrowed);
  const isBadfilter = meanings.includes('badfilter');
  const found = hostsOf(pattern, isException || meanings.includes('page'));
  if (typeof found === 'string') return isException && !isBadfilter ? refusal('exception') : leftOut(found);
  const lists = modifiers.filter((_, at) => meanings[at] === 'hosts');
  const hosts = lists.length === 0 ? [found.host] : found.reach === 'whole' ? hostsOn(found.host, lists) : undefined;
  if (!hosts?.length) return leftOut(isException ? 'exceptions' : 'rulesForSites');
  if (hosts[0] === '') return leftOut(isException ? 'exceptions' : 'patterns');
  const effect = isBadfilter ? 'badfilter' : isException ? 'exception' : 'block';
  const urls = hosts.flatMap((host) => found.paths.map((path) => host + path));
  const isImportant = meanings.includes('important');
  const own: Rule = { ...BLOCK, effect, reach: found.reach, isImportant };
  return ruleFor(urls, own, keyOf(rule));
}

function modifiersStart(rule: string): number {
  const known = rule.search(KNOWN_MODIFIERS);
  if (known !== -1) return known;
  const last = rule.lastIndexOf('$');
  return last !== -1 && /^\$~?[a-z]/i.test(rule.slice(last, last + 3)) ? last : rule.length;
}

function meaningOf(modifier: string): Meaning {
  if (/^_+$/.test(modifier)) return 'kept'; // noop
  return MODIFIERS.get(modifier.replace(/=.*/s, '=')) ?? 'unknownModifiers';
}

const NARROWING_NOTHING: ReadonlySet<Meaning> = new Set(['page', 'important', 'kept', 'badfilter', 'hosts']);

/** Says what keeps the rule from blocking the pages that its pattern matches, if anything does. */
function narrowingOf(meanings: readonly Meaning[]): LeftOutKind | undefined {
  const isOfPage = meanings.includes('page');
  const found = meanings.find((each) => !NARROWING_NOTHING.has(each) && !(each === 'type' && isOfPage));
  return found === 'type' ? 'rulesForTypes' : (found as LeftOutKind | undefined);
}

/** Tells the parts of a pattern apart; undefined where no host stands at its start. */
export function hostPatternOf(pattern: string): HostPattern | undefined {
  const [, start, wildcard = '', host, port, rest] = PATTERN.exec(pattern) ?? [];
  if (host === undefined) return undefined;
  const anchor = wildcard || start!.replace(/^(?:\||\*)(?=.*:)/, '').toLowerCase();
  return { anchor, host, port, rest: rest! };
}

/** Returns the host and the paths that the pattern matches, or the kind of pattern for which there are none. */
function hostsOf(
  pattern: string,
  isOfPage: boolean,
): { readonly host: string; readonly paths: readonly string[]; readonly reach: Reach } | LeftOutKind {
  if ((pattern === '' || pattern === '*') && isOfPage) return { host: '', paths: [''], reach: 'whole' };
  if (/^\/.*\/$/s.test(pattern)) return 'regularExpressions';
  const found = hostPatternOf(pattern);
  if (found === undefined) return pattern.includes('/') ? 'pathRules' : 'patterns';
  const { anchor, host, port } = found;
  const isBare = anchor === '' || anchor === '*.' || anchor === '+.';
  const rest = anchor === '' ? found.rest.replace(/^[\t ]+#.*/s, '') : found.rest;
  const reach = REACHES[anchor]!;
  const other = rest.includes('/') ? 'pathRules' : 'patterns';
  if (anchor === '' && (rest !== '' || port !== undefined)) return other;
  if ((isBare || (rest === '' && port === undefined)) && !isBareHost(host)) return other;
  if (port !== undefined) return 'portRules';
  if (WHOLE_HOST.test(rest)) return { host, paths: [''], reach };
  const paths = isOfPage && anchor !== '*.' && anchor !== '+.' ? pathsOf(rest) : undefined;
  return paths === undefined ? other : { host, paths, reach };
}

/** Returns the paths that what follows a host matches: one, a folder, or a path with all that is under it. */
function pathsOf(rest: string): readonly string[] | undefined {
  const folder = FOLDER.exec(rest)?.[1];
  if (folder !== undefined) return [folder];
  const path = WHOLE_PATH.exec(rest)?.[1];
  if (path === undefined || rest === '/|') return undefined; // the entry of /| would be all of the host
  return rest.includes('^') && !/\?|\/$/.test(path) ? [path, `${path}/`] : [path];
}

function isBareHost(host: string): boolean {
  return BARE_HOST.test(host) || /^\[[\da-f:.]+\]$/i.test(host);
}

/** The length from which a text is too long for a name in DNS. */
const NAME_LIMIT = 254;

/**
 * Returns the hosts of a pattern on whose pages a rule holds by `domain=`, `from=` or `to=`: all where there is none.
 * '' is every host. Undefined where a list of hosts cannot say it: two of them, wildcards, or a host without one under
 * it.
 */
export function hostsOn(host: string, lists: readonly string[]): readonly string[] | undefined {
  const [list, other] = lists;
  if (list === undefined) return [host];
  const names = list
    .slice(list.indexOf('=') + 1)
    .toLowerCase()
    .split('|');
  const areNames = names.every((name) => name.length < NAME_LIMIT && /^~?[^~*#|/]+$/.test(name));
  if (other !== undefined || !areNames || host.length >= NAME_LIMIT) return undefined;
  const excluded = new Set(names.filter((name) => name[0] === '~').map((name) => name.slice(1)));
  const given = names.filter((name) => name[0] !== '~');
  const common = given.flatMap((each) => (isAtOrBelow(each, host) ? [each] : isAtOrBelow(host, each) ? [host] : []));
  const hosts = new Set(given.length === 0 ? [host] : common);
  for (const each of hosts) if (parentsOf(each).some((parent) => excluded.has(parent))) hosts.delete(each);
  for (const each of excluded) if (parentsOf(each).some((parent) => hosts.has(parent))) return undefined;
  return [...hosts];
}

/** Returns a host, its parent domains, and '' for every host. */
export function parentsOf(host: string): string[] {
  const labels = host.split('.');
  return [...new Set([...labels.map((_, index) => labels.slice(index).join('.')), ''])];
}

function isAtOrBelow(host: string, parent: string): boolean {
  return parent === '' || `.${host}`.endsWith(`.${parent}`);
}

const SYNONYMS: Readonly<Record<string, string>> = {
  doc: 'document',
  '3p': 'third-party',
  '1p': 'first-party',
  '~third-party': 'first-party',
  '~3p': 'first-party',
};

/** Returns the key that rules with the same meaning share. */
function keyOf({ isException, pattern, modifiers }: AdBlockRule): string {
  const others = modifiers
    .filter((name) => name !== 'badfilter' && !/^_+$/.test(name))
    .map((name) => SYNONYMS[name] ?? name);
  const said = [...new Set(others)].sort().join(',');
  return `${isException ? '@@' : ''}${pattern}${said === '' ? '' : `$${said}`}`.toLowerCase();
}
