// Rewrites a line that has a special scheme other than `file` and an ASCII host to its canonical form, where one look
// does not prove it canonical: upper case, users, addresses, default ports, a missing slash, dot segments, backslashes,
// bytes that need escaping. Like the proof, it may decline any line and must never be wrong about one; declined lines go
// to the parser, which takes 3 to 7 µs per line where this takes 0.2.

import {
  AT, BACKSLASH, CARRIAGE_RETURN, COLON, equal, escape, FULL_STOP, isDigit, LINE_FEED, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, SPACE, TAB,
} from './bytes';
import { contains } from './byte-set';
import { copyHost, isHostName } from './host';
import { ipv6End, writeIpv4, writeIpv6 } from './ip-address';
import { FRAGMENT, isDot, isEnd, isSegmentEnd, isSlash, PATH, QUERY, USERINFO } from './path';
import { defaultPort, NO_PORT, schemeEnd } from './scheme';
import { sequenceLength } from './text';

/**
 * Writes the canonical form of the line [line, end) to `to` and returns its end, or 0. It takes up to 3 bytes for one,
 * and one more.
 */
export function rewrite(line: usize, end: usize, to: usize, excludeFragment: bool): usize {
  while (line < end && load<u8>(line) == SPACE) ++line; // surrounding spaces and controls are stripped
  while (line < end && load<u8>(end - 1) == SPACE) --end;
  const colon = schemeEnd(line, 0x20);
  if (colon == 0) return 0;
  const usualPort = defaultPort(line, colon);
  if (usualPort == 0 || usualPort == NO_PORT) return 0;
  for (; line < colon; ++line) store<u8>(to++, load<u8>(line) | 0x20);
  const host = slashesEnd(colon + 1, end);
  if (host < colon + 3) return 0; // a base of this scheme would matter
  store<u32>(to, 0x2f2f3a);
  return rewriteAuthority(host, end, to + 3, usualPort, excludeFragment);
}

function rewriteAuthority(host: usize, end: usize, start: usize, usualPort: u32, excludeFragment: bool): usize {
  let at = copyHost(host, end, start), to: usize;
  if (at > host) {
    to = start + (at - host);
    if (!isHostName(start, to)) to = writeIpv4(start, to);
  } else {
    at = ipv6End(host, end);
    to = at == 0 ? 0 : writeIpv6(host + 1, at - 1, start);
  }
  if (to != 0 && at < end && load<u8>(at) == COLON) {
    const port = at + 1;
    at = digitsEnd(port, end);
    to = copyPort(port, at, usualPort, to);
  }
  if (to == 0 || !isSegmentEnd(at, end)) return rewriteUser(host, end, start, usualPort, excludeFragment);
  store<u8>(to++, SLASH);
  return escapePathAndRest(at + <usize>isSlash(at, end), end, to, excludeFragment);
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

function escapePathAndRest(at: usize, end: usize, to: usize, excludeFragment: bool): usize {
  const path = to;
  let set = PATH;
  while (at < end) {
    let byte: u32 = load<u8>(at);
    if (!contains(set, byte)) {
      if (byte == TAB || byte == LINE_FEED || byte == CARRIAGE_RETURN) return 0;
      if (byte == QUESTION_MARK) {
        set = QUERY;
      } else if (byte == NUMBER_SIGN) {
        if (excludeFragment) break;
        set = FRAGMENT;
      } else if (byte == BACKSLASH) {
        byte = SLASH;
      } else {
        const length = sequenceLength(at, end);
        if (length == 0) return 0;
        for (const stop = at + length; at < stop; ++at, to += 3) escape(load<u8>(at), to);
        continue;
      }
    }
    store<u8>(to++, byte);
    ++at;
  }
  if (load<u8>(end - 1) < SPACE) return 0; // a control would be stripped
  return resolved(path, to);
}

/**
 * Resolves the dot segments of a form whose path begins at `path`, after its slash, and returns the new end. Escaping
 * changes no segment's meaning, and one look at the form takes less than a look at each segment while it is written.
 * https://url.spec.whatwg.org/#path-state
 */
function resolved(path: usize, end: usize): usize {
  return mayHaveDotSegment(path - 1, end) ? withoutDotSegments(path, end) : end;
}

/** Whether `.` or `%2` follows a slash in [at, end), or in the 15 bytes after. */
function mayHaveDotSegment(at: usize, end: usize): bool {
  for (; at < end; at += 16) {
    const next = v128.load(at, 1);
    const isEscape = v128.and(equal(next, PERCENT), equal(v128.load(at, 2), 0x32));
    const mayBegin = v128.or(equal(next, FULL_STOP), isEscape);
    if (v128.any_true(v128.and(equal(v128.load(at), SLASH), mayBegin))) return true;
  }
  return false;
}

function withoutDotSegments(path: usize, end: usize): usize {
  let at = path, to = path;
  for (let isLast = false; !isLast; ) {
    const start = at, dots = dotCount(at, end);
    at = segmentEnd(at, end);
    isLast = at == end || load<u8>(at) != SLASH;
    if (!isLast) ++at;
    if (dots == 0) to = moved(start, at, to);
    else if (dots == 2 && to > path) do --to; while (to > path && load<u8>(to - 1) != SLASH);
  }
  return moved(at, end, to);
}

/** Returns the number of dots in the segment at `at` if it is a dot segment, or 0. */
function dotCount(at: usize, end: usize): u32 {
  let count: u32 = 0;
  for (; at < end && isDot(load<u8>(at)); ++count) {
    const isEscape = at + 2 < end && (load<u32>(at) & 0xdfffff) == 0x453225; // %2E
    if (!isEscape && load<u8>(at) != FULL_STOP) return 0;
    at += isEscape ? 3 : 1;
  }
  return count < 3 && isSegmentEnd(at, end) ? count : 0;
}

/** Returns the end of a segment in a form, where no backslash ends one. */
function segmentEnd(at: usize, end: usize): usize {
  for (; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    if (byte == SLASH || byte == QUESTION_MARK || byte == NUMBER_SIGN) break;
  }
  return at;
}

/** Moves bytes [at, end) down to `to`, and returns their end. Segments are short: memory.copy took four times as long. */
function moved(at: usize, end: usize, to: usize): usize {
  for (; at < end; ++at, ++to) store<u8>(to, load<u8>(at));
  return to;
}
