import { BACKSLASH, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH } from '../bytes/code-points.ts';

/** Classes of bytes, as bits of one table. */
export const ESCAPED = 1; //     "<= ASCII 32, >= 127, #, or %": written as an escape in a canonical form
export const PLAIN_HOST = 2; //  a-z 0-9 - _ : unchanged in every reading
export const PLAIN_PATH = 4; //  not ESCAPED, and none of / ? \
export const PLAIN_QUERY = 8; // not ESCAPED

export const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 0x20 || byte >= 0x7f || byte === NUMBER_SIGN || byte === PERCENT) return ESCAPED;
  const isPathPlain = byte !== SLASH && byte !== QUESTION_MARK && byte !== BACKSLASH;
  return PLAIN_QUERY | (isPathPlain ? PLAIN_PATH : 0) | (/[a-z0-9_-]/.test(String.fromCharCode(byte)) ? PLAIN_HOST : 0);
});

let latin1: TextDecoder | undefined;

/** Returns ASCII bytes as text. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return (latin1 ??= new TextDecoder('latin1')).decode(bytes.subarray(start, end));
}

/** Returns the first position of `byte` in [at, end), or `end`. */
export function positionOf(byte: number, bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/** Returns the first position of a slash or question mark in [at, end), or `end`: the end of an authority. */
export function authorityEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== SLASH && bytes[at] !== QUESTION_MARK) at++;
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
