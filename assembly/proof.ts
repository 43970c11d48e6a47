// Proves that a line is in canonical form as it is, so that it is hashed in place and never becomes a string. The proof
// may fail for a canonical line, which is then rewritten or goes through the parser; it must never hold for a line that
// the URL Standard would change. Every address it reads is before a line feed or in the slack after it.

import { NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE, VERTICAL_BAR } from './bytes';
import { isHostName } from './host';
import { firstMark, HOST_LIMIT, hostEnd, nextMark } from './marks';
import { isDot, isEnd, isSegmentEnd, mayBeDotSegment } from './path';
import { afterScheme, defaultPort, NO_PORT, schemeEnd } from './scheme';

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
