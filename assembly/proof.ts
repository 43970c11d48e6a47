// Proves that a line is a canonical URL as it is, so that it is hashed in place and never becomes a string. The proof
// may fail for a canonical line, which is then rewritten or goes through the parser; it must never hold for a line that
// the URL Standard would change. Every address it reads is before a line feed or in the slack after it.

import {
  COLON, FULL_STOP, isDigit, isLetter, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, SPACE, VERTICAL_BAR,
} from './bytes';
import { firstMark, HOST_LIMIT, hostEnd, isDot, nextMark } from './marks';
import { isSegmentEnd } from './rewrite';

// Sets in the form of byte-set.ts, 16 bytes each; test/kernel/scan.test.ts compares them with src/url/percent.ts.
const SETS: usize = memory.data<u8>([
  0x88, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc0, 0x40, 0x40, 0x44, 0x44, 0x60,
  0xb8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x7c, 0xd4, 0x7c, 0xd4, 0x74,
  0xf8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
  0xb8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
]);
/** a-z 0-9 - . _ */
export const HOST: usize = SETS;
/** U+0021 to U+007E except " # < > ? \ ^ ` { } */
export const PATH: usize = SETS + 16;
/** U+0021 to U+007E except " # ' < > */
export const QUERY: usize = SETS + 32;
/** U+0021 to U+007E except " < > ` */
export const FRAGMENT: usize = SETS + 48;

/**
 * Returns where the message ends in the line [line, end) if one look proves that it is canonical, or 0. A bare host
 * gets a slash in place of the byte after the line. The bytes up to `end` must be marked.
 */
export function provenEnd(line: usize, end: usize, excludeFragment: bool): usize {
  const host = afterScheme(line);
  if (host == 0) return rareEnd(line, end, excludeFragment);
  const path = hostEnd(host);
  let stop = firstMark(host);
  if (!isEnd(stop, end, excludeFragment)) stop = plainEnd(stop);
  const isNear = path - host - 1 < HOST_LIMIT; // and it is not empty
  if (!isNear || !isEnd(stop, end, excludeFragment) || !isHostName(host, path)) return 0;
  if (load<u8>(path) == SLASH) return stop;
  if (path != end) return 0; // before a fragment it would change the line, which may be written out
  store<u8>(end, SLASH);
  return end + 1;
}

/** Whether `at` is the end of a line, or of the part of it that counts. */
// @ts-ignore: decorator
@inline export function isEnd(at: usize, end: usize, excludeFragment: bool): bool {
  return at == end || (excludeFragment && load<u8>(at) == NUMBER_SIGN);
}

/** Skips marked dots and percent signs, from the marked byte `at` on, that begin no dot segment. */
function plainEnd(at: usize): usize {
  while (isDot(load<u8>(at)) && !mayBeDotSegment(at)) at = nextMark(at + 1);
  return at;
}

/** Like provenEnd, for `file` and schemes that are not special: those have no default port and keep an opaque path. */
function rareEnd(line: usize, end: usize, excludeFragment: bool): usize {
  const colon = schemeEnd(line, 0);
  if (colon == 0) return 0;
  const port = defaultPort(line, colon);
  if (port != 0 && port != NO_PORT) return 0;
  let at = colon + 1;
  if (load<u16>(at) == 0x2f2f) {
    const host = at + 2;
    at = hostEnd(host);
    if (at - host > HOST_LIMIT) return 0;
    if (port == NO_PORT ? !isFileHost(host, at) : !isSegmentEnd(at, end)) return 0;
  } else if (port == NO_PORT) {
    return 0;
  } else if (load<u8>(at) != SLASH) {
    at = opaquePathEnd(at);
  }
  const stop = plainEnd(nextMark(at));
  return isEnd(stop, end, excludeFragment) ? stop : 0;
}

/** Whether the host is empty or plain, not `localhost`, and no drive letter follows whose bar would become a colon. */
function isFileHost(host: usize, end: usize): bool {
  const isPlain = end == host || (isHostName(host, end) && end - host != 9);
  return isPlain && load<u8>(end) == SLASH && load<u8>(end, 2) != VERTICAL_BAR;
}

/**
 * Returns the end of an opaque path, which keeps U+0020 to U+007E except # and ?, or the address of a space at its end,
 * which is stripped or escaped.
 */
function opaquePathEnd(at: usize): usize {
  let byte: u32 = load<u8>(at);
  while (byte - 0x20 < 0x5f && byte != NUMBER_SIGN && byte != QUESTION_MARK) byte = load<u8>(++at);
  return at - <usize>(load<u8>(at - 1) == SPACE);
}

/** Returns the address of the colon after a scheme, or 0. With a `fold` of 0x20, its letters may be in upper case. */
export function schemeEnd(line: usize, fold: u32): usize {
  if (!isLetter(load<u8>(line) | fold)) return 0;
  let byte: u32;
  do byte = load<u8>(++line);
  while (isLetter(byte | fold) || isDigit(byte) || byte == FULL_STOP || byte == 0x2b || byte == 0x2d);
  return byte == COLON ? line : 0;
}

/** The default port of `file`, which is special and has none. */
export const NO_PORT: u32 = 0x10000;

/** Returns the default port of a scheme in any case, or 0 if it is not special; the words are little-endian. */
export function defaultPort(line: usize, colon: usize): u32 {
  const length = <u64>(colon - line);
  if (length > 5) return 0;
  const scheme = (load<u64>(line) | 0x2020202020202020) & ((<u64>1 << (length << 3)) - 1);
  if (scheme == 0x70747468 || scheme == 0x7377) return 80; // http, ws
  if (scheme == 0x7370747468 || scheme == 0x737377) return 443; // https, wss
  if (scheme == 0x707466) return 21; // ftp
  return scheme == 0x656c6966 ? NO_PORT : 0;
}

/** Returns the address after `http://` or `https://` (here as little-endian words), or 0. */
// @ts-ignore: decorator
@inline export function afterScheme(line: usize): usize {
  const word = load<u64>(line);
  const isHttps = <usize>(word == 0x2f2f3a7370747468); // added, not branched on: half of all lines are either
  return isHttps | <usize>((word & 0x00ffffffffffffff) == 0x002f2f3a70747468) ? line + 7 + isHttps : 0;
}

/** Whether a host is a domain not ending in a number, or a serialized IPv4 address: no host parser changes it. */
export function isHostName(host: usize, end: usize): bool {
  return lastLabelIsName(host, end) || isIpv4(host, end);
}

/**
 * Whether the last label begins with a letter: then it is not a number, and the host is not an IPv4 address. A last
 * byte above 'f' other than 'x' decides that at once, since numbers end in a digit, 'a' to 'f' or 'x', and so does a
 * label of two bytes.
 */
// @ts-ignore: decorator
@inline export function lastLabelIsName(host: usize, end: usize): bool {
  const last: u32 = load<u8>(end - 1);
  const isWord = <u32>(last > 0x66) & <u32>(last != 0x78);
  const isPair = <u32>(load<u8>(end - 3) == FULL_STOP) & <u32>isLetter(load<u8>(end - 2)) & <u32>(end - host > 2);
  return (isWord | isPair) != 0 || labelIsName(host, end);
}

function labelIsName(host: usize, end: usize): bool {
  let label = end - 1;
  while (label > host && load<u8>(label - 1) != FULL_STOP) --label;
  return isLetter(load<u8>(label));
}

/** Whether a host is four decimal numbers up to 255 without leading zeros, as an IPv4 address is serialized. */
export function isIpv4(host: usize, end: usize): bool {
  let start = host;
  let number: u32 = 0, parts: u32 = 1;
  for (let at = host; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    if (byte == FULL_STOP) {
      if (at == start) return false;
      start = at + 1;
      number = 0;
      ++parts;
    } else {
      if (!isDigit(byte) || (at > start && number == 0)) return false;
      number = number * 10 + byte - 0x30;
      if (number > 255) return false;
    }
  }
  return parts == 4 && start < end;
}

/** Whether `at` may begin a dot segment: after a slash, a dot before anything but a letter, digit, `_` or `-`. */
export function mayBeDotSegment(at: usize): bool {
  const next: u32 = load<u8>(at, 1);
  if (load<u8>(at) == PERCENT) return next == 0x32 && (load<u8>(at, 2) | 0x20) == 0x65;
  return load<u8>(at) == FULL_STOP && !(isLetter(next | 0x20) || isDigit(next) || next == 0x5f || next == 0x2d);
}
