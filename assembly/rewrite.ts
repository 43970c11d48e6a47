// The canonical form of an http or https line that is not canonical as it stands but has an ASCII domain and
// no dot segments: upper-case hosts, default ports, a missing slash, whatever needs escaping. Like the proof
// it may decline any line and must never be wrong about one; what it declines goes to the parser, which
// takes 3 to 7 µs per line where this takes 0.2.

import {
  BACKSLASH, CARRIAGE_RETURN, COLON, isDigit, LINE_FEED, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE, TAB,
} from './bytes';
import { contains } from './byte-set';
import { afterScheme, defaultPort, FRAGMENT, HOST, isHostName, mayBeDotSegment, PATH, QUERY } from './proof';

/**
 * Writes the canonical form of the line [line, end) to `to` and returns its end, or 0. It may need 3 bytes for one, and
 * one more.
 */
export function rewrite(line: usize, end: usize, to: usize, excludeFragment: bool): usize {
  const host = afterScheme(line);
  if (host == 0 || load<u8>(end - 1) <= SPACE) return 0; // spaces and controls at an end are stripped
  memory.copy(to, line, host - line);
  const hostTo = to + (host - line);
  let at = copyHost(host, end, hostTo);
  to = hostTo + (at - host);
  if (at == host || !isHostName(hostTo, to)) return 0;
  if (at < end && load<u8>(at) == COLON) {
    const port = at + 1;
    at = digitsEnd(port, end);
    to = copyPort(port, at, defaultPort(line), to);
    if (to == 0) return 0;
  }
  if (at < end && load<u8>(at) == SLASH) ++at;
  else if (at < end && load<u8>(at) != QUESTION_MARK && load<u8>(at) != NUMBER_SIGN) return 0;
  store<u8>(to++, SLASH);
  return escapePathAndRest(at, end, to, excludeFragment);
}

/** Copies letters in lower case, digits and `-._`, and returns where they end. */
function copyHost(host: usize, end: usize, to: usize): usize {
  let at = host;
  for (; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    const lower = byte - 0x41 < 26 ? byte | 0x20 : byte;
    if (!contains(HOST, lower)) break;
    store<u8>(to + (at - host), lower);
  }
  return at;
}

function digitsEnd(digits: usize, end: usize): usize {
  while (digits < end && isDigit(load<u8>(digits))) ++digits;
  return digits;
}

/** Writes `:` and the number, or nothing for none and for the default; 0 where it is long or out of range. */
function copyPort(digits: usize, end: usize, usual: u32, to: usize): usize {
  let port: u32 = 0;
  if (end - digits > 5) return 0;
  for (let at = digits; at < end; ++at) port = port * 10 + load<u8>(at) - 0x30;
  if (end == digits || port == usual) return to;
  if (port > 0xffff || load<u8>(digits) == 0x30) return 0;
  memory.copy(to, digits - 1, end - digits + 1);
  return to + (end - digits + 1);
}

function escapePathAndRest(at: usize, end: usize, to: usize, excludeFragment: bool): usize {
  let set = PATH;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte == TAB || byte == LINE_FEED || byte == CARRIAGE_RETURN) return 0;
    if (set == PATH && (byte == BACKSLASH || (load<u8>(to - 1) == SLASH && mayBeDotSegment(at)))) return 0;
    if (byte == QUESTION_MARK && set == PATH) set = QUERY;
    else if (byte == NUMBER_SIGN && set != FRAGMENT) {
      if (excludeFragment) return to;
      set = FRAGMENT;
    } else if (!contains(set, byte)) {
      const length = sequenceLength(at, end);
      if (length == 0) return 0;
      for (const stop = at + length; at < stop; ++at, to += 3) escape(load<u8>(at), to);
      continue;
    }
    store<u8>(to++, byte);
    ++at;
  }
  return to;
}

// @ts-ignore: decorator
@inline function escape(byte: u32, to: usize): void {
  store<u8>(to, 0x25);
  store<u8>(to, hexDigit(byte >> 4), 1);
  store<u8>(to, hexDigit(byte & 15), 2);
}

// @ts-ignore: decorator
@inline function hexDigit(value: u32): u32 { return value + (value < 10 ? 0x30 : 0x37); }

/** Bytes of the well-formed UTF-8 sequence at `at` (Unicode, definition D92), or 0. */
function sequenceLength(at: usize, end: usize): u32 {
  const lead: u32 = load<u8>(at);
  if (lead < 0x80) return 1;
  const length: u32 = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || end - at < length) return 0;
  let codePoint = lead & (0x7f >> length);
  for (let index: u32 = 1; index < length; ++index) {
    const byte: u32 = load<u8>(at + index);
    if ((byte & 0xc0) != 0x80) return 0;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  // 0x800 and 0x10000 are the first that need three and four bytes
  const isShortest = codePoint >= <u32>1 << (5 * length - 4);
  return isShortest && codePoint <= 0x10ffff && (codePoint & 0xfffff800) != 0xd800 && lead < 0xf8 ? length : 0;
}
