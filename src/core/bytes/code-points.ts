/** The ASCII code points that the standard names, the classes it builds from them, and where they are in bytes. */

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const NUMBER_SIGN = 0x23;
export const PERCENT = 0x25;
export const COMMA = 0x2c;
export const FULL_STOP = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const QUESTION_MARK = 0x3f;
export const COMMERCIAL_AT = 0x40;
export const LEFT_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const RIGHT_BRACKET = 0x5d;
export const LEFT_BRACE = 0x7b;
export const VERTICAL_BAR = 0x7c;
export const RIGHT_BRACE = 0x7d;

/**
 * Returns the UTF-16 unit at a position, or -1 outside the text. There charCodeAt gives NaN, and after one such result
 * V8 compiles each later call as a slow one: the parser took three times as long.
 */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : -1;
}

// https://infra.spec.whatwg.org/#ascii-digit
export function isAsciiDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

// https://infra.spec.whatwg.org/#ascii-alpha; setting bit 5 folds A-Z onto a-z and nothing else onto them
export function isAsciiAlpha(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns the value of a hex digit, or -1. */
export function hexDigitValue(code: number): number {
  if (isAsciiDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

// https://infra.spec.whatwg.org/#ascii-string
export function isAsciiString(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

// https://infra.spec.whatwg.org/#ascii-lowercase; toLowerCase alone would also fold U+212A KELVIN SIGN to k
export function asciiLowercase(text: string): string {
  return isAsciiString(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** Returns the first position of `byte` in [at, end), or `end`. */
export function positionOf(byte: number, bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/** Returns the position after the last `byte` in [start, end), or `start`. */
export function afterLast(byte: number, bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at - 1] !== byte) at--;
  return at;
}

/** Lower-cases ASCII letters in place. */
export function lowercase(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! |= 0x20;
  }
}

/** More are moved sooner by the host. */
const LOOPED_BYTES = 32;

/** Moves bytes [start, end) to `to`, which is not between them, and returns their new end. */
export function moved(bytes: Uint8Array, start: number, end: number, to: number): number {
  if (start === to) return end;
  if (end - start > LOOPED_BYTES) bytes.copyWithin(to, start, end);
  else for (let at = start, next = to; at < end; at++, next++) bytes[next] = bytes[at]!;
  return to + end - start;
}

/** A surrogate without its other half. https://infra.spec.whatwg.org/#surrogate */
export const LONE_SURROGATE = /\p{Surrogate}/gu;
