// Names of bytes in URLs, and classes of bytes.

export const TAB: u32 = 0x09;
export const LINE_FEED: u32 = 0x0a;
export const CARRIAGE_RETURN: u32 = 0x0d;
export const SPACE: u32 = 0x20;
export const QUOTATION_MARK: u32 = 0x22;
export const EXCLAMATION_MARK: u32 = 0x21;
export const NUMBER_SIGN: u32 = 0x23;
export const PERCENT: u32 = 0x25;
export const AMPERSAND: u32 = 0x26;
export const FULL_STOP: u32 = 0x2e;
export const SLASH: u32 = 0x2f;
export const COLON: u32 = 0x3a;
export const SEMICOLON: u32 = 0x3b;
export const QUESTION_MARK: u32 = 0x3f;
export const AT: u32 = 0x40;
export const LEFT_BRACKET: u32 = 0x5b;
export const BACKSLASH: u32 = 0x5c;
export const RIGHT_BRACKET: u32 = 0x5d;
export const VERTICAL_BAR: u32 = 0x7c;

// @ts-ignore: decorator
@inline export function isDigit(byte: u32): bool { return byte - 0x30 < 10; }
/** Lower case only. */
// @ts-ignore: decorator
@inline export function isLetter(byte: u32): bool { return byte - 0x61 < 26; }

/** Returns the value of a hex digit, or 16 if it is none. */
// @ts-ignore: decorator
@inline export function hexValue(byte: u32): u32 {
  if (isDigit(byte)) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : 16;
}

/** Writes a percent sign and two hex digits in upper case. */
// @ts-ignore: decorator
@inline export function escape(byte: u32, to: usize): void {
  store<u8>(to, PERCENT);
  store<u8>(to, hexDigit(byte >> 4), 1);
  store<u8>(to, hexDigit(byte & 15), 2);
}

// @ts-ignore: decorator
@inline function hexDigit(value: u32): u32 { return value + (value < 10 ? 0x30 : 0x37); }

/** Returns 0xff for each of 16 bytes that is `byte`, and 0 for the others. */
// @ts-ignore: decorator
@inline export function equal(bytes: v128, byte: u32): v128 { return i8x16.eq(bytes, i8x16.splat(<i8>byte)); }
