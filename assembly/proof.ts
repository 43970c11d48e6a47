// Proof that a line is a canonical http, https or file URL as it stands, so that it is hashed where it lies and
// never becomes a string. The proof may fail on a canonical line, which then goes through the parser;
// it must never hold for a line that the URL Standard would change. Every address it reads lies before a
// line feed or in the slack after it.

import {
  COLON, FULL_STOP, isDigit, isDotOrPercent, isLetter, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, VERTICAL_BAR,
} from './bytes';
import { firstOutside, firstOutsideOrDot } from './byte-set';

// Sets in the form of byte-set.ts, 16 bytes each; test/kernel/scan.test.ts holds them against src/url/percent.ts.
const SETS: usize = memory.data<u8>([
  0x88, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc0, 0x40, 0x40, 0x44, 0x44, 0x60,
  0xb8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x7c, 0xd4, 0x7c, 0xd4, 0x74,
  0xf8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
  0xb8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
]);
/** a-z 0-9 - . _ */
export const HOST: usize = SETS;
/** U+0021 to U+007E but " # < > ? \ ^ ` { } */
export const PATH: usize = SETS + 16;
/** U+0021 to U+007E but " # ' < > */
export const QUERY: usize = SETS + 32;
/** U+0021 to U+007E but " < > ` */
export const FRAGMENT: usize = SETS + 48;

/** The end of a plain authority after `http://`, `https://` or `file://` at `line`, or 0. */
export function authorityEnd(line: usize): usize {
  const host = afterScheme(line);
  if (host == 0) return fileAuthorityEnd(line);
  const end = firstOutside(host, HOST);
  if (end == host || !isHostName(host, end)) return 0;
  return load<u8>(end) == COLON ? portEnd(end, defaultPort(line)) : end;
}

/** The same for files: no host or a plain one, but `localhost`, and no drive letter whose bar would become a colon. */
function fileAuthorityEnd(line: usize): usize {
  if (load<u32>(line) != 0x656c6966 || (load<u32>(line, 4) & 0x00ffffff) != 0x002f2f3a) return 0;
  const host = line + 7;
  const end = firstOutside(host, HOST);
  const isPlain = end == host || (isHostName(host, end) && end - host != 9);
  return isPlain && load<u8>(end) == SLASH && load<u8>(end, 2) != VERTICAL_BAR ? end : 0;
}

/**
 * Where the canonical path and query at `slash` end, and a fragment that is not excluded; 0 where there is no slash.
 */
export function canonicalEnd(slash: usize, excludeFragment: bool): usize {
  if (load<u8>(slash) != SLASH) return 0;
  let at = firstOutsideOrDot(slash + 1, PATH);
  while (isDotOrPercent(load<u8>(at)) && !mayBeDotSegment(at)) at = firstOutsideOrDot(at + 1, PATH);
  if (load<u8>(at) == QUESTION_MARK) at = firstOutside(at + 1, QUERY);
  return load<u8>(at) == NUMBER_SIGN && !excludeFragment ? firstOutside(at + 1, FRAGMENT) : at;
}

/** After `http://` or `https://` (here as little-endian words), or 0. */
// @ts-ignore: decorator
@inline export function afterScheme(line: usize): usize {
  const word = load<u64>(line);
  const isHttps = <usize>(word == 0x2f2f3a7370747468); // added, not branched on: half of all lines are either
  return isHttps | <usize>((word & 0x00ffffffffffffff) == 0x002f2f3a70747468) ? line + 7 + isHttps : 0;
}

// @ts-ignore: decorator
@inline export function defaultPort(line: usize): u32 { return load<u8>(line, 4) == COLON ? 80 : 443; }

/** A domain that does not end in a number, or an IPv4 address as it is serialized: no host parser changes it. */
export function isHostName(host: usize, end: usize): bool {
  return lastLabelIsName(host, end) || isIpv4(host, end);
}

/**
 * Does the last label begin with a letter? Then it is not a number, and the host is not an IPv4
 * address. A last byte above 'f' other than 'x' decides that at once: only digits and 0x numbers remain possible.
 */
export function lastLabelIsName(host: usize, end: usize): bool {
  const last: u32 = load<u8>(end - 1);
  if (last > 0x66 && last != 0x78) return true;
  let label = end - 1;
  while (label > host && load<u8>(label - 1) != FULL_STOP) --label;
  return isLetter(load<u8>(label));
}

/** Four decimal numbers up to 255 without leading zeros: how an IPv4 address is serialized. */
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

/** The end of a port that is serialized as it stands: 1 to 65535, no leading zero, not the scheme's own. Else 0. */
function portEnd(colon: usize, defaultPort: u32): usize {
  let at = colon + 1;
  let port: u32 = 0;
  for (; at < colon + 6 && isDigit(load<u8>(at)); ++at) port = port * 10 + load<u8>(at) - 0x30;
  return load<u8>(colon, 1) != 0x30 && port != 0 && port <= 0xffff && port != defaultPort ? at : 0;
}

/** After a slash: a dot segment, or what may begin one: a dot before anything but a letter, digit, `_` or `-`. */
export function mayBeDotSegment(at: usize): bool {
  const next: u32 = load<u8>(at, 1);
  if (load<u8>(at) == PERCENT) return next == 0x32 && (load<u8>(at, 2) | 0x20) == 0x65;
  return load<u8>(at) == FULL_STOP && !(isLetter(next | 0x20) || isDigit(next) || next == 0x5f || next == 0x2d);
}
