import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { asciiText, decodedIfFits, decodeLine, textEncoder } from '../../core/bytes/text.ts';

// RFC 8259 wants UTF-8, but programs write the bytes that they were given. In the strings of a text with other bytes, the
// characters from U+10FF80 on, which Unicode never assigns, stand for bytes: for those that are not UTF-8, and for those
// of such characters themselves.
const STAND_IN = 0x10_ff00;
const HAS_STAND_IN = /([\u{10ff80}-\u{10ffff}])/u;

/** An escape, perhaps of a character that stands; or a character in UTF-8 (RFC 3629, section 4); or a byte. */
const PARTS = new RegExp(
  [
    /\\(?:u[dD][bB][fF][fF]\\u[dD][fF]([89a-fA-F][\da-fA-F])|.)/,
    /[\xc2-\xdf][\x80-\xbf]/,
    /\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}/,
    /\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4(?!\x8f[\xbe\xbf])[\x80-\x8f][\x80-\xbf]{2}/,
    /[\x80-\xff]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Decodes a text that has bytes which are not UTF-8. */
export function decodedWithBytes(text: Uint8Array): string {
  return asciiText(text).replace(PARTS, (found, escaped: string | undefined, offset: number) => {
    if (escaped !== undefined) return standIns(encoded(String.fromCodePoint(STAND_IN + Number.parseInt(escaped, 16))));
    if (found.startsWith('\\')) return found;
    const bytes = text.subarray(offset, offset + found.length);
    return bytes.length === 1 ? standIns(bytes) : decodeLine(bytes);
  });
}

/** Returns the characters that stand for bytes. */
function standIns(bytes: Uint8Array): string {
  return String.fromCodePoint(...Array.from(bytes, (byte) => STAND_IN + byte));
}

function encoded(text: string): Uint8Array {
  return textEncoder().encode(text);
}

/** Whether a decoded text may have had bytes that are not UTF-8. */
export function hasOtherBytes(decoded: string | undefined): boolean {
  return decoded?.includes('\ufffd') === true;
}

/** Returns a string of an object as bytes if it has any that are not UTF-8. @param json the text of the object */
export function bytesOfString(value: string, json: Uint8Array): string | Uint8Array {
  if (!HAS_STAND_IN.test(value) || !hasOtherBytes(decodedIfFits(json))) return value;
  const parts = value.split(HAS_STAND_IN);
  return concatBytes(parts.map((part, at) => (at % 2 === 0 ? encoded(part) : Uint8Array.of(part.codePointAt(0)!))));
}
