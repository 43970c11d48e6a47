import { asciiText } from '../bytes/ascii.ts';
import { hexOfByte, writeEscape } from '../bytes/hex.ts';

/**
 * The percent-encode sets as bits of one table over ASCII; everything above U+007E is in all of them.
 * https://url.spec.whatwg.org/#percent-encoded-bytes
 */
export const C0_CONTROL = 1;
export const FRAGMENT = 2;
export const QUERY = 4;
export const SPECIAL_QUERY = 8;
export const PATH = 16;
export const USERINFO = 32;

const MEMBERS: readonly (readonly [characters: string, sets: number])[] = [
  [' "<>', FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO],
  ['`', FRAGMENT | PATH | USERINFO],
  ['#', QUERY | SPECIAL_QUERY | PATH | USERINFO],
  ["'", SPECIAL_QUERY],
  ['?^{}', PATH | USERINFO],
  ['/:;=@[\\]|', USERINFO],
];

let setsOfAscii: Uint8Array | undefined;

/** The sets that each ASCII code point is a member of, made at first use. */
export function percentEncodeSets(): Uint8Array {
  if (setsOfAscii !== undefined) return setsOfAscii;
  const sets = new Uint8Array(128);
  sets.fill(0xff, 0, 0x20);
  sets[0x7f] = 0xff;
  for (const [characters, membership] of MEMBERS) {
    for (const character of characters) sets[character.charCodeAt(0)]! |= membership;
  }
  return (setsOfAscii = sets);
}

/** By bytes; each is made at first use. */
const ESCAPES: string[] = [];

function escapeOf(byte: number): string {
  return (ESCAPES[byte] ??= `%${hexOfByte(byte).toUpperCase()}`);
}

/** After so many escapes, the rest is written as bytes: each `+=` makes a string, and most URLs have few. */
const FEW_ESCAPES = 256;

/**
 * Escapes the code points of one set as UTF-8; a lone surrogate becomes U+FFFD, as in a USVString.
 * https://url.spec.whatwg.org/#string-utf-8-percent-encode
 */
export function percentEncode(input: string, set: number): string {
  const sets = percentEncodeSets();
  let output = '';
  let copied = 0;
  let count = 0;
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code <= 0x7f && (sets[code]! & set) === 0) continue;
    output += input.slice(copied, at);
    if (++count > FEW_ESCAPES) return output + encodedInPieces(input.slice(at), set);
    const codePoint = scalarValueAt(input, at);
    output += escapeCodePoint(codePoint);
    if (codePoint > 0xffff) at++;
    copied = at + 1;
  }
  return output + input.slice(copied);
}

const PIECE_LENGTH = 1 << 14;
/** Of one UTF-16 unit: three bytes of UTF-8, each an escape. */
const UNIT_BYTES = 9;

/** Takes a sixth of the time where nearly all is escaped. */
function encodedInPieces(input: string, set: number): string {
  const sets = percentEncodeSets();
  const escaped = new Uint8Array(UNIT_BYTES * (Math.min(input.length, PIECE_LENGTH) + 1));
  let output = '';
  let to = 0;
  for (let at = 0; at < input.length; at++) {
    if (to > escaped.length - 2 * UNIT_BYTES) {
      output += asciiText(escaped.subarray(0, to));
      to = 0;
    }
    const code = input.charCodeAt(at);
    if (code > 0x7f) {
      const codePoint = scalarValueAt(input, at);
      to = writeCodePoint(escaped, to, codePoint);
      if (codePoint > 0xffff) at++;
    } else if ((sets[code]! & set) === 0) escaped[to++] = code;
    else to = writeEscape(escaped, to, code);
  }
  return output + asciiText(escaped.subarray(0, to));
}

/** Escapes the UTF-8 of a code point beyond ASCII. */
function writeCodePoint(to: Uint8Array, start: number, code: number): number {
  let at = start;
  if (code >= 0x10000) at = writeEscape(to, at, 0xf0 | (code >> 18));
  if (code >= 0x10000) at = writeEscape(to, at, 0x80 | ((code >> 12) & 0x3f));
  else if (code >= 0x800) at = writeEscape(to, at, 0xe0 | (code >> 12));
  at = writeEscape(to, at, code >= 0x800 ? 0x80 | ((code >> 6) & 0x3f) : 0xc0 | (code >> 6));
  return writeEscape(to, at, 0x80 | (code & 0x3f));
}

// https://infra.spec.whatwg.org/#scalar-value
function scalarValueAt(input: string, at: number): number {
  const codePoint = input.codePointAt(at)!;
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

function escapeCodePoint(code: number): string {
  if (code < 0x80) return escapeOf(code);
  const last = escapeOf(0x80 | (code & 0x3f));
  if (code < 0x800) return escapeOf(0xc0 | (code >> 6)) + last;
  const third = escapeOf(0x80 | ((code >> 6) & 0x3f)) + last;
  if (code < 0x10000) return escapeOf(0xe0 | (code >> 12)) + third;
  return escapeOf(0xf0 | (code >> 18)) + escapeOf(0x80 | ((code >> 12) & 0x3f)) + third;
}
