import { isIP } from 'node:net';

/** The result of reading a line of a block list. Lines are given as latin1, in which a position is that of a byte. */
type BlockListLine = Listed | Refusal;

/** The URLs or hosts that a line lists, and the kinds of what is left out. */
interface Listed {
  /** The span of each URL or host in the line: [start, end). */
  readonly urls: readonly Span[];
  readonly leftOut: readonly LeftOutKind[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The reason why a line cannot be listed, not even in part. */
export interface Refusal {
  readonly reason: string;
  readonly sentence: string;
}

/** Reads the lines of one kind of block list. */
export type ReadLine = (line: string) => BlockListLine;

/** The kinds of entries, in the words of the summary: singular and plural. */
export const ENTRY_KINDS = {
  hosts: ['host', 'hosts'],
  folders: ['folder', 'folders'],
  pages: ['page', 'pages'],
} as const;

/** The kinds of lines that are not listed, in the words of the summary. */
export const LEFT_OUT_KINDS = {
  comments: ['comment', 'comments'],
  localNames: ['local name', 'local names'],
  exceptions: ['exception', 'exceptions'],
  cosmeticRules: ['cosmetic rule', 'cosmetic rules'],
  rulesWithOptions: ['rule with options', 'rules with options'],
  regularExpressions: ['regular expression', 'regular expressions'],
  pathRules: ['rule for a path', 'rules for paths'],
  patterns: ['other pattern', 'other patterns'],
  directives: ['directive', 'directives'],
} as const;

export type EntryKind = keyof typeof ENTRY_KINDS;
type LeftOutKind = keyof typeof LEFT_OUT_KINDS;

function leftOut(...kinds: readonly LeftOutKind[]): Listed {
  return { urls: [], leftOut: kinds };
}

/** Returns the span of the line without the white space around it. */
function contentOf(line: string): Span {
  const start = line.search(/\S/);
  return start === -1 ? { start: line.length, end: line.length } : { start, end: line.trimEnd().length };
}

const ADBLOCK: Refusal = {
  reason: 'adblock-rule',
  sentence: 'it is an ad-block rule; --input adblock reads those',
};
const HOSTS: Refusal = {
  reason: 'hosts-file-line',
  sentence: 'it is an address and a host; --input hosts reads hosts files',
};
const TABLE: Refusal = {
  reason: 'table-row',
  sentence: 'it is a row of a table; --column with --csv, --tsv or --delimiter reads tables',
};
const TAB: Refusal = {
  reason: 'tab',
  sentence: 'it contains a tab or a line end; --input hosts reads hosts files, --column a column of a table',
};
const SPACE: Refusal = {
  reason: 'space-in-host',
  sentence: 'a host cannot contain spaces; --input hosts reads hosts files, --column a column of a table',
};
const WILDCARD: Refusal = {
  reason: 'wildcard-host',
  sentence: 'a host cannot contain *; the name after *. already covers all hosts under it',
};
const NO_COLON: Refusal = { reason: 'scheme-without-colon', sentence: 'the colon after its scheme is missing' };
const CHARACTER: Refusal = { reason: 'host-character', sentence: 'a host cannot contain < > [ ] \\ @ :' };

/** Lines that are not URLs but would pass for one: the rest would be a fragment, a tab within a host, or a path. */
const NOT_URLS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/^(?:!|@@|\|)/, ADBLOCK],
  [/^[^/:]*#@?[?$%]{0,2}#/, ADBLOCK],
  [/^(?:0|\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)[\t ]+\S/i, HOSTS],
  [/^https?\/\//i, NO_COLON],
  [/[\t\r\n]/, TAB],
];

/** Characters that no canonical host has. The first match gives the reason: for `||*.a.example^`, that it is a rule. */
const NOT_HOSTS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/[|^]|^!/, ADBLOCK],
  [/\*/, WILDCARD],
  [/[",;]/, TABLE],
  [/%20/, SPACE],
  [/[<>[\]\\@:]/, CHARACTER],
];

/** Captures the host as it is written: after a scheme and user information. */
const GIVEN_HOST = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** Reads a line with one URL. A comment begins with # at the start of the line or after white space. */
export const readUrlLine: ReadLine = (line) => {
  const comment = /[\t ]#/.exec(line)?.index ?? line.length;
  return readUrl(line.slice(0, comment), line);
};

/** Reads a column or a JSON field in the same way, but its URL may contain white space. */
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

const HOST = /^[\w.\x80-\xff-]+$/;

const NO_ADDRESS: Refusal = {
  reason: 'no-address',
  sentence: 'a line of a hosts file begins with an address; --input lines reads hosts alone',
};
const NO_HOST: Refusal = { reason: 'no-host', sentence: 'there is no host after the address' };
const NOT_HOST: Refusal = { reason: 'not-a-host', sentence: 'only hosts can follow the address' };
const OTHER_ADDRESS: Refusal = {
  reason: 'address-in-use',
  sentence: 'it maps a host to an address but blocks none; blocking takes 0.0.0.0, 127.0.0.1, :: or ::1',
};

/** Reads an address with one or more hosts (hosts(5)); # begins a comment. */
export const readHostsLine: ReadLine = (line) => {
  const comment = line.indexOf('#');
  const words = wordsOf(comment === -1 ? line : line.slice(0, comment));
  const [address, ...hosts] = words.map(({ start, end }) => line.slice(start, end));
  if (address === undefined) return comment === -1 ? leftOut() : leftOut('comments');
  if (isIP(address) === 0 && address !== '0') return NO_ADDRESS;
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
  return Array.from(text.slice(0, end).matchAll(/\S+/g), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
}

export const EXCEPTION: Refusal = {
  reason: 'exception',
  sentence: 'a list cannot hold exceptions; --ignore-exceptions drops them and lists what they exempt',
};

/** `||host^`: the host and all hosts under it, as in a list entry. */
const HOST_RULE = /^\|\|([\w.\x80-\xff-]+)\^$/;

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
