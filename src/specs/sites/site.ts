import {
  COLON,
  COMMERCIAL_AT,
  FULL_STOP,
  isAsciiDigit,
  LEFT_BRACKET,
  NUMBER_SIGN,
  positionOf,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SLASH,
} from '../../core/bytes/code-points.ts';
import { asciiText, writeAscii } from '../../core/bytes/text.ts';
import { canonicalize } from '../../core/url/canonicalize.ts';
import type { Options } from '../../core/url/options.ts';
import { isSpecialScheme } from '../../core/url/record.ts';
import { publicSuffixStart } from '../safe-browsing/suffix-list.ts';

/**
 * The host of a URL: in ASCII, lower case, without its port; an IPv6 address in brackets.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`: the host is that of the form which they choose
 * @returns null where the URL has no host, or an empty one
 * @throws {UrlError} where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @see https://url.spec.whatwg.org/#concept-url-host
 * @example
 * hostOf('https://user@Forum.Example.co.uk:8080/'); //=> 'forum.example.co.uk'
 */
export function hostOf(url: string | URL, options?: Options): string | null {
  return groupKeyOf('host', canonicalize(url, options));
}

/**
 * The site of a URL: the registrable domain of its host, by the Public Suffix List with its private section, in the
 * edition that PUBLIC_SUFFIX_LIST names.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`
 * @returns null where the host is an address, a public suffix or not a domain, and where there is none
 * @throws as `hostOf`
 * @see https://url.spec.whatwg.org/#host-registrable-domain
 * @example
 * siteOf('https://forum.example.co.uk/'); //=> 'example.co.uk'
 * siteOf('https://user.github.io/'); //=> 'user.github.io'
 */
export function siteOf(url: string | URL, options?: Options): string | null {
  return groupKeyOf('site', canonicalize(url, options));
}

/**
 * The Sort-friendly URI of a URL: its host from the last label to the first, then its port, path and query, so that the
 * pages of a domain and of its subdomains sort next to each other. docs/sites.md defines it; SURT names the definition.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`
 * @throws as `hostOf`
 * @example
 * surtOf('https://www.example.com:8080/a?b#c'); //=> 'com,example,www:8080)/a?b'
 */
export function surtOf(url: string | URL, options?: Options): string {
  return groupKeyOf('surt', canonicalize(url, options))!;
}

// docs/sites.md defines what this file does, to the bytes of a canonical form, which are ASCII.

/** The keys that group and sort pages by where they are: the host, the site and the Sort-friendly URI. */
export const GROUP_KEYS = ['host', 'site', 'surt'] as const;

export type GroupKey = (typeof GROUP_KEYS)[number];

/** The definition of the Sort-friendly URI; it changes whenever any could. */
export const SURT = 'surt/1';

/** The length of a group key that a form does not have. */
export const NO_GROUP_KEY = -1;

const COMMA = 0x2c;
const RIGHT_PARENTHESIS = 0x29;

/** Returns the host, site or SURT of a canonical form, or null if it has none. */
export function groupKeyOf(name: GroupKey, canonical: string): string | null {
  if (scratch.length < 2 * canonical.length) scratch = new Uint8Array(4 * canonical.length);
  writeAscii(scratch, 0, canonical);
  const to = scratch.subarray(canonical.length);
  const length = writeGroupKey(name, scratch, 0, canonical.length, to);
  return length === NO_GROUP_KEY ? null : asciiText(to.subarray(0, length));
}

let scratch = new Uint8Array(1024);

/**
 * Writes the host, site or SURT of the canonical form [start, end) to the beginning of `to`, which has room for as many
 * bytes as the form, and returns its length, or NO_GROUP_KEY.
 */
export function writeGroupKey(name: GroupKey, bytes: Uint8Array, start: number, end: number, to: Uint8Array): number {
  const hasHost = findHost(bytes, start, end);
  if (name === 'surt') return hasHost ? writeSurt(bytes, to) : copied(bytes, start, fragmentStart, to, 0);
  const from = !hasHost ? NO_GROUP_KEY : name === 'host' ? hostStart : siteStart(bytes, start);
  return from === NO_GROUP_KEY ? NO_GROUP_KEY : copied(bytes, from, hostEnd, to, 0);
}

// The parts that were found last.
let hostStart = 0;
let hostEnd = 0;
/** Where the port ends, or the host if there is none. */
let authorityEnd = 0;
/** Where the fragment begins, or the form ends. */
let fragmentStart = 0;

/** Finds the parts of the form [start, end), and returns whether it has a host that is not empty. */
function findHost(bytes: Uint8Array, start: number, end: number): boolean {
  fragmentStart = positionOf(NUMBER_SIGN, bytes, start, end);
  const colon = positionOf(COLON, bytes, start, end);
  if (colon + 3 > end || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH) return false;
  hostStart = colon + 3;
  hostEnd = NO_GROUP_KEY;
  let at = hostStart;
  for (; at < fragmentStart && bytes[at] !== SLASH && bytes[at] !== QUESTION_MARK; at++) {
    const byte = bytes[at];
    if (byte === COMMERCIAL_AT) {
      hostStart = at + 1;
      hostEnd = NO_GROUP_KEY;
    } else if (byte === LEFT_BRACKET) at = positionOf(RIGHT_BRACKET, bytes, at, fragmentStart);
    else if (byte === COLON && hostEnd === NO_GROUP_KEY) hostEnd = at;
  }
  authorityEnd = at;
  if (hostEnd === NO_GROUP_KEY) hostEnd = at;
  return hostEnd > hostStart;
}

/**
 * Returns where the registrable domain of the host begins, or NO_GROUP_KEY: of an address, of a public suffix, and of a host
 * that is not a domain. https://url.spec.whatwg.org/#host-registrable-domain
 */
function siteStart(bytes: Uint8Array, start: number): number {
  if (
    isAddress(bytes) ||
    !isSpecialScheme(asciiText(bytes.subarray(start, positionOf(COLON, bytes, start, hostStart))))
  )
    return NO_GROUP_KEY;
  const end = hostEnd - Number(bytes[hostEnd - 1] === FULL_STOP);
  const suffix = publicSuffixStart(bytes, hostStart, end, true);
  return suffix <= hostStart ? NO_GROUP_KEY : labelStart(bytes, suffix - 1);
}

function writeSurt(bytes: Uint8Array, to: Uint8Array): number {
  let at = isAddress(bytes) ? copied(bytes, hostStart, hostEnd, to, 0) : writeReversed(bytes, to);
  at = copied(bytes, hostEnd, authorityEnd, to, at);
  to[at++] = RIGHT_PARENTHESIS;
  return copied(bytes, authorityEnd, fragmentStart, to, at);
}

/** Writes the labels of the host from the last to the first, without a final dot, and returns the length. */
function writeReversed(bytes: Uint8Array, to: Uint8Array): number {
  let at = 0;
  let end = hostEnd - Number(hostEnd - hostStart > 1 && bytes[hostEnd - 1] === FULL_STOP);
  for (;;) {
    const label = labelStart(bytes, end);
    at = copied(bytes, label, end, to, at);
    if (label === hostStart) return at;
    to[at++] = COMMA;
    end = label - 1;
  }
}

/** Whether the host is an IPv6 address, or its last label is a number, as that of an IPv4 address and of no domain. */
function isAddress(bytes: Uint8Array): boolean {
  if (bytes[hostStart] === LEFT_BRACKET) return true;
  let at = hostEnd - 1;
  while (at >= hostStart && isAsciiDigit(bytes[at]!)) at--;
  return at < hostEnd - 1 && (at < hostStart || bytes[at] === FULL_STOP);
}

/** Returns where the label of the host that ends at `end` begins. */
function labelStart(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > hostStart && bytes[at - 1] !== FULL_STOP) at--;
  return at;
}

/** Copies bytes [start, end) to `at`, and returns their new end. */
function copied(bytes: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  for (let from = start; from < end; from++, at++) to[at] = bytes[from]!;
  return at;
}
