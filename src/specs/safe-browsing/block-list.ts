import { asciiBytes, decodeLine } from '../../core/bytes/text.ts';
import { nameOfCharacter } from '../../core/quote.ts';
import { parsedIpv6 } from '../../core/url/parsed-url.ts';

/** The result of reading a line of a block list. Lines are texts in which a unit is a byte. */
export type BlockListLine = LineContent | Refusal;

/** The URLs or hosts that a line names, and the kinds of what is left out. */
export interface LineContent {
  readonly urls: readonly string[];
  readonly leftOut: readonly LeftOutKind[];
  /** What the line does to others, where it is a rule of an ad blocker. */
  readonly rule?: Rule;
}

/** A rule of an ad blocker among others: the URLs of the line are blocked, exempt, or those of a cancelled rule. */
export interface Rule {
  readonly effect: 'block' | 'exception' | 'badfilter';
  /** Whether no exception lifts it that is not important itself. */
  readonly isImportant: boolean;
  /** Equal for rules that say the same; of a `badfilter`, that of the rule which it cancels. */
  readonly key: string;
}

/** Why a line cannot be listed, not even in part: no URL would ever match the entry. */
export type EntryReason =
  | 'comment'
  | 'adblock-rule'
  | 'exception'
  | 'hosts-file-line'
  | 'resolver-line'
  | 'defanged'
  | 'email-address'
  | 'text-before-scheme'
  | 'json'
  | 'unbalanced'
  | 'table-row'
  | 'tab'
  | 'space-in-host'
  | 'space-after-host'
  | 'wildcard-host'
  | 'wildcard-path'
  | 'address-range'
  | 'scheme-without-colon'
  | 'host-character'
  | 'no-address'
  | 'no-host'
  | 'not-a-host'
  | 'address-in-use';

/** A failure as a value, like those of URLs without a host. */
export interface Refusal {
  readonly reason: EntryReason;
  readonly place: 'input' | 'host';
  readonly sentence: string;
}

const REFUSALS: Readonly<Record<Exclude<EntryReason, 'unbalanced'>, readonly [Refusal['place'], sentence: string]>> = {
  comment: ['input', 'it is a comment'],
  'adblock-rule': ['input', 'it is an ad-block rule'],
  exception: ['input', 'a list cannot hold exceptions'],
  'hosts-file-line': ['input', 'it is an address and a host'],
  'resolver-line': ['input', 'it is a line of a name server: RPZ, unbound or dnsmasq'],
  defanged: ['input', 'its scheme or host is defanged'],
  'email-address': ['input', 'it is an e-mail address, whose host has others'],
  'text-before-scheme': ['input', 'there is text before its scheme'],
  json: ['input', 'it is JSON'],
  'table-row': ['host', 'it is a row of a table'],
  tab: ['input', 'it contains a tab or a line end'],
  'space-in-host': ['host', 'a host cannot contain spaces'],
  'space-after-host': ['input', 'it is more than a URL, in which a space is written %20'],
  'wildcard-host': ['host', 'a host cannot contain *; the name after *. already covers all hosts under it'],
  'wildcard-path': ['input', 'its path ends in *; the path without it already covers all that is under it'],
  'address-range': ['host', 'it is a range of addresses, and a list has single ones'],
  'scheme-without-colon': ['input', 'the colon after its scheme is missing'],
  'host-character': ['host', 'a host cannot contain < > [ ] \\ @ : or control characters'],
  'no-address': ['input', 'a line of a hosts file begins with an address'],
  'no-host': ['input', 'there is no host after the address'],
  'not-a-host': ['input', 'only hosts can follow the address'],
  'address-in-use': [
    'input',
    'it maps a host to an address but blocks none; blocking takes 0.0.0.0, 127.0.0.1, :: or ::1',
  ],
};

export function refusal(reason: keyof typeof REFUSALS): Refusal {
  const [place, sentence] = REFUSALS[reason];
  return { reason, place, sentence };
}

function refusalOfCharacter(character: string): Refusal {
  return { reason: 'host-character', place: 'host', sentence: `a host cannot contain ${nameOfCharacter(character)}` };
}

/** Reads the lines of one kind of block list. */
export type ReadLine = (line: string) => BlockListLine;

/** What block lists hold beside entries. */
export type LeftOutKind =
  | 'comments'
  | 'localNames'
  | 'exceptions'
  | 'badfilters'
  | 'cosmeticRules'
  | 'rulesForTypes'
  | 'rulesForSites'
  | 'rulesForRequests'
  | 'rulesThatChange'
  | 'unknownModifiers'
  | 'regularExpressions'
  | 'pathRules'
  | 'portRules'
  | 'patterns'
  | 'directives';

export function leftOut(...kinds: readonly LeftOutKind[]): LineContent {
  return { urls: [], leftOut: kinds };
}

/**
 * White space of ASCII, and in UTF-8 the spaces, marks and joiners that nobody sees around a pasted line: U+0085, U+00A0,
 * U+00AD, U+061C, U+1680, U+180E, U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F, U+3000 and U+FEFF.
 */
const UNSEEN = String.raw`[\t-\r ]|\xc2[\x85\xa0\xad]|\xd8\x9c|\xe1(?:\x9a\x80|\xa0\x8e)|\xe2(?:\x80[\x80-\x8f\xa8-\xaf]|\x81[\x9f-\xaf])|\xe3\x80\x80|\xef\xbb\xbf`;
const UNSEEN_BEFORE = new RegExp(`(?:${UNSEEN})*`, 'y');
const UNSEEN_CHARACTER = new RegExp(`^(?:${UNSEEN})$`);

/** Returns the text without what nobody sees around it. */
export function trimmed(text: string): string {
  UNSEEN_BEFORE.lastIndex = 0;
  UNSEEN_BEFORE.test(text);
  const start = UNSEEN_BEFORE.lastIndex;
  let end = text.length;
  for (let width = 1; width <= 3 && end - width >= start; width++) {
    if (!UNSEEN_CHARACTER.test(text.slice(end - width, end))) continue;
    end -= width;
    width = 0;
  }
  return text.slice(start, end);
}

/** RPZ, unbound and dnsmasq, whose comments begin with ; in the first. */
const RESOLVER_LINE =
  /^(?:(?:address|server|local)=\/|local-(?:zone|data|data-ptr):|server:$|;(?:[\t ]|$)|\$(?:TTL|ORIGIN)[\t ]|(?:[^\t ]+[\t ]+)?(?:\d+[\t ]+)?(?:IN[\t ]+)?(?:CNAME|SOA|NS)[\t ])/i;

/** Lines that are not URLs but would pass for one: the rest would be a fragment, a tab within a host, or a path. */
const NOT_URLS: readonly (readonly [pattern: RegExp, reason: keyof typeof REFUSALS])[] = [
  [/^(?:!|@@|\||\[[^\]:]*\]$)/, 'adblock-rule'],
  [/^[^/:]*(?:#@?[?$%]{0,2}#|\$@?\$)/, 'adblock-rule'],
  [/^[^/?#@:]*(?:\^|\$~?[a-z][\w-]*(?:[=,]|$))/i, 'adblock-rule'],
  [RESOLVER_LINE, 'resolver-line'],
  [/^[[{][\t ]*["{}]/, 'json'],
  [/^\d+(?:\.\d+){3}(?:\/\d{1,2}|[\t ]*-[\t ]*\d+(?:\.\d+){3})$/, 'address-range'],
  [/^(?:0|\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)[\t ]+\S/i, 'hosts-file-line'],
  [/^https?\/\//i, 'scheme-without-colon'],
  // of 687,000 URLs that the web links to, none has such a path
  [/^[^?#]*\/\*$/, 'wildcard-path'],
  [/[\t\r\n]/, 'tab'],
];

/**
 * Characters that no canonical host has. The first match gives the reason, for `||*.a.example^` that it is a rule; a
 * group captures the character that is named.
 */
const NOT_HOSTS: readonly (readonly [pattern: RegExp, reason: keyof typeof REFUSALS])[] = [
  [/[|^]|^!/, 'adblock-rule'],
  [/\*/, 'wildcard-host'],
  [/^[^",;]*([",;])$|^([,;])[^",;]*$/, 'host-character'],
  [/[",;]/, 'table-row'],
  [/%20/, 'space-in-host'],
  [/[<>[\]\\@:]|%(?:[01][\dA-F]|7F)/, 'host-character'], // such as NUL, which ends lines of find -print0
  [/^([!$&'()+=`{}~])|([!$&'()+=`{}~])[^.]*$/, 'host-character'],
];

/** Captures the host as it is written: after a scheme and user information. */
const GIVEN_HOST = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** Returns what reads a line with one URL and nothing beside it. # begins a comment at the start or after white space. */
export function urlLineReader(refangs: boolean): ReadLine {
  return (line) => {
    const comment = /[\t ]#/.exec(line)?.index ?? line.length;
    const found = readUrl(line.slice(0, comment), line, refangs);
    return 'urls' in found && found.urls.some(hasSpaceAfterHost) ? refusal('space-after-host') : found;
  };
}

function hasSpaceAfterHost(url: string): boolean {
  if (!url.includes(' ')) return false;
  const [upToHost] = GIVEN_HOST.exec(url)!;
  return url.includes(' ', upToHost.length);
}

/**
 * Returns what reads a URL by itself, of a column or a JSON field, which may have spaces. # begins a comment at its
 * start.
 */
export function urlValueReader(refangs: boolean): ReadLine {
  return (value) => readUrl(value, value, refangs);
}

/**
 * A host, or a URL of HTTP, of characters that no other kind of line and nothing pasted has: most lines are such, and
 * the checks of what else they could be took a third of the time of a list.
 */
const PLAIN = /^(?:[\w.-]*\.[a-z][\w-]*|https?:\/\/[\w.-]+(?:[/?][\w./?=&%~+-]*)?)$/i;

function readUrl(text: string, line: string, refangs: boolean): BlockListLine {
  if (PLAIN.test(text)) return { urls: [text], leftOut: [] };
  if (trimmed(line)[0] === '#') return leftOut('comments');
  const given = trimmed(text);
  const url = refanged(given);
  if (url !== given && !refangs) return refusal('defanged');
  const [, reason] = NOT_URLS.find(([pattern]) => pattern.test(url)) ?? [];
  if (reason !== undefined) return refusal(reason);
  return refusalOfEnds(url) ?? { urls: [url], leftOut: [] };
}

const SCHEME = /^([a-z*][a-z0-9+.*-]*)(?:(:)|[[({<]:[\])}>])(?:\/\/)|^([a-z*][a-z0-9+.*-]*)[[({<]:\/\/[\])}>]/i;
const BRACKETED = /[[({<][\t ]?(?:(\.|dot)|(:)|(@|at))[\t ]?[\])}>]|\[\.|\.\]/gi;

/** Returns the URL that was written as hxxp[:]//evil[.]example/, or what is given. Path and query stay as they are. */
function refanged(given: string): string {
  const [whole = '', name = '', , other = ''] = SCHEME.exec(given) ?? [];
  const scheme = (name || other).replace(/^h(?:xx|\*\*)p/i, 'http');
  const end = given.slice(whole.length).search(/[/?#\\]/);
  const pathStart = end === -1 ? given.length : whole.length + end;
  const authority = given
    .slice(whole.length, pathStart)
    .replace(BRACKETED, (_, _dot, colon, at) => (colon && ':') || (at && '@') || '.');
  return `${whole === '' ? '' : `${scheme}://`}${authority}${given.slice(pathStart)}`;
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/** A line that text was pasted with: before the scheme, and a bracket or quotation mark at the end that nothing opens. */
function refusalOfEnds(url: string): Refusal | undefined {
  const isUrl = /^[a-z%][a-z0-9+.%-]*:/i.test(url);
  if (!isUrl && /^[^/?#\\"]+:\/\//.test(url)) return refusal('text-before-scheme');
  if (!isUrl && /^[^/?#\\:@]*@/.test(url)) return refusal('email-address');
  const [text] = url.split('#') as [string];
  const last = text.at(-1) ?? '';
  const isHost = !/[/?\\]/.test(text.replace(/^[^/]*:\/\//, ''));
  const closes = OPENING[last];
  const isUnbalanced =
    closes === undefined ? countOf(text, last) % 2 === 1 : countOf(text, last) > countOf(text, closes);
  return !isHost && (closes !== undefined || /["']/.test(last)) && isUnbalanced ? unbalanced(last) : undefined;
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}

function unbalanced(character: string): Refusal {
  const sentence = `it ends in ${nameOfCharacter(character)}, which nothing opens`;
  return { reason: 'unbalanced', place: 'input', sentence };
}

/** What hosts in other scripts have: joiners, middle dots, Hebrew marks, and full stops that count as dots. */
const OF_HOSTS = /[\u200d\u200c\u00b7\u05f3\u05f4\u3002\u30fb\uff0e\uff61\uff65]/u;
const NOT_OF_HOSTS = /[^\0-\x7f]/gu;
const MARK = /[\p{Z}\p{Cc}\p{Cf}\p{Co}\p{P}]/u;
/** A bullet, or another symbol at an end that is not a picture by itself, as hosts have them. */
const BULLET =
  /^(?:[\u00b7\u30fb]|(?!\p{Emoji_Presentation})[^\0-\x7f\p{L}\p{N}\p{M}])|(?!\p{Emoji_Presentation})[^\0-\x7f\p{L}\p{N}\p{M}\u200c\u3002\uff0e\uff61\u200d]$/u;

/** Most hosts, without a test for each character that none has. */
const PLAIN_HOST = /^[\w.-]*$/;

/** Says why a canonical host, which is not an address, matches no URL. */
export function refusalOfHost(host: string): Refusal | undefined {
  if (PLAIN_HOST.test(host)) return undefined;
  for (const [pattern, reason] of NOT_HOSTS) {
    const found = pattern.exec(host);
    if (found === null) continue;
    const character = found[1] ?? found[2];
    return character === undefined ? refusal(reason) : refusalOfCharacter(character);
  }
  return undefined;
}

/** Says why the host of a URL without a canonical form matches no URL: its fault may tell what the line is. */
export function refusalOfGiven(url: string): Refusal | undefined {
  return refusalOfHost(GIVEN_HOST.exec(url)![1]!.replaceAll(' ', '%20').replace(/:\d*$/, ''));
}

/** Says which character of a host, as it is written, was pasted with it: a quotation mark, a bullet, a space unseen. */
export function refusalOfPasted(url: string): Refusal | undefined {
  if (!/[\x80-\xff]/.test(url)) return undefined;
  const given = GIVEN_HOST.exec(url)![1]!;
  const host = decodeLine(asciiBytes(given));
  const bullet = BULLET.exec(host)?.[0];
  const found = bullet ?? host.match(NOT_OF_HOSTS)?.find((each) => MARK.test(each) && !OF_HOSTS.test(each));
  return found === undefined ? undefined : refusalOfCharacter(found);
}

/** Names that systems and the authors of block lists put into every hosts file. */
const LOCAL_NAME =
  /^(?:(?:.*\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)\.?$/i;

/** Addresses that reach nothing, or the machine itself: 0.0.0.0, also written 0, 127.0.0.0/8, :: and ::1. */
const BLOCKING_ADDRESS = /^(?:0|0\.0\.0\.0|127(?:\.\d+){3}|[0:]+1?)$/;

export const HOST = /^(?:[\w.-]|[^\0-\x7f])+$/;

const IPV4 = /^(?:0|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4})$/;

/** IPv4 in four decimal numbers, or 0; IPv6 with or without a zone (RFC 4007 section 11). */
function isAddress(word: string): boolean {
  return IPV4.test(word) || (word.includes(':') && parsedIpv6(word.replace(/%.+$/, '')) !== undefined);
}

/** Reads an address with one or more hosts (hosts(5)); # begins a comment. */
export const readHostsLine: ReadLine = (line) => {
  const comment = line.indexOf('#');
  const words = trimmed(comment === -1 ? line : line.slice(0, comment)).split(/[\t-\r ]+/);
  const [address = '', ...hosts] = words.map(trimmed);
  if (address === '') return comment === -1 ? leftOut() : leftOut('comments');
  if (!isAddress(address)) return refusal('no-address');
  if (hosts.length === 0) return refusal('no-host');
  if (!hosts.every((host) => HOST.test(host))) return refusal('not-a-host');
  const urls = hosts.filter((host) => !LOCAL_NAME.test(host));
  if (urls.length > 0 && !BLOCKING_ADDRESS.test(address)) return refusal('address-in-use');
  return { urls, leftOut: Array.from({ length: hosts.length - urls.length }, (): LeftOutKind => 'localNames') };
};

/** The first group is a host, or several with a slash between them; the second an address, where there is one. */
const BLOCKING: readonly RegExp[] = [
  /^(?:address|server|local)=\/([^/]+(?:\/[^/]+)*)\/(?:#|([\da-f.:]+))?$/i, // dnsmasq
  /^local-zone:[\t ]*"?([^\t "]+)"?[\t ]+"?(?:always_(?!transparent)\w+|static|refuse|deny|redirect|inform_\w+)"?$/,
  /^local-data:[\t ]*["']([^\t ]+)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?(?:A|AAAA)[\t ]+([\da-f.:]+)["']$/i, // unbound
  /^([^*\t ][^\t ]*)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?CNAME[\t ]+(?:\.|\*\.|rpz-drop\.)$/i, // RPZ
];
const PASSING = /^([^*\t ][^\t ]*)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?CNAME[\t ]+rpz-passthru\.$/i;
/** In RPZ, all hosts under one, which the list entry of that one covers; addresses, and hosts that lead elsewhere. */
const OTHER_TRIGGER =
  /^\*\.|^\S+\.rpz-(?:client-ip|ip|nsdname|nsip)[\t ]|^[^$@\t ]\S*[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?CNAME[\t ]/i;

/**
 * Reads a line that tells a name server not to resolve a host: of a response policy zone, of unbound or of dnsmasq. What
 * names no host, such as `$TTL`, is a directive.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-vixie-dnsop-dns-rpz-00
 * @see https://nlnetlabs.nl/documentation/unbound/unbound.conf/
 * @see https://thekelleys.org.uk/dnsmasq/docs/dnsmasq-man.html
 */
export function readResolverLine(line: string): BlockListLine {
  const text = trimmed(line.replace(/(?:^|[\t ])[;#].*/, ''));
  if (text === '') return leftOut('comments');
  const passed = PASSING.exec(text)?.[1];
  if (passed !== undefined) return ofHosts([passed], 'exception', text);
  const found = BLOCKING.map((pattern) => pattern.exec(text)).find((each) => each !== null);
  const [, hosts, address = '0.0.0.0'] = found ?? [];
  if (hosts !== undefined && !/\.rpz-[a-z-]+$/i.test(hosts) && BLOCKING_ADDRESS.test(address))
    return ofHosts(hosts.split('/'), 'block', text);
  return leftOut(OTHER_TRIGGER.test(text) ? 'patterns' : 'directives');
}

function ofHosts(urls: readonly string[], effect: 'block' | 'exception', key: string): BlockListLine {
  return { urls, leftOut: [], rule: { effect, isImportant: false, key } };
}
