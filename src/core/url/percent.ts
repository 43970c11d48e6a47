import { LONE_SURROGATE } from '../bytes/code-points.ts';

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

/** By code point, of ASCII; each is made at first use. */
const ESCAPES: string[] = [];

/**
 * Escapes the UTF-8 bytes of the members of a set; a lone surrogate becomes U+FFFD, as in a USVString.
 * https://url.spec.whatwg.org/#string-utf-8-percent-encode
 */
export function percentEncode(input: string, set: number): string {
  let output = '';
  let copied = 0;
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (!isMember(code, set)) continue;
    output += input.slice(copied, at);
    copied = at + 1;
    if (code > 0x7f) while (copied < input.length && input.charCodeAt(copied) > 0x7f) copied++;
    output += code > 0x7f ? escaped(input.slice(at, copied)) : (ESCAPES[code] ??= escaped(input[at]!));
    at = copied - 1;
  }
  return output + input.slice(copied);
}

/** `encodeURIComponent` escapes all members of the sets but the apostrophe, and throws at a lone surrogate. */
function escaped(run: string): string {
  if (run === "'") return '%27';
  try {
    return encodeURIComponent(run);
  } catch {
    return encodeURIComponent(run.replace(LONE_SURROGATE, '\ufffd'));
  }
}
