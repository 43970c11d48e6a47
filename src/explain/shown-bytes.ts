import { hexOfByte } from '../bytes/hex.ts';
import { decodeLine } from '../bytes/utf8.ts';

/** Bytes as text; those that are not UTF-8 stand as `\xHH`. */
export function shownBytes(bytes: Uint8Array): string {
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += `${decodeLine(bytes.subarray(start, at))}\\x${hexOfByte(bytes[at]!)}`;
      start = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + decodeLine(bytes.subarray(start));
}

/** Bytes of the character of UTF-8 that begins at `at`; 0 where none does. RFC 3629 section 4 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const [lowest, highest] = secondByteRange(lead);
  const second = bytes[at + 1] ?? 0;
  if (length === 0 || second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Neither overlong forms nor surrogates, nor what lies above U+10FFFF. */
function secondByteRange(lead: number): readonly [lowest: number, highest: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
