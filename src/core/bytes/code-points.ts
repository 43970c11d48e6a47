import { TextWriter } from './text-writer.ts';

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
/** U+FFFD, which stands for what cannot be decoded. */
export const REPLACEMENT = 0xfffd;

/**
 * Returns the UTF-16 unit at a position, or -1 outside the text. There charCodeAt gives NaN, and after one such result
 * V8 compiles each later call as a slow one: the parser took three times as long.
 */
export function codeAt(text: string, at: i32): i32 {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : -1;
}

// https://infra.spec.whatwg.org/#ascii-digit
export function isAsciiDigit(code: i32): bool {
  return code >= 0x30 && code <= 0x39;
}

// https://infra.spec.whatwg.org/#ascii-alpha; setting bit 5 folds A-Z onto a-z and nothing else onto them
export function isAsciiAlpha(code: i32): bool {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns the value of a hex digit, or -1. */
export function hexDigitValue(code: i32): i32 {
  if (isAsciiDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

// https://infra.spec.whatwg.org/#ascii-string; in JavaScript by a pattern, which takes a fifth of the loop's time
export function isAsciiString(text: string): bool {
  if (ASC_TARGET === 0) return !/[^\0-\x7f]/.test(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

// https://infra.spec.whatwg.org/#ascii-lowercase; toLowerCase alone would also fold U+212A KELVIN SIGN to k
export function asciiLowercase(text: string): string {
  return ASC_TARGET === 0 ? asciiLowercaseByHost(text) : asciiLowercaseUnits(text);
}

function asciiLowercaseByHost(text: string): string {
  return isAsciiString(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

function asciiLowercaseUnits(text: string): string {
  const lower = new TextWriter();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    lower.addUnit(code >= 0x41 && code <= 0x5a ? code | 0x20 : code);
  }
  return lower.toString();
}

/** Replaces each surrogate without its other half by U+FFFD, as in a USVString. */
export function toWellFormed(text: string): string {
  let at = 0;
  while (at < text.length && !isLoneSurrogate(text, at)) at++;
  if (at === text.length) return text;
  const formed = new TextWriter();
  for (at = 0; at < text.length; at++) formed.addUnit(isLoneSurrogate(text, at) ? REPLACEMENT : text.charCodeAt(at));
  return formed.toString();
}

// https://infra.spec.whatwg.org/#surrogate
function isLoneSurrogate(text: string, at: i32): bool {
  const code = text.charCodeAt(at);
  if ((code & 0xf800) !== 0xd800) return false;
  return code < 0xdc00 ? !isTrailSurrogate(codeAt(text, at + 1)) : (codeAt(text, at - 1) & 0xfc00) !== 0xd800;
}

function isTrailSurrogate(code: i32): bool {
  return (code & 0xfc00) === 0xdc00;
}

/** Returns the code point at a position; a surrogate without its other half counts as one. */
export function codePointAt(text: string, at: i32): i32 {
  const code = text.charCodeAt(at);
  if ((code & 0xfc00) !== 0xd800 || !isTrailSurrogate(codeAt(text, at + 1))) return code;
  return ((code & 0x3ff) << 10) + (text.charCodeAt(at + 1) & 0x3ff) + 0x10000;
}

export function codePointsOf(text: string): i32[] {
  const codes: i32[] = [];
  for (let at = 0; at < text.length; ) {
    const code = codePointAt(text, at);
    codes.push(code);
    at += unitCountOf(code);
  }
  return codes;
}

export function textOf(codes: i32[]): string {
  const text = new TextWriter();
  for (let at = 0; at < codes.length; at++) text.addCodePoint(codes[at]!);
  return text.toString();
}

/** Returns how many UTF-16 units a code point takes. */
export function unitCountOf(code: i32): i32 {
  return code > 0xffff ? 2 : 1;
}

/** Decodes UTF-8; invalid bytes become U+FFFD. https://encoding.spec.whatwg.org/#utf-8-decoder */
export function decodeUtf8(bytes: Uint8Array): string {
  const end = bytes.length;
  const text = new TextWriter();
  for (let at = 0; at < end; ) {
    const lead: i32 = bytes[at++]!;
    let needed = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let lower = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    let upper = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let code = lead < 0x80 ? lead : needed === 0 ? REPLACEMENT : lead & (0x3f >> needed);
    for (; needed > 0; needed--) {
      const byte: i32 = at < end ? bytes[at]! : 0;
      if (byte < lower || byte > upper) break;
      code = (code << 6) | (byte & 0x3f);
      lower = 0x80;
      upper = 0xbf;
      at++;
    }
    text.addCodePoint(needed > 0 ? REPLACEMENT : code);
  }
  return text.toString();
}

/** Returns the first position of `byte` in [at, end), or `end`. */
export function positionOf(byte: i32, bytes: Uint8Array, at: i32, end: i32): i32 {
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/** Returns the position after the last `byte` in [start, end), or `start`. */
export function afterLast(byte: i32, bytes: Uint8Array, start: i32, end: i32): i32 {
  let at = end;
  while (at > start && bytes[at - 1] !== byte) at--;
  return at;
}

/** Lower-cases ASCII letters in place. */
export function lowercase(bytes: Uint8Array, start: i32, end: i32): void {
  for (let at = start; at < end; at++) {
    if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! |= 0x20;
  }
}

/** Above this length, copyWithin is faster than a loop. */
const LOOPED_BYTES = 32;

/** Moves bytes [start, end) to `to`, which is not between them, and returns their new end. */
export function moved(bytes: Uint8Array, start: i32, end: i32, to: i32): i32 {
  if (start === to) return end;
  if (end - start > LOOPED_BYTES) bytes.copyWithin(to, start, end);
  else for (let at = start, next = to; at < end; at++, next++) bytes[next] = bytes[at]!;
  return to + end - start;
}
