import { COLON, FULL_STOP, isAsciiDigit, NUMBER_SIGN, QUESTION_MARK, SLASH } from '../../core/bytes/code-points.ts';
import { type CanonicalUrl, CLASSES, PLAIN_HOST, PLAIN_PATH, PLAIN_QUERY } from './canonical-url.ts';

/**
 * Proves that bytes [start, inputEnd) are canonical as they are, except for a fragment, under both profiles and in both
 * modes, and sets their parts in `url`. Nine of ten real URLs are, and the proof takes a quarter of the time of the
 * steps. It is never wrong, but not always found. It needs no escapes and nothing to escape; a path without `//`, `/.`
 * and backslashes; and a host of plain lower-case labels, the last of which begins with no digit, so that it is not an
 * address. A fragment may follow.
 */
export function isPlain(bytes: Uint8Array, start: number, inputEnd: number, url: CanonicalUrl): boolean {
  const hostStart = afterScheme(bytes, start, inputEnd);
  const hostEnd = hostStart === -1 ? -1 : plainHostEnd(bytes, hostStart, inputEnd);
  const pathEnd = hostEnd === -1 ? -1 : provenPathEnd(bytes, hostEnd, inputEnd);
  const end = pathEnd === -1 ? -1 : plainQueryEnd(bytes, pathEnd, inputEnd);
  if (end === -1) return false;
  url.bytes = bytes;
  url.start = start;
  url.hostStart = hostStart;
  url.hostEnd = hostEnd;
  url.pathEnd = pathEnd;
  url.end = end;
  url.isAddress = false;
  url.isProven = true;
  return true;
}

/** Returns the position after `http://` or `https://`, or -1. */
function afterScheme(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 8) return -1;
  const isHttp =
    bytes[start] === 0x68 && bytes[start + 1] === 0x74 && bytes[start + 2] === 0x74 && bytes[start + 3] === 0x70;
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  return isHttp && bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH ? colon + 3 : -1;
}

/** Returns the position of the slash that ends a plain host, or -1. */
function plainHostEnd(bytes: Uint8Array, start: number, end: number): number {
  let labelStart = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if ((CLASSES[byte]! & PLAIN_HOST) !== 0) continue;
    if (at === labelStart) return -1;
    if (byte === SLASH) return isAsciiDigit(bytes[labelStart]!) ? -1 : at;
    if (byte !== FULL_STOP) return -1;
    labelStart = at + 1;
  }
  return -1;
}

/** Returns the position of the `?`, the `#` or the end after a plain path at `start`, or -1. */
function provenPathEnd(bytes: Uint8Array, start: number, end: number): number {
  let before = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUESTION_MARK || byte === NUMBER_SIGN) return at;
    if (before === SLASH && (byte === SLASH || byte === FULL_STOP)) return -1;
    if (byte !== SLASH && (CLASSES[byte]! & PLAIN_PATH) === 0) return -1;
    before = byte;
  }
  return end;
}

/** Returns the position of the `#` or the end after a plain query at `start`, or after none, or -1. */
function plainQueryEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === NUMBER_SIGN) return at;
    if ((CLASSES[byte]! & PLAIN_QUERY) === 0) return -1;
  }
  return end;
}
