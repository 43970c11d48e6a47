// docs/sites.md defines what this file does, to the bytes of a canonical form, which are ASCII.

import {
  COLON,
  COMMA,
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
import { isSpecialScheme } from '../../core/url/record.ts';
import { SuffixLookup } from '../safe-browsing/suffix-lookup.ts';

// The kinds of group keys, as urlsum.wasm numbers its outputs.
export const HOST_KEY: i32 = 2;
export const SITE_KEY: i32 = 3;
export const SURT_KEY: i32 = 4;

/** The length of a group key that a form does not have, and the place of what is not there. */
export const NO_GROUP_KEY: i32 = -1;

const RIGHT_PARENTHESIS: i32 = 0x29;
/** Sections of the Public Suffix List: that of ICANN, and the private one. */
const BOTH_SECTIONS: i32 = 3;

/**
 * Writes the host, site or SURT of the canonical form [start, end) to the beginning of `to`, which has room for as many
 * bytes as the form, and returns its length, or NO_GROUP_KEY.
 *
 * @param suffixes of a site, which needs them
 */
export function writeKeyOfKind(
  kind: i32,
  bytes: Uint8Array,
  start: i32,
  end: i32,
  to: Uint8Array,
  suffixes: SuffixLookup | null,
): i32 {
  const hasHost = findHost(bytes, start, end);
  if (kind === SURT_KEY) return hasHost ? writeSurt(bytes, to) : copied(bytes, start, fragmentStart, to, 0);
  const from = !hasHost ? NO_GROUP_KEY : suffixes === null ? hostStart : siteStart(bytes, start, suffixes);
  return from === NO_GROUP_KEY ? NO_GROUP_KEY : copied(bytes, from, hostEnd, to, 0);
}

// The parts that were found last.
let hostStart: i32 = 0;
let hostEnd: i32 = 0;
/** The end of the port, or of the host if there is none. */
let authorityEnd: i32 = 0;
/** The start of the fragment, or the end of the form. */
let fragmentStart: i32 = 0;

/** Finds the parts of the form [start, end), and returns whether it has a host that is not empty. */
function findHost(bytes: Uint8Array, start: i32, end: i32): bool {
  fragmentStart = positionOf(NUMBER_SIGN, bytes, start, end);
  const colon = positionOf(COLON, bytes, start, end);
  if (colon + 3 > end || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH) return false;
  hostStart = colon + 3;
  hostEnd = NO_GROUP_KEY;
  let at = hostStart;
  for (; at < fragmentStart && bytes[at] !== SLASH && bytes[at] !== QUESTION_MARK; at++) {
    const byte: i32 = bytes[at]!;
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
 * Returns where the registrable domain of the host begins, or NO_GROUP_KEY: of an address, of a public suffix, and of a
 * host that is not a domain. https://url.spec.whatwg.org/#host-registrable-domain
 */
function siteStart(bytes: Uint8Array, start: i32, suffixes: SuffixLookup): i32 {
  if (isAddress(bytes) || !isSpecialScheme(schemeText(bytes, start))) return NO_GROUP_KEY;
  const end = bytes[hostEnd - 1] === FULL_STOP ? hostEnd - 1 : hostEnd;
  const suffix = suffixes.suffixStart(bytes, hostStart, end, BOTH_SECTIONS);
  return suffix <= hostStart ? NO_GROUP_KEY : labelStart(bytes, suffix - 1);
}

/** Returns the scheme, or the start of one that is too long to be special. */
function schemeText(bytes: Uint8Array, start: i32): string {
  let scheme = '';
  for (let at = start; bytes[at] !== COLON && scheme.length < LONGER_THAN_SPECIAL; at++)
    scheme += String.fromCharCode(bytes[at]!);
  return scheme;
}

const LONGER_THAN_SPECIAL: i32 = 6;

function writeSurt(bytes: Uint8Array, to: Uint8Array): i32 {
  let at = isAddress(bytes) ? copied(bytes, hostStart, hostEnd, to, 0) : writeReversed(bytes, to);
  at = copied(bytes, hostEnd, authorityEnd, to, at);
  to[at++] = RIGHT_PARENTHESIS as u8;
  return copied(bytes, authorityEnd, fragmentStart, to, at);
}

/** Writes the labels of the host from the last to the first, without a final dot, and returns the length. */
function writeReversed(bytes: Uint8Array, to: Uint8Array): i32 {
  let at = 0;
  let end = hostEnd - hostStart > 1 && bytes[hostEnd - 1] === FULL_STOP ? hostEnd - 1 : hostEnd;
  let label = labelStart(bytes, end);
  while (label !== hostStart) {
    at = copied(bytes, label, end, to, at);
    to[at++] = COMMA as u8;
    end = label - 1;
    label = labelStart(bytes, end);
  }
  return copied(bytes, label, end, to, at);
}

/** Whether the host is an IPv6 address, or its last label is a number, as that of an IPv4 address and of no domain. */
function isAddress(bytes: Uint8Array): bool {
  if (bytes[hostStart] === LEFT_BRACKET) return true;
  let at = hostEnd - 1;
  while (at >= hostStart && isAsciiDigit(bytes[at]!)) at--;
  return at < hostEnd - 1 && (at < hostStart || bytes[at] === FULL_STOP);
}

/** Returns where the label of the host that ends at `end` begins. */
function labelStart(bytes: Uint8Array, end: i32): i32 {
  let at = end;
  while (at > hostStart && bytes[at - 1] !== FULL_STOP) at--;
  return at;
}

/** Copies bytes [start, end) to `at`, and returns their new end. */
function copied(bytes: Uint8Array, start: i32, end: i32, to: Uint8Array, at: i32): i32 {
  for (let from = start; from < end; from++, at++) to[at] = bytes[from]!;
  return at;
}
