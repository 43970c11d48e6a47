// What follows the host: the bytes that are kept there, segments, and where they end.

import {
  BACKSLASH, COLON, FULL_STOP, isDigit, isLetter, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, VERTICAL_BAR,
} from './bytes';

// Sets in the form of byte-set.ts, 16 bytes each; test/assembly/scan.test.ts compares them with src/core/url/percent.ts.
const SETS: usize = memory.data<u8>([
  0xb8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x7c, 0xd4, 0x7c, 0xd4, 0x74,
  0xf8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
  0xb8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0xfc, 0xf4, 0x7c,
  0xa8, 0xfc, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xf4, 0x54, 0x54, 0x54, 0xd4, 0x70,
]);
/** U+0021 to U+007E except " # < > ? \ ^ ` { } */
export const PATH: usize = SETS;
/** U+0021 to U+007E except " # ' < > */
export const QUERY: usize = SETS + 16;
/** U+0021 to U+007E except " < > ` */
export const FRAGMENT: usize = SETS + 32;
/** U+0021 to U+007E except " # / : ; < = > ? @ [ \ ] ^ ` { | } */
export const USERINFO: usize = SETS + 48;

/** Whether `at` is the end of a line, or of the part of it that counts. */
// @ts-ignore: decorator
@inline export function isEnd(at: usize, end: usize, excludeFragment: bool): bool {
  return at == end || (excludeFragment && load<u8>(at) == NUMBER_SIGN);
}

/** Whether a slash or backslash is at `at`, before the `end`. */
export function isSlash(at: usize, end: usize): bool {
  return at < end && (load<u8>(at) == SLASH || load<u8>(at) == BACKSLASH);
}

/** Whether a path's segment ends at `at`: at the `end`, a slash or backslash, a question mark or a number sign. */
export function isSegmentEnd(at: usize, end: usize): bool {
  return at >= end || isSlash(at, end) || load<u8>(at) == QUESTION_MARK || load<u8>(at) == NUMBER_SIGN;
}

/** Whether a letter and a colon or a bar are at `at`. https://url.spec.whatwg.org/#windows-drive-letter */
export function isDriveLetter(at: usize, end: usize): bool {
  const mark: u32 = load<u8>(at, 1);
  return end - at > 1 && isLetter(load<u8>(at) | 0x20) && (mark == COLON || mark == VERTICAL_BAR);
}

/** Whether `at` may begin a dot segment: after a slash, a dot before anything but a letter, digit, `_` or `-`. */
export function mayBeDotSegment(at: usize): bool {
  const next: u32 = load<u8>(at, 1);
  if (load<u8>(at) == PERCENT) return next == 0x32 && (load<u8>(at, 2) | 0x20) == 0x65;
  return load<u8>(at) == FULL_STOP && !(isLetter(next | 0x20) || isDigit(next) || next == 0x5f || next == 0x2d);
}

/** Whether a byte may begin a dot segment. */
// @ts-ignore: decorator
@inline export function isDot(byte: u32): bool { return byte == FULL_STOP || byte == PERCENT; }
