import { isAsciiAlpha, isAsciiDigit } from './code-points.ts';

/** RFC 4648, section 5: A-Z, a-z, 0-9, '-', '_' for 0 to 63. Hash-URIs have the same, without padding. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

export function isBase64Character(code: number): boolean {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === HYPHEN || code === UNDERSCORE;
}

/**
 * Encodes six bits per character, without padding; zero bits fill the last one: 43 characters for 32 bytes. They take a
 * quarter of the time of `btoa` and what makes its alphabet this one.
 */
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
