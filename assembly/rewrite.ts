// Rewrites a line that has a special scheme to its canonical form, where one look does not prove it canonical: upper
// case, users, addresses, known domains beyond ASCII, default ports, a missing slash, drive letters, dot segments,
// backslashes, bytes that need escaping. Like the proof, it may decline any line and must never be wrong about one;
// declined lines go to the parser, which takes 1 to 7 µs per line where this takes 0.1.

import {
  AT, BACKSLASH, CARRIAGE_RETURN, COLON, equal, escape, FULL_STOP, isDigit, LINE_FEED, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, SPACE, TAB,
} from './bytes';
import { contains, firstOutside } from './byte-set';
import { addDomain, copyKnownDomain } from './domains';
import { copyHost, isHostName } from './host';
import { ipv6End, writeIpv4, writeIpv6 } from './ip-address';
import { ASCII_DOMAIN_LIMIT, DOMAIN_LIMIT, TEXT_END } from './layout';
import { domainToAscii } from './letters';
import { FRAGMENT, isDot, isDriveLetter, isEnd, isSegmentEnd, isSlash, PATH, QUERY, USERINFO } from './path';
import { defaultPort, NO_PORT, schemeEnd } from './scheme';
import { copy, sequenceLength } from './text';

// Second results of rewrite and writeHost, which each caller reads right after the call: a function here returns one
// number, and an address in memory for each would take a name in layout.ts, and a load and a store, to say the same.

/** The domain beyond ASCII that the last line has and memory lacks: its address, or 0, and its end. */
export let unknownDomain: usize = 0;
export let unknownDomainEnd: usize = 0;

/** Whether the host of the last line is beyond ASCII. */
export let isUnicodeHost: bool = false;

/** Bytes that a form may need beside three for each of its line: a slash, or an ASCII form in place of a domain. */
const GROWTH_BYTES: usize = 256;

/** Writes the canonical form of the line [line, end) to `to` and returns its end, or 0. */
export function rewrite(line: usize, end: usize, to: usize, excludeFragment: bool): usize {
  unknownDomain = 0;
  isUnicodeHost = false;
  if (to + 3 * (end - line) + GROWTH_BYTES > TEXT_END) return 0;
  while (line < end && load<u8>(line) == SPACE) ++line; // surrounding spaces and controls are stripped
  while (line < end && load<u8>(end - 1) == SPACE) --end;
  const colon = schemeEnd(line, 0x20);
  if (colon == 0) return 0;
  const usualPort = defaultPort(line, colon);
  if (usualPort == 0) return 0;
  for (; line < colon; ++line) store<u8>(to++, load<u8>(line) | 0x20);
  const host = slashesEnd(colon + 1, end);
  if (host < colon + 3) return 0; // a base of this scheme would matter
  store<u32>(to, 0x2f2f3a);
  if (usualPort == NO_PORT) return rewriteFile(colon + 3, end, to + 3, excludeFragment);
  return rewriteAuthority(host, end, to + 3, usualPort, excludeFragment);
}

function rewriteAuthority(host: usize, end: usize, start: usize, usualPort: u32, excludeFragment: bool): usize {
  let to = writeHost(host, end, start), at = hostEnd;
  if (to != 0 && at < end && load<u8>(at) == COLON) {
    const port = at + 1;
    at = digitsEnd(port, end);
    to = copyPort(port, at, usualPort, to);
  }
  if (to == 0 || !isSegmentEnd(at, end)) return rewriteUser(host, end, start, usualPort, excludeFragment);
  store<u8>(to++, SLASH);
  return escapePathAndRest(at + <usize>isSlash(at, end), end, to, false, excludeFragment);
}

/** The end in its line of the host that writeHost read. */
let hostEnd: usize = 0;

/** Writes the host at `host` and returns the end, or 0. */
function writeHost(host: usize, end: usize, start: usize): usize {
  isUnicodeHost = false;
  let at = copyHost(host, end, start), to = start + (at - host);
  if (at < end && load<u8>(at) > 0x7f) {
    at = domainEnd(at, end);
    to = writeDomain(host, at, start);
    isUnicodeHost = true;
  }
  hostEnd = at;
  if (to == start) {
    hostEnd = ipv6End(host, end);
    return hostEnd == 0 ? 0 : writeIpv6(host + 1, hostEnd - 1, start);
  }
  return to == 0 || isHostName(start, to) ? to : writeIpv4(start, to);
}

/** Returns the end of a domain: at the `end`, or at a byte that is none of its own. */
function domainEnd(at: usize, end: usize): usize {
  for (; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    if (byte <= SPACE || byte == COLON || byte == AT || byte == PERCENT || isSegmentEnd(at, end)) break;
  }
  return at;
}

/** Writes the ASCII form of a domain and returns its end; 0 if memory lacks both the domain and one of its letters. */
function writeDomain(domain: usize, end: usize, to: usize): usize {
  if (end - domain > DOMAIN_LIMIT) return 0;
  const knownEnd = copyKnownDomain(domain, end, to);
  if (knownEnd != 0) return knownEnd;
  const asciiEnd = domainToAscii(domain, end, to);
  if (asciiEnd == 0 || asciiEnd - to > ASCII_DOMAIN_LIMIT) {
    unknownDomain = domain;
    unknownDomainEnd = end;
    return 0;
  }
  addDomain(domain, end, to, asciiEnd);
  return asciiEnd;
}

/** Rewrites what follows `file://`. https://url.spec.whatwg.org/#file-host-state */
function rewriteFile(at: usize, end: usize, to: usize, excludeFragment: bool): usize {
  if (!(isDriveLetter(at, end) && isSegmentEnd(at + 2, end))) {
    if (!isSegmentEnd(at, end)) {
      const start = to;
      to = writeHost(at, end, start);
      at = hostEnd;
      if (to == 0 || !isSegmentEnd(at, end)) return 0;
      if (to - start == 9 && load<u64>(start) == 0x736f686c61636f6c && load<u8>(start, 8) == 0x74) to = start; // localhost
    }
    at += <usize>isSlash(at, end);
  }
  store<u8>(to++, SLASH);
  return escapePathAndRest(at, end, to, true, excludeFragment);
}

/** Rewrites from an authority on, if it has a user. */
function rewriteUser(user: usize, end: usize, to: usize, usualPort: u32, excludeFragment: bool): usize {
  const userEnd = lastAtSign(user, end);
  to = userEnd == 0 ? 0 : copyUserinfo(user, userEnd, to);
  return to == 0 ? 0 : rewriteAuthority(userEnd + 1, end, to, usualPort, excludeFragment);
}

/**
 * Returns where the message ends in the line [line, end) if the form [form, formEnd) leaves that as it is, or 0. A bare
 * host with a port gets its slash in place.
 */
export function endInPlace(line: usize, end: usize, form: usize, formEnd: usize, excludeFragment: bool): usize {
  if (formEnd - form > end - line + 1) return 0; // the usual case: something is escaped
  for (; form + 8 <= formEnd && load<u64>(form) == load<u64>(line); form += 8) line += 8;
  for (; form < formEnd && load<u8>(form) == load<u8>(line); ++form) ++line;
  if (!isEnd(line, end, excludeFragment) || form + 1 < formEnd) return 0;
  if (form == formEnd) return line;
  if (line != end) return 0; // before a fragment, as in proof.ts
  store<u8>(line, SLASH);
  return line + 1;
}

/** Returns the address of the last `@` of an authority, from `at` on, or 0. */
function lastAtSign(at: usize, end: usize): usize {
  let found: usize = 0;
  for (; !isSegmentEnd(at, end); ++at) if (load<u8>(at) == AT) found = at;
  return found;
}

/** Writes a user, a password unless it is empty, and the `@` after either; returns the end, or 0 if not all is printable ASCII. */
function copyUserinfo(at: usize, end: usize, to: usize): usize {
  const start = to;
  for (let isPassword = false; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    if (byte - SPACE > 0x5e) return 0;
    if (byte == COLON && !isPassword) {
      isPassword = true;
      if (at + 1 < end) store<u8>(to++, COLON);
    } else if (contains(USERINFO, byte)) {
      store<u8>(to++, byte);
    } else {
      escape(byte, to);
      to += 3;
    }
  }
  if (to > start) store<u8>(to++, AT);
  return to;
}

function digitsEnd(digits: usize, end: usize): usize {
  while (digits < end && isDigit(load<u8>(digits))) ++digits;
  return digits;
}

/** Writes `:` and the port, or nothing if empty or default, and returns the end; 0 if it is long or out of range. */
function copyPort(digits: usize, end: usize, usual: u32, to: usize): usize {
  if (end - digits > 5) return 0;
  let port: u32 = 0, next = to;
  store<u8>(next++, COLON);
  for (let at = digits; at < end; ++at) {
    store<u8>(next++, load<u8>(at));
    port = port * 10 + load<u8>(at) - 0x30;
  }
  if (end == digits || port == usual) return to;
  return port > 0xffff || load<u8>(digits) == 0x30 ? 0 : next;
}

/** Returns the end of a run of slashes and backslashes. */
function slashesEnd(at: usize, end: usize): usize {
  while (isSlash(at, end)) ++at;
  return at;
}

function escapePathAndRest(at: usize, end: usize, to: usize, isFile: bool, excludeFragment: bool): usize {
  const path = to;
  let set = PATH, pathEnd: usize = 0;
  while (at < end) {
    let byte: u32 = load<u8>(at);
    if (contains(set, byte)) {
      const stop = min(firstOutside(at, set), end); // there is one: the byte after the line
      copy(at, stop, to);
      to += stop - at;
      at = stop;
      continue;
    }
    if (byte == TAB || byte == LINE_FEED || byte == CARRIAGE_RETURN) return 0;
    if (byte == QUESTION_MARK) {
      set = QUERY;
      pathEnd = to;
    } else if (byte == NUMBER_SIGN) {
      if (excludeFragment) break;
      set = FRAGMENT;
      if (pathEnd == 0) pathEnd = to;
    } else if (byte == BACKSLASH) {
      byte = SLASH;
    } else {
      const length = sequenceLength(at, end);
      if (length == 0) return 0;
      for (const stop = at + length; at < stop; ++at, to += 3) escape(load<u8>(at), to);
      continue;
    }
    store<u8>(to++, byte);
    ++at;
  }
  if (load<u8>(end - 1) < SPACE) return 0; // a control would be stripped
  if (pathEnd == 0) pathEnd = to;
  const first = isFile ? path : dotSegmentNear(path - 1, pathEnd);
  if (first == 0) return to;
  const resolvedEnd = resolve(first, path, pathEnd, isFile);
  return moved(pathEnd, to, resolvedEnd);
}

/** Returns the address after the first slash from `at` on that `.` or `%2` follows; 0 if there is none in [at, end). */
function dotSegmentNear(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const next = v128.load(at, 1);
    const isEscape = v128.and(equal(next, PERCENT), equal(v128.load(at, 2), 0x32));
    const mayBegin = v128.or(equal(next, FULL_STOP), isEscape);
    const found: u32 = i8x16.bitmask(v128.and(equal(v128.load(at), SLASH), mayBegin));
    if (found != 0) return min(at + <usize>ctz(found) + 1, end);
  }
  return 0;
}

/**
 * Resolves the dot segments of the path [path, end), without its first slash, and returns the new end; before the
 * segment at `at` there are none. Escaping changes no segment's meaning, and one look at the form takes less than a look
 * at each segment while it is written. https://url.spec.whatwg.org/#path-state
 */
function resolve(at: usize, path: usize, end: usize, isFile: bool): usize {
  let to = at, drive = path; // after the drive letter of a file, which stays
  for (let isLast = false; !isLast; ) {
    const start = at, segment = to, dots = dotCount(at, end);
    while (at < end && load<u8>(at) != SLASH) ++at;
    const isDrive = isFile && to == path && at - start == 2 && isDriveLetter(start, at);
    isLast = at == end;
    if (!isLast) ++at;
    if (dots == 0) to = moved(start, at, to);
    else if (dots == 2 && to > drive) do --to; while (to > drive && load<u8>(to - 1) != SLASH);
    if (isDrive) {
      store<u8>(segment, COLON, 1);
      drive = to;
    }
  }
  return to;
}

/** Returns the number of dots in the segment at `at` of a path that ends at `end` if it is a dot segment, or 0. */
function dotCount(at: usize, end: usize): u32 {
  let count: u32 = 0;
  for (; at < end && isDot(load<u8>(at)); ++count) {
    const isEscape = at + 2 < end && (load<u32>(at) & 0xdfffff) == 0x453225; // %2E
    if (!isEscape && load<u8>(at) != FULL_STOP) return 0;
    at += isEscape ? 3 : 1;
  }
  return count < 3 && (at == end || load<u8>(at) == SLASH) ? count : 0;
}

/** Moves bytes [at, end) down to `to`, and returns their end. Segments are short: memory.copy took four times as long. */
function moved(at: usize, end: usize, to: usize): usize {
  if (at == to) return end;
  for (; at + 8 <= end; at += 8, to += 8) store<u64>(to, load<u64>(at));
  for (; at < end; ++at, ++to) store<u8>(to, load<u8>(at));
  return to;
}
