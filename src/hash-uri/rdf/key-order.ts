/**
 * The order of the specification is that of code points, which is that of UTF-8 bytes. Java's strings compare by UTF-16
 * units: that differs where a character beyond U+FFFF meets one of U+E000 to U+FFFF, which then comes second.
 */
export type KeyOrder = 'code-points' | 'utf16';

/** The first bytes of U+E000 to U+FFFF are EE and EF, those of what is beyond F0 to F4; F5 and F6 begin nothing. */
const FIRST = 0xee;
const LAST = 0xef;
const BEYOND = 0xf0;
const DISTANCE = 0xf5 - FIRST;

/** Has UTF-8 characters of both kinds on which the two orders disagree? */
export function dependsOnOrder(utf8: Uint8Array): boolean {
  return utf8.some((byte) => byte >= BEYOND) && utf8.some((byte) => byte === FIRST || byte === LAST);
}

/** Makes bytes whose order is that of UTF-16 units from UTF-8, in place; a second time it changes nothing. */
export function toUtf16Order(utf8: Uint8Array): void {
  for (let at = 0; at < utf8.length; at++) if (utf8[at] === FIRST || utf8[at] === LAST) utf8[at]! += DISTANCE;
}

export function fromUtf16Order(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= FIRST + DISTANCE) bytes[at]! -= DISTANCE;
}
