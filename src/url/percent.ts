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

/** The sets that each ASCII code point is a member of. */
export const SETS: Uint8Array = /* @__PURE__ */ percentEncodeSets();

function percentEncodeSets(): Uint8Array {
  const sets = new Uint8Array(128);
  sets.fill(0xff, 0, 0x20);
  sets[0x7f] = 0xff;
  for (const [characters, membership] of MEMBERS) {
    for (const character of characters) sets[character.charCodeAt(0)]! |= membership;
  }
  return sets;
}

const ESCAPES: readonly string[] = /* @__PURE__ */ Array.from(
  { length: 256 },
  (_, byte) => `%${(byte + 256).toString(16).slice(1).toUpperCase()}`,
);

/**
 * Escapes the code points of one set as UTF-8; a lone surrogate becomes U+FFFD, as in a USVString.
 * https://url.spec.whatwg.org/#string-utf-8-percent-encode
 */
export function percentEncode(input: string, set: number): string {
  let output = '';
  let copied = 0;
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code <= 0x7f && (SETS[code]! & set) === 0) continue;
    output += input.slice(copied, at);
    const codePoint = scalarValueAt(input, at);
    output += escapeCodePoint(codePoint);
    if (codePoint > 0xffff) at++;
    copied = at + 1;
  }
  return output + input.slice(copied);
}

// https://infra.spec.whatwg.org/#scalar-value
function scalarValueAt(input: string, at: number): number {
  const codePoint = input.codePointAt(at)!;
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

function escapeCodePoint(code: number): string {
  if (code < 0x80) return ESCAPES[code]!;
  const last = ESCAPES[0x80 | (code & 0x3f)]!;
  if (code < 0x800) return ESCAPES[0xc0 | (code >> 6)]! + last;
  const third = ESCAPES[0x80 | ((code >> 6) & 0x3f)]! + last;
  if (code < 0x10000) return ESCAPES[0xe0 | (code >> 12)]! + third;
  return ESCAPES[0xf0 | (code >> 18)]! + ESCAPES[0x80 | ((code >> 12) & 0x3f)]! + third;
}
