import { codeAt, codePointAt, hexDigitValue, PERCENT, toWellFormed, unitCountOf } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';

/**
 * The percent-encode sets as bits of one table over ASCII; everything above U+007E is in those of the standard.
 * https://url.spec.whatwg.org/#percent-encoded-bytes
 */
export const C0_CONTROL: i32 = 1;
export const FRAGMENT: i32 = 2;
export const QUERY: i32 = 4;
export const SPECIAL_QUERY: i32 = 8;
export const PATH: i32 = 16;
export const USERINFO: i32 = 32;
/** Two sets that hold nothing beyond ASCII. https://url.spec.whatwg.org/#forbidden-host-code-point */
export const FORBIDDEN_HOST: i32 = 64;
export const FORBIDDEN_DOMAIN: i32 = 128;
/** https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set */
export const FORM: i32 = 256;
/** All but unreserved characters. https://www.rfc-editor.org/rfc/rfc3986#section-2.3 */
export const RESERVED: i32 = 512;
const ALL_SETS: i32 = 1023;

/** The sets that each ASCII code point is a member of, made at first use. */
let setsOfAscii: Uint16Array = new Uint16Array(0);

/** Whether a code point, or a UTF-16 unit, is a member of a set. */
export function isMember(code: i32, set: i32): bool {
  if (setsOfAscii.length === 0) setsOfAscii = percentEncodeSets();
  return code > 0x7f || (setsOfAscii[code]! & set) !== 0;
}

/** Whether a code point, or a UTF-16 unit, is forbidden in hosts, or in domains. */
export function isForbidden(code: i32, set: i32): bool {
  return code <= 0x7f && isMember(code, set);
}

function percentEncodeSets(): Uint16Array {
  const sets = new Uint16Array(128);
  sets.fill(ALL_SETS - FORBIDDEN_HOST, 0, 0x20);
  sets[0x7f] = ALL_SETS - FORBIDDEN_HOST;
  addMembers(sets, '\0\t\n\r #/:<>?@[\\]^|', FORBIDDEN_HOST | FORBIDDEN_DOMAIN);
  addMembers(sets, '%', FORBIDDEN_DOMAIN);
  addMembers(sets, ' "<>', FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO);
  addMembers(sets, '`', FRAGMENT | PATH | USERINFO);
  addMembers(sets, '#', QUERY | SPECIAL_QUERY | PATH | USERINFO);
  addMembers(sets, "'", SPECIAL_QUERY);
  addMembers(sets, '?^{}', PATH | USERINFO);
  addMembers(sets, '/:;=@[\\]|', USERINFO);
  addMembers(sets, ' !"#$%&\'()+,/:;<=>?@[\\]^`{|}', FORM | RESERVED);
  addMembers(sets, '~', FORM);
  addMembers(sets, '*', RESERVED);
  return sets;
}

function addMembers(sets: Uint16Array, characters: string, membership: i32): void {
  for (let at = 0; at < characters.length; at++) sets[characters.charCodeAt(at)]! |= membership as u16;
}

/**
 * Escapes the UTF-8 bytes of the members of a set; a lone surrogate becomes U+FFFD, as in a USVString.
 * https://url.spec.whatwg.org/#string-utf-8-percent-encode
 */
export function percentEncode(input: string, set: i32): string {
  let at = 0;
  while (at < input.length && !isMember(input.charCodeAt(at), set)) at++;
  if (at === input.length) return input;
  const output = new TextWriter();
  let copied = 0;
  for (; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (!isMember(code, set)) continue;
    if (copied < at) output.addSlice(input, copied, at);
    copied = at + 1;
    if (code <= 0x7f) {
      output.add(escapeOf(code));
      continue;
    }
    while (copied < input.length && input.charCodeAt(copied) > 0x7f) copied++;
    output.add(escapesOf(input.slice(at, copied)));
    at = copied - 1;
  }
  output.addSlice(input, copied, input.length);
  return output.toString();
}

/** Returns the escapes of a run beyond ASCII; the host takes a third of the time. */
function escapesOf(run: string): string {
  return ASC_TARGET === 0 ? escapesByHost(run) : escapesOfCodePoints(toWellFormed(run));
}

function escapesByHost(run: string): string {
  try {
    return encodeURIComponent(run);
  } catch (_) {
    return encodeURIComponent(toWellFormed(run));
  }
}

function escapesOfCodePoints(run: string): string {
  const output = new TextWriter();
  for (let at = 0; at < run.length; ) {
    const code = codePointAt(run, at);
    if (code < 0x800) {
      output.add(escapeOf(0xc0 | (code >> 6)));
    } else {
      if (code < 0x10000) {
        output.add(escapeOf(0xe0 | (code >> 12)));
      } else {
        output.add(escapeOf(0xf0 | (code >> 18)));
        output.add(escapeOf(0x80 | ((code >> 12) & 0x3f)));
      }
      output.add(escapeOf(0x80 | ((code >> 6) & 0x3f)));
    }
    output.add(escapeOf(0x80 | (code & 0x3f)));
    at += unitCountOf(code);
  }
  return output.toString();
}

const HEX_DIGITS: string = '0123456789ABCDEF';

/** The escape of each byte, made at first use. */
const escapes: string[] = [];

/** Returns the escape of a byte, its digits in upper case. */
export function escapeOf(byte: i32): string {
  for (let each = escapes.length; each < 256; each++)
    escapes.push(`%${HEX_DIGITS.charAt(each >> 4)}${HEX_DIGITS.charAt(each & 15)}`);
  return escapes[byte]!;
}

/** Returns the byte that is escaped at a position, or -1. */
export function escapedByte(text: string, at: i32): i32 {
  if (codeAt(text, at) !== PERCENT) return -1;
  const high = hexDigitValue(codeAt(text, at + 1));
  const low = hexDigitValue(codeAt(text, at + 2));
  return high === -1 || low === -1 ? -1 : (high << 4) | low;
}
