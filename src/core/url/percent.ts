import { hexOfByte } from '../bytes/hex.ts';
import { asciiText, writeAscii } from '../bytes/text.ts';

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

/** The sets that each ASCII code point is a member of, made at first use. */
let setsOfAscii: Uint8Array | undefined;

/** Whether a code point, or a UTF-16 unit, is a member of a set. */
export function isMember(code: number, set: number): boolean {
  setsOfAscii ??= percentEncodeSets();
  return code > 0x7f || (setsOfAscii[code]! & set) !== 0;
}

function percentEncodeSets(): Uint8Array {
  const sets = new Uint8Array(128);
  sets.fill(0xff, 0, 0x20);
  sets[0x7f] = 0xff;
  for (const [characters, membership] of MEMBERS) {
    for (const character of characters) sets[character.charCodeAt(0)]! |= membership;
  }
  return sets;
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
  let output = '';
  let copied = 0;
  let count = 0;
  for (let at = 0; at < input.length; at++) {
    if (!isMember(input.charCodeAt(at), set)) continue;
    output += input.slice(copied, at);
    if (++count > FEW_ESCAPES) return output + encodedInPieces(input.slice(at), set);
    const codePoint = scalarValueAt(input, at);
    output += escapeCodePoint(codePoint);
    if (codePoint > 0xffff) at++;
    copied = at + 1;
  }
  return output + input.slice(copied);
}

const PIECE_BYTES = 1 << 16;
/** The escapes of the four bytes of a code point's UTF-8. */
const CODE_POINT_BYTES = 12;

/** Takes a fourth of the time where nearly all of a long text is escaped. */
function encodedInPieces(input: string, set: number): string {
  const piece = new Uint8Array(PIECE_BYTES);
  let output = '';
  let to = 0;
  for (let at = 0; at < input.length; at++) {
    if (to > PIECE_BYTES - CODE_POINT_BYTES) {
      output += asciiText(piece.subarray(0, to));
      to = 0;
    }
    const codePoint = scalarValueAt(input, at);
    if (codePoint > 0xffff) at++;
    if (isMember(codePoint, set)) {
      const escape = escapeCodePoint(codePoint);
      writeAscii(piece, to, escape);
      to += escape.length;
    } else piece[to++] = codePoint;
  }
  return output + asciiText(piece.subarray(0, to));
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
