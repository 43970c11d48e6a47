import { type BlockListLine, type LeftOutKind, leftOut, type ReadLine, refusal, trimmed } from './block-list.ts';

/**
 * What a modifier does to a rule for a host, which by itself blocks the page of that host. `page` says so explicitly;
 * `kept` changes nothing about it. `party`, `popup` and `type` narrow a rule to requests of some kind, unless a modifier
 * that keeps the page is there as well: modifiers of types add up. All others narrow the rule, or make it one that
 * blocks nothing.
 */
type Meaning = 'page' | 'important' | 'kept' | 'badfilter' | 'party' | 'popup' | 'type' | LeftOutKind;

/**
 * All modifiers of AdGuard, uBlock Origin and Adblock Plus, without the ~ before them.
 *
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#basic-rules-modifiers
 * @see https://github.com/gorhill/uBlock/wiki/Static-filter-syntax
 */
const MODIFIERS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    page: 'all document doc',
    important: 'important',
    kept: 'match-case reason',
    badfilter: 'badfilter',
    party: 'third-party 3p first-party 1p strict1p strict3p strict-first-party strict-third-party',
    popup: 'popup popunder redirect',
    type:
      'script image stylesheet css font media object object-subrequest subdocument frame xmlhttprequest xhr websocket ' +
      'webrtc ping beacon other elemhide ehide generichide ghide specifichide shide genericblock content jsinject ' +
      'urlblock extension stealth cname',
    rulesForSites: 'domain from to denyallow app',
    rulesForRequests: 'method header ipaddress network client ctag dnstype',
    rulesThatChange:
      'csp permissions cookie hls jsonprune xmlprune removeheader removeparam queryprune replace referrerpolicy ' +
      'redirect-rule rewrite uritransform urltransform urlskip inline-font inline-script empty mp4 dnsrewrite',
  }).flatMap(([meaning, names]) => names.split(' ').map((name) => [name, meaning as Meaning] as const)),
);

/** Where modifiers begin: at the first $ with the name of one, since paths contain others; or else at the last. */
const KNOWN_MODIFIERS = new RegExp(`\\$(?=~?(?:${[...MODIFIERS.keys()].join('|')}|_+)(?:[=,]|$))`, 'i');

/** What is not a rule for addresses. The first match gives the kind. */
const NOT_RULES: readonly (readonly [kind: LeftOutKind, pattern: RegExp])[] = [
  ['directives', /^!#/],
  ['comments', /^(?:!|\[[^\]:]*\]$|#(?![#@?$%]))/],
  ['cosmeticRules', /#@?[?$%]{0,2}#|\$@?\$/],
];

/** `||host`, `|https://host`, `://host` or a host alone; a port; and what comes after it. */
const PATTERN = /^(\|\||\|?https?:\/\/|:\/\/|)((?:[\w.-]|[^\0-\x7f])+|\[[\da-f:.]+\])(:\d+)?(.*)$/i;
/** All of a host; a path or a query to its end, under which ^ has more; all in a folder. */
const WHOLE_HOST = /^(?:[/^]\*?|\|)$/;
const WHOLE_PATH = /^(\/[^*^|#\s]*)(?:\^\*?|\|)$/;
const FOLDER = /^(\/[^*^|#?\s]*\/)\*?$/;
/** A name, or an address in four numbers: a pattern such as -ads. is neither. */
const BARE_HOST =
  /^(?:(?:[^\W_]|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*\.)+(?:(?:[a-z]|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*\.?|\d{1,3})$/i;

interface Modifiers {
  readonly isException: boolean;
  readonly names: readonly string[];
  readonly meanings: readonly Meaning[];
}

/**
 * Reads one rule in the syntax that Adblock Plus, uBlock Origin and AdGuard share. A rule lists what it blocks as a page:
 * hosts, unless a modifier narrows it; paths, if a modifier says that it blocks documents.
 */
export function adblockLineReader(ignoresExceptions: boolean): ReadLine {
  return (line) => {
    const rule = trimmed(line);
    if (rule === '') return leftOut();
    const kind = NOT_RULES.find(([, pattern]) => pattern.test(rule))?.[0];
    return kind === undefined ? readRule(rule, ignoresExceptions) : leftOut(kind);
  };
}

function readRule(rule: string, ignoresExceptions: boolean): BlockListLine {
  const isException = rule.startsWith('@@');
  if (isException && ignoresExceptions) return leftOut('exceptions');
  const dollar = modifiersStart(rule);
  const pattern = rule.slice(isException ? 2 : 0, dollar);
  const names = rule
    .slice(dollar + 1)
    .split(/(?<!\\),/)
    .filter((name) => name !== '')
    .map(ownName);
  const modifiers = { isException, names, meanings: names.map(meaningOf) };
  const narrowed = narrowingOf(modifiers);
  if (narrowed !== undefined) return leftOut(isException ? 'exceptions' : narrowed);
  const urls = urlsOf(pattern, modifiers);
  if (typeof urls !== 'string') return ruleOf(pattern, urls, modifiers);
  return isException && !modifiers.meanings.includes('badfilter') ? refusal('exception') : leftOut(urls);
}

function modifiersStart(rule: string): number {
  const known = rule.search(KNOWN_MODIFIERS);
  if (known !== -1) return known;
  const last = rule.lastIndexOf('$');
  return /^\$~?[a-z]/i.test(rule.slice(last)) && last !== -1 ? last : rule.length;
}

const SAME: Readonly<Record<string, string>> = {
  doc: 'document',
  '3p': 'third-party',
  '1p': 'first-party',
  '~third-party': 'first-party',
  '~3p': 'first-party',
};

/** Returns the one name of a modifier that has several. */
function ownName(given: string): string {
  const name = given.trim().toLowerCase();
  return SAME[name] ?? name;
}

function meaningOf(name: string): Meaning {
  if (/^_+$/.test(name)) return 'kept';
  const meaning = MODIFIERS.get(name.replace(/^~|=.*/gs, ''));
  return meaning === 'page' && name.startsWith('~') ? 'rulesForTypes' : (meaning ?? 'unknownModifiers');
}

/** What narrows a rule unless a modifier of these meanings is there as well, and what it is then. */
const UNLESS: Readonly<Partial<Record<Meaning, readonly [others: readonly Meaning[], kind: LeftOutKind]>>> = {
  party: [['page', 'important'], 'rulesForSites'],
  popup: [['page', 'important'], 'rulesForTypes'],
  type: [['page'], 'rulesForTypes'],
};
const NARROWING_NOTHING: readonly Meaning[] = ['page', 'important', 'kept', 'badfilter'];

/** Says what keeps the rule from blocking the pages that its pattern matches, if anything does. */
function narrowingOf({ meanings }: Modifiers): LeftOutKind | undefined {
  for (const meaning of meanings.filter((each) => !NARROWING_NOTHING.includes(each))) {
    const [others, kind] = UNLESS[meaning] ?? [[], meaning as LeftOutKind];
    if (!others.some((each) => meanings.includes(each))) return kind;
  }
  return undefined;
}

/** Returns the URLs whose entries match what the pattern does, or the kind of pattern for which there are none. */
function urlsOf(pattern: string, { isException, meanings }: Modifiers): readonly string[] | LeftOutKind {
  if (/^\/.*\/$/.test(pattern)) return 'regularExpressions';
  const [, anchor = '', host = '', port, rest = ''] = PATTERN.exec(pattern) ?? [];
  if (host === '') return pattern.includes('/') ? 'pathRules' : 'patterns';
  if (anchor === '' && rest === '' && port === undefined) return isBareHost(host) ? [host] : 'patterns';
  if (anchor === '' || (rest === '' && port === undefined)) return rest.includes('/') ? 'pathRules' : 'patterns';
  if (port !== undefined) return 'portRules';
  if (WHOLE_HOST.test(rest)) return [host];
  const folder = FOLDER.exec(rest)?.[1];
  const path = WHOLE_PATH.exec(rest)?.[1];
  const isOfPage = isException || meanings.includes('page');
  if ((folder ?? path) === undefined || !isOfPage) return rest.includes('/') ? 'pathRules' : 'patterns';
  if (folder !== undefined) return [host + folder];
  if (rest === '/|') return 'pathRules'; // the entry would be all of the host
  const hasMoreUnder = rest.includes('^') && !/\?|\/$/.test(path!);
  return hasMoreUnder ? [host + path, `${host}${path}/`] : [host + path];
}

function isBareHost(host: string): boolean {
  return BARE_HOST.test(host) || /^\[[\da-f:.]+\]$/i.test(host);
}

function ruleOf(pattern: string, urls: readonly string[], { isException, names, meanings }: Modifiers): BlockListLine {
  const isBadfilter = meanings.includes('badfilter');
  const others = names.filter((name) => name !== 'badfilter' && !/^_+$/.test(name));
  const said = [...new Set(others)].sort().join(',');
  const key = `${isException ? '@@' : ''}${pattern.toLowerCase()}${said === '' ? '' : `$${said}`}`;
  const effect = isBadfilter ? 'badfilter' : isException ? 'exception' : 'block';
  return { urls, leftOut: [], rule: { effect, isImportant: meanings.includes('important'), key } };
}
