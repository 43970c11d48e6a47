// Rewrites a line that has a special scheme other than `file`, an ASCII domain and no dot segments to its canonical
// form, where one look does not prove it canonical: upper case, default ports, a missing slash, backslashes, bytes that
// need escaping. Like the proof, it may decline any line and must never be wrong about one; declined lines go to the
// parser, which takes 3 to 7 µs per line where this takes 0.2.

import {
  BACKSLASH, CARRIAGE_RETURN, COLON, escape, isDigit, LINE_FEED, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE, TAB,
} from './bytes';
import { contains } from './byte-set';
import { copyHost, isHostName } from './host';
import { FRAGMENT, isEnd, isSegmentEnd, isSlash, mayBeDotSegment, PATH, QUERY } from './path';
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
  to += 3;
  const hostTo = to;
  let at = copyHost(host, end, hostTo);
  to += at - host;
  if (at == host || !isHostName(hostTo, to)) return 0;
  if (at < end && load<u8>(at) == COLON) {
    const port = at + 1;
    at = digitsEnd(port, end);
    to = copyPort(port, at, usualPort, to);
    if (to == 0) return 0;
  }
  if (!isSegmentEnd(at, end)) return 0;
  store<u8>(to++, SLASH);
  return escapePathAndRest(at + <usize>isSlash(at, end), end, to, excludeFragment);
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
  let set = PATH, isSegmentStart = true;
  while (at < end) {
    let byte: u32 = load<u8>(at);
    if (isSegmentStart && mayBeDotSegment(at)) return 0;
    isSegmentStart = false;
    if (!contains(set, byte)) {
      if (byte == TAB || byte == LINE_FEED || byte == CARRIAGE_RETURN) return 0;
      if (byte == QUESTION_MARK) {
        set = QUERY;
      } else if (byte == NUMBER_SIGN) {
        if (excludeFragment) return to;
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
    if (byte == SLASH) isSegmentStart = set == PATH;
    store<u8>(to++, byte);
    ++at;
  }
  return load<u8>(end - 1) < SPACE ? 0 : to; // a control would be stripped
}
