import { Failure } from '../../core/url/failure.ts';
import { parseIpv6 } from '../../core/url/ip-address.ts';

/** The result of reading a line of a block list. Lines are texts in which a unit is a byte. */
type BlockListLine = Listed | Refusal;

/** The URLs or hosts that a line lists, and the kinds of what is left out. */
interface Listed {
  /** The span of each URL or host in the line: [start, end). */
  readonly urls: readonly Span[];
  readonly leftOut: readonly LeftOutKind[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why a line cannot be listed, not even in part: no URL would ever match the entry. */
export type EntryReason =
  | 'comment'
  | 'adblock-rule'
  | 'exception'
  | 'hosts-file-line'
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

function refusal(reason: EntryReason, sentence: string, place: 'input' | 'host' = 'input'): Refusal {
  return { reason, place, sentence };
}

/** Reads the lines of one kind of block list. */
export type ReadLine = (line: string) => BlockListLine;

/** What block lists hold beside entries. */
export type LeftOutKind =
  | 'comments'
  | 'localNames'
  | 'exceptions'
  | 'cosmeticRules'
  | 'rulesWithOptions'
  | 'regularExpressions'
  | 'pathRules'
  | 'patterns'
  | 'directives';

function leftOut(...kinds: readonly LeftOutKind[]): Listed {
  return { urls: [], leftOut: kinds };
}

/** Returns the span of the line without the white space around it: ASCII's, as other bytes are parts of characters. */
function contentOf(line: string): Span {
  const start = line.search(/[^\t-\r ]/);
  return start === -1 ? { start: line.length, end: line.length } : { start, end: endOfContent(line) };
}

function endOfContent(line: string): number {
  let end = line.length;
  while (end > 0 && /[\t-\r ]/.test(line[end - 1]!)) end--;
  return end;
}

/** Is not a URL, however it is read. */
export const COMMENT = /* @__PURE__ */ refusal('comment', 'it is a comment');
const ADBLOCK = /* @__PURE__ */ refusal('adblock-rule', 'it is an ad-block rule');
const HOSTS = /* @__PURE__ */ refusal('hosts-file-line', 'it is an address and a host');
const TABLE = /* @__PURE__ */ refusal('table-row', 'it is a row of a table', 'host');
const TAB = /* @__PURE__ */ refusal('tab', 'it contains a tab or a line end');
const SPACE = /* @__PURE__ */ refusal('space-in-host', 'a host cannot contain spaces', 'host');
const SPACE_AFTER_HOST = /* @__PURE__ */ refusal(
  'space-after-host',
  'it is more than a URL, in which a space is written %20',
);
const WILDCARD = /* @__PURE__ */ refusal(
  'wildcard-host',
  'a host cannot contain *; the name after *. already covers all hosts under it',
  'host',
);
const WILDCARD_PATH = /* @__PURE__ */ refusal(
  'wildcard-path',
  'its path ends in *; the path without it already covers all that is under it',
);
const RANGE = /* @__PURE__ */ refusal(
  'address-range',
  'it is a range of addresses, and a list has single ones',
  'host',
);
const NO_COLON = /* @__PURE__ */ refusal('scheme-without-colon', 'the colon after its scheme is missing');
const CHARACTER = /* @__PURE__ */ refusal(
  'host-character',
  'a host cannot contain < > [ ] \\ @ : or control characters',
  'host',
);
const TOP_LEVEL = /* @__PURE__ */ refusal(
  'host-character',
  "a top-level domain cannot contain ! $ & ' ( ) + = ` { } ~",
  'host',
);

/** Lines that are not URLs but would pass for one: the rest would be a fragment, a tab within a host, or a path. */
const NOT_URLS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/^(?:!|@@|\|)/, ADBLOCK],
  [/^[^/:]*#@?[?$%]{0,2}#/, ADBLOCK],
  [/^\d+(?:\.\d+){3}(?:\/\d{1,2}|[\t ]*-[\t ]*\d+(?:\.\d+){3})$/, RANGE],
  [/^(?:0|\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)[\t ]+\S/i, HOSTS],
  [/^https?\/\//i, NO_COLON],
  // of 687,000 URLs that the web links to, none has such a path
  [/^[^?#]*\/\*$/, WILDCARD_PATH],
  [/[\t\r\n]/, TAB],
];

/** Characters that no canonical host has. The first match gives the reason: for `||*.a.example^`, that it is a rule. */
const NOT_HOSTS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/[|^]|^!/, ADBLOCK],
  [/\*/, WILDCARD],
  [/[",;]/, TABLE],
  [/%20/, SPACE],
  [/[<>[\]\\@:]|%(?:[01][\dA-F]|7F)/, CHARACTER], // such as NUL, which ends lines of find -print0
  [/[!$&'()+=`{}~][^.]*$/, TOP_LEVEL], // such as "address=" of dnsmasq
];

/** Captures the host as it is written: after a scheme and user information. */
const GIVEN_HOST = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** Reads a line with one URL and nothing beside it. A comment begins with # at the start or after white space. */
export const readUrlLine: ReadLine = (line) => {
  const comment = /[\t ]#/.exec(line)?.index ?? line.length;
  const found = readUrl(line.slice(0, comment), line);
  const isMore = 'urls' in found && found.urls.some(({ start, end }) => hasSpaceAfterHost(line.slice(start, end)));
  return isMore ? SPACE_AFTER_HOST : found;
};

function hasSpaceAfterHost(url: string): boolean {
  const [upToHost] = GIVEN_HOST.exec(url)!;
  return url.includes(' ', upToHost.length);
}

/** Reads a URL by itself, of a column or a JSON field, which may contain white space. # begins a comment at its start. */
export const readUrlValue: ReadLine = (value) => readUrl(value, value);

function readUrl(text: string, line: string): BlockListLine {
  const { start, end } = contentOf(text);
  if (line[contentOf(line).start] === '#') return leftOut('comments');
  const content = text.slice(start, end);
  return NOT_URLS.find(([pattern]) => pattern.test(content))?.[1] ?? { urls: [{ start, end }], leftOut: [] };
}

/** Says why a canonical host, which is not an address, matches no URL. */
export function refusalOfHost(host: string): Refusal | undefined {
  return NOT_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
}

/** Says why the host of a URL without a canonical form matches no URL: its fault may tell what the line is. */
export function refusalOfGiven(url: string): Refusal | undefined {
  return refusalOfHost(GIVEN_HOST.exec(url)![1]!.replaceAll(' ', '%20').replace(/:\d*$/, ''));
}

/** Names that systems and the authors of block lists put into every hosts file. */
const LOCAL_NAME =
  /^(?:(?:.*\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)\.?$/i;

/** Addresses that reach nothing, or the machine itself: 0.0.0.0, also written 0, 127.0.0.0/8, :: and ::1. */
const BLOCKING_ADDRESS = /^(?:0|0\.0\.0\.0|127(?:\.\d+){3}|[0:]+1?)$/;

const HOST = /^(?:[\w.-]|[^\0-\x7f])+$/;

const NO_ADDRESS = /* @__PURE__ */ refusal('no-address', 'a line of a hosts file begins with an address');
const NO_HOST = /* @__PURE__ */ refusal('no-host', 'there is no host after the address');
const NOT_HOST = /* @__PURE__ */ refusal('not-a-host', 'only hosts can follow the address');
const OTHER_ADDRESS = /* @__PURE__ */ refusal(
  'address-in-use',
  'it maps a host to an address but blocks none; blocking takes 0.0.0.0, 127.0.0.1, :: or ::1',
);

const IPV4 = /^(?:0|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4})$/;

/** IPv4 in four decimal numbers, or 0; IPv6 with or without a zone (RFC 4007 section 11). */
function isAddress(word: string): boolean {
  return IPV4.test(word) || (word.includes(':') && !(parseIpv6(word.replace(/%.+$/, '')) instanceof Failure));
}

/** Reads an address with one or more hosts (hosts(5)); # begins a comment. */
export const readHostsLine: ReadLine = (line) => {
  const comment = line.indexOf('#');
  const words = wordsOf(comment === -1 ? line : line.slice(0, comment));
  const [address, ...hosts] = words.map(({ start, end }) => line.slice(start, end));
  if (address === undefined) return comment === -1 ? leftOut() : leftOut('comments');
  if (!isAddress(address)) return NO_ADDRESS;
  if (hosts.length === 0) return NO_HOST;
  if (!hosts.every((host) => HOST.test(host))) return NOT_HOST;
  const listed = listedOf(hosts, words.slice(1));
  return listed.urls.length === 0 || BLOCKING_ADDRESS.test(address) ? listed : OTHER_ADDRESS;
};

function listedOf(hosts: readonly string[], spans: readonly Span[]): Listed {
  const local = hosts.filter((host) => LOCAL_NAME.test(host));
  return {
    urls: spans.filter((_, at) => !LOCAL_NAME.test(hosts[at]!)),
    leftOut: local.map((): LeftOutKind => 'localNames'),
  };
}

function wordsOf(text: string): Span[] {
  const { end } = contentOf(text);
  return Array.from(text.slice(0, end).matchAll(/[^\t-\r ]+/g), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
}

export const EXCEPTION = /* @__PURE__ */ refusal('exception', 'a list cannot hold exceptions');

/** `||host^`: the host and all hosts under it, as in a list entry. */
const HOST_RULE = /^\|\|((?:[\w.-]|[^\0-\x7f])+)\^$/;

/** Rules for which expressions would match more or fewer URLs than they do. The first match gives the kind. */
const OTHER_RULES: readonly (readonly [kind: LeftOutKind, pattern: RegExp])[] = [
  ['directives', /^!#/],
  ['comments', /^(?:!|\[.*\]$|#(?![#@?$%]))/],
  ['exceptions', /^@@/],
  ['cosmeticRules', /#@?[?$%]{0,2}#|\$@?\$/],
  ['regularExpressions', /^\/.*\/(?:\$|$)/],
  ['rulesWithOptions', /\$[~\w]/],
  ['pathRules', /\//],
  ['patterns', /./],
];

/** Reads one rule in the syntax that Adblock Plus, uBlock Origin and AdGuard share. */
export function readAdblockLine(ignoresExceptions: boolean): ReadLine {
  return (line) => {
    const { start, end } = contentOf(line);
    const rule = line.slice(start, end);
    if (rule === '') return leftOut();
    const host = HOST_RULE.exec(rule)?.[1];
    if (host !== undefined) return { urls: [{ start: start + 2, end: start + 2 + host.length }], leftOut: [] };
    const kind = OTHER_RULES.find(([, pattern]) => pattern.test(rule))?.[0] ?? 'patterns';
    return kind === 'exceptions' && !ignoresExceptions ? EXCEPTION : leftOut(kind);
  };
}
