// Writes the canonical form of a line that is not canonical as it is but takes no more than this: letters of scheme and
// host to lower case, a port dropped, a slash after a bare host, escapes decoded or in upper case, slashes collapsed,
// and non-ASCII bytes escaped. Both modes agree on all of these (test/specs/safe-browsing/batch.test.ts). Like the
// proof, it may decline any line, which then goes through the steps, and must never be wrong about one.

import {
  BACKSLASH, COLON, escape, FULL_STOP, hexValue, isDigit, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, SPACE,
} from '../bytes';
import { copyHost } from '../host';
import { partEnd } from '../pages';
import { mayBeDotSegment } from '../path';
import { ROOM, TEXT_END } from './layout';
import { addExpressions, dotsOf, isHost } from './spans';

/** Writes the canonical form of the line [line, end) to ROOM, if it finds one, and adds its expressions. */
export function addRewritten(line: usize, end: usize, sections: u32): bool {
  const room: usize = load<u32>(ROOM);
  if (room + 3 * (end - line) + 2 > TEXT_END) return false;
  const scheme = afterAnyScheme(line);
  const start = scheme == 0 ? line : scheme;
  const hostEnd = copyHost(start, end, room);
  const roomHostEnd = room + (hostEnd - start), dots = dotsOf(room, roomHostEnd);
  if (!isHost(room, roomHostEnd, dots)) return false;
  const rest = load<u8>(hostEnd) == COLON ? portEnd(hostEnd) : hostEnd;
  if (rest == 0 || (rest != hostEnd && scheme == 0)) return false;
  const fragment = partEnd(rest, end, NUMBER_SIGN), query = partEnd(rest, fragment, QUESTION_MARK);
  const pathEnd = copyPath(rest, query, roomHostEnd);
  if (pathEnd == 0) return false;
  const urlEnd = copyQuery(query, fragment, pathEnd);
  if (urlEnd == 0) return false;
  store<u32>(ROOM, urlEnd);
  addExpressions(room, roomHostEnd, dots, pathEnd, urlEnd, sections);
  return true;
}

/** Returns the address after `http://` or `https://` in any case, or 0. */
export function afterAnyScheme(line: usize): usize {
  if ((load<u32>(line) | 0x20202020) != 0x70747468) return 0;
  const colon = line + 4 + <usize>((load<u8>(line, 4) | 0x20) == 0x73);
  return (load<u32>(colon) & 0x00ffffff) == 0x002f2f3a ? colon + 3 : 0;
}

/** Returns the end of a port that browsers accept too, which may be empty, or 0. */
function portEnd(colon: usize): usize {
  let at = colon + 1;
  let port: u32 = 0;
  for (; at < colon + 6 && isDigit(load<u8>(at)); ++at) port = port * 10 + load<u8>(at) - 0x30;
  return port <= 0xffff ? at : 0;
}

/** Writes the path [at, end), which begins with a slash or is empty, and returns its end, or 0. */
function copyPath(at: usize, end: usize, to: usize): usize {
  store<u8>(to++, SLASH);
  if (at < end && load<u8>(at) == SLASH) {
    if (mayBeDotSegment(++at)) return 0;
  } else if (at < end) return 0;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte == SLASH) {
      if (load<u8>(to - 1) != SLASH) store<u8>(to++, SLASH);
      if (mayBeDotSegment(++at)) return 0;
      continue;
    }
    const decoded = byte == PERCENT ? escapedByte(at) : byte;
    const isSpecial = decoded == SLASH || decoded == QUESTION_MARK || (decoded == FULL_STOP && byte == PERCENT);
    if (isSpecial || decoded == BACKSLASH || isDeclined(byte, decoded)) return 0;
    to = write(decoded, to);
    at += byte == PERCENT ? 3 : 1;
  }
  return to;
}

/** Writes the query [at, end), which begins with a question mark or is empty, and returns its end, or 0. */
function copyQuery(at: usize, end: usize, to: usize): usize {
  while (at < end) {
    const byte: u32 = load<u8>(at);
    const decoded = byte == PERCENT ? escapedByte(at) : byte;
    if (isDeclined(byte, decoded)) return 0;
    to = write(decoded, to);
    at += byte == PERCENT ? 3 : 1;
  }
  return to;
}

/** U+007F is left to the steps; a percent sign may begin another escape once it is decoded. */
// @ts-ignore: decorator
@inline function isDeclined(byte: u32, decoded: u32): bool {
  return byte == 0x7f || decoded == PERCENT;
}

/** Returns the byte that two hex digits after a percent sign spell, or PERCENT if there are none. */
function escapedByte(at: usize): u32 {
  const high = hexValue(load<u8>(at, 1)), low = hexValue(load<u8>(at, 2));
  return (high | low) > 15 ? PERCENT : (high << 4) | low;
}

/** "Percent-escape all characters that are <= ASCII 32, >= 127, #, or %", in upper case. Returns the end. */
// @ts-ignore: decorator
@inline function write(byte: u32, to: usize): usize {
  if (byte > SPACE && byte < 0x7f && byte != NUMBER_SIGN) {
    store<u8>(to, byte);
    return to + 1;
  }
  escape(byte, to);
  return to + 3;
}
