import { isAsciiAlpha, isAsciiDigit } from '../../core/bytes/code-points.ts';

/** The Base64 of hash-URIs: A-Z, a-z, 0-9, '-', '_' for 0 to 63, and no padding. RFC 4648 section 5 has the same order. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

export function isBase64Character(code: number): boolean {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === HYPHEN || code === UNDERSCORE;
}

/** Returns where the run of Base64 characters that ends at `end` begins. */
export function runStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isBase64Character(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Encodes six bits per character; zero bits fill the last one: 43 characters for 32 bytes. */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let bitCount = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (bitCount += 8; bitCount >= 6; bitCount -= 6) text += ALPHABET[(bits >> (bitCount - 6)) & 63]!;
    bits &= (1 << bitCount) - 1;
  }
  return bitCount === 0 ? text : text + ALPHABET[(bits << (6 - bitCount)) & 63]!;
}

/** Decodes six bits per character; the bits left over in the last one are dropped. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (const character of text) {
    bits = (bits << 6) | ALPHABET.indexOf(character);
    bitCount += 6;
    if (bitCount >= 8) bytes[at++] = bits >> (bitCount -= 8);
    bits &= (1 << bitCount) - 1;
  }
  return bytes;
}

/** Whether the text is the only spelling of 32 bytes: the two low bits of its 43rd character, 2 of 258, are zero. */
export function isBase64Of32Bytes(text: string): boolean {
  return /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);
}
