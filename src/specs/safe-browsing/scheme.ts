import { asciiBytes } from '../../core/bytes/ascii.ts';
import {
  BACKSLASH,
  COLON,
  FULL_STOP,
  isAsciiAlpha,
  isAsciiDigit,
  NUMBER_SIGN,
  positionOf,
  QUESTION_MARK,
  SLASH,
} from '../../core/bytes/code-points.ts';

const LOCALHOST = /* @__PURE__ */ asciiBytes('localhost');

/**
 * Returns the position of the colon after a scheme, or -1 if the bytes do not begin with one. `host.com:80` and
 * `localhost:80` look like one, too. Because the pages canonicalize inputs without a scheme, a dot or that name before
 * the colon, and a port after it, make it a host.
 */
export function schemeColon(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || !isAsciiAlpha(bytes[start]!)) return -1;
  let colon = start + 1;
  while (colon < end && isSchemeByte(bytes[colon]!)) colon++;
  if (colon === end || bytes[colon] !== COLON) return -1;
  return looksLikeHost(bytes, start, colon) && hasPort(bytes, colon + 1, end) ? -1 : colon;
}

// RFC 2396 §3.1
function isSchemeByte(byte: number): boolean {
  return isAsciiAlpha(byte) || isAsciiDigit(byte) || byte === 0x2b || byte === 0x2d || byte === FULL_STOP;
}

function looksLikeHost(bytes: Uint8Array, start: number, end: number): boolean {
  if (positionOf(FULL_STOP, bytes, start, end) < end) return true;
  return end - start === LOCALHOST.length && LOCALHOST.every((letter, at) => (bytes[start + at]! | 0x20) === letter);
}

function hasPort(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isAsciiDigit(bytes[at]!)) at++;
  if (at === start) return false;
  const next = at === end ? SLASH : bytes[at];
  return next === SLASH || next === QUESTION_MARK || next === NUMBER_SIGN || next === BACKSLASH;
}
