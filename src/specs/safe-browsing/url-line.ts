import { hasOwn } from '../../core/argument.ts';
import { asciiBytes, decodeLine } from '../../core/bytes/text.ts';
import { nameOfCharacter } from '../../core/quote.ts';
import { endsInModifiers } from './ad-block-rule.ts';
import {
  type BlockListLine,
  leftOut,
  type PlainReason,
  type ReadLine,
  type Refusal,
  refusal,
  refusalOfCharacter,
  trimmed,
} from './block-list.ts';
import { HOSTS_LINE } from './hosts-line.ts';
import { isResolverLine } from './resolver-line.ts';
import { isZoneLine } from './response-policy-zone.ts';

/** Lines that are not URLs but would pass for one: the rest would be a fragment, a tab within a host, or a path. */
const NOT_URLS: readonly (readonly [isSo: (line: string) => boolean, reason: PlainReason])[] = [
  [(line) => /^(?:!|@@|\||\[[^\]:]*\]$)/.test(line), 'adblock-rule'],
  [(line) => /^[^/:]*(?:#@?[?$%]{0,2}#|\$@?\$)/.test(line), 'adblock-rule'],
  [(line) => /^[^/?#@:]*(?:\^|\$~?[a-z][\w-]*(?:[=,]|$))/i.test(line), 'adblock-rule'],
  [(line) => !/^[a-z][a-z0-9+.-]*:/i.test(line) && /^[^#]*[|^]\*?$/.test(line), 'adblock-rule'],
  [(line) => !/^[a-z][a-z0-9+.-]*:/i.test(line) && endsInModifiers(line), 'adblock-rule'],
  [(line) => isResolverLine(line) || isZoneLine(line), 'resolver-line'],
  [(line) => /^[[{][\t ]*["{}]/.test(line), 'json'],
  [(line) => /^\d+(?:\.\d+){3}(?:\/\d{1,2}|[\t ]*-[\t ]*\d+(?:\.\d+){3})$/.test(line), 'address-range'],
  [(line) => HOSTS_LINE.test(line), 'hosts-file-line'],
  [(line) => /^https?\/\//i.test(line), 'scheme-without-colon'],
  // of 687,000 URLs that the web links to, none has such a path
  [(line) => /^[^?#]*\/\*$/.test(line), 'wildcard-path'],
  [(line) => /[\t\r\n]/.test(line), 'tab'],
];

/**
 * Characters that no canonical host has. The first match gives the reason, for `||*.a.example^` that it is a rule; a
 * group captures the character that is named.
 */
const NOT_HOSTS: readonly (readonly [pattern: RegExp, reason: PlainReason])[] = [
  [/[|^]|^!/, 'adblock-rule'],
  [/\*/, 'wildcard-host'],
  [/^[^",;]*([",;])$|^([,;])[^",;]*$/, 'host-character'],
  [/[",;]/, 'table-row'],
  [/%20/, 'space-in-host'],
  [/[<>[\]\\@:]|%(?:[01][\dA-F]|7F)/, 'host-character'], // such as NUL, which ends lines of find -print0
];
/** Marks that are pasted before a host, or after its last label. */
const PASTED = /[!$&'()+=`{}~]/;

/** Captures the host as it is written: after a scheme and user information. */
const GIVEN_HOST = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/**
 * Returns what reads a line with one URL and nothing beside it. # begins a comment at the start or after white space.
 */
export function urlLineReader(refangs: boolean): ReadLine {
  return (line) => {
    const comment = /[\t ]#/.exec(line)?.index ?? line.length;
    const found = readUrl(line.slice(0, comment), line, refangs);
    return hasOwn(found, 'urls') && found.urls.some(hasSpaceAfterHost) ? refusal('space-after-host') : found;
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

/** Whether a line can be nothing but a host or a URL. */
export function isPlainUrl(line: string): boolean {
  return PLAIN.test(line);
}

function readUrl(text: string, line: string, refangs: boolean): BlockListLine {
  if (PLAIN.test(text)) return { urls: [text], leftOut: [] };
  if (trimmed(line)[0] === '#') return leftOut('comments');
  const given = trimmed(text);
  const url = refanged(given);
  if (url !== given && !refangs) return refusal('defanged');
  const [, reason] = NOT_URLS.find(([isSo]) => isSo(url)) ?? [];
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

/**
 * A line that text was pasted with: before the scheme, and a bracket or quotation mark at the end that nothing opens.
 */
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

/** Characters of hosts in other scripts: joiners, middle dots, Hebrew marks, and full stops that count as dots. */
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
  const pasted = PASTED.exec(host[0]!) ?? PASTED.exec(host.slice(host.lastIndexOf('.') + 1));
  return pasted === null ? undefined : refusalOfCharacter(pasted[0]);
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
