// The lines of the text format, as `urlsum --check` reads them: a module of its own, for the command alone, and with
// SIMD only.

import { copy, copyPrintable, endOf } from '../text';
import { ANSWERS, DIGESTS, OFFSETS, ROW_CAPACITY, STOPPED, URLS } from './layout';

const LINE_FEED: u32 = 0x0a;
const CARRIAGE_RETURN: u32 = 0x0d;
const TWO_SPACES: u32 = 0x2020;
/** `: OK` and a line feed, from the least significant byte on. */
const OK_LINE: u64 = 0x0a4b4f203a;
const OK_BYTES: usize = 5;

/**
 * Reads lines [line, linesEnd), the last of which ends in a line feed too, up to the first that is not hex digits of
 * `width` bytes, two spaces and printable ASCII, or until there are ROW_CAPACITY rows, and returns how many. STOPPED is
 * where the next line begins.
 */
export function read(line: usize, linesEnd: usize, width: u32): u32 {
  let row: u32 = 0;
  let url = URLS, answer = ANSWERS, digest = DIGESTS;
  store<u32>(OFFSETS, 0);
  for (; line < linesEnd && row < ROW_CAPACITY; digest += width) {
    const start = line + (width << 1) + 2;
    if (!readHex(line, width, digest) || load<u16>(start - 2) != TWO_SPACES) break;
    const feed = endOf(start, LINE_FEED);
    const end = feed - <usize>(feed > start && load<u8>(feed - 1) == CARRIAGE_RETURN);
    if (!copyPrintable(start, end, url)) break;
    copy(url, url + (end - start), answer);
    url += end - start;
    store<u32>(OFFSETS + (++row << 2), <u32>(url - URLS));
    store<u64>(answer + (end - start), OK_LINE);
    answer += end - start + OK_BYTES;
    line = feed + 1;
  }
  store<u32>(STOPPED, <u32>line);
  return row;
}

/** Writes the `width` bytes that hex digits spell, in either case; false where one of them is not a digit. */
// @ts-ignore: decorator
@inline function readHex(digits: usize, width: u32, to: usize): bool {
  let areDigits = i8x16.splat(-1);
  for (const end = to + width; to < end; digits += 16, to += 8) {
    const bytes = v128.load(digits);
    const decimal = i8x16.sub(bytes, i8x16.splat(0x30));
    const letter = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
    const isDecimal = i8x16.lt_u(decimal, i8x16.splat(10)), isLetter = i8x16.lt_u(letter, i8x16.splat(6));
    areDigits = v128.and(areDigits, v128.or(isDecimal, isLetter));
    const values = v128.bitselect(decimal, i8x16.add(letter, i8x16.splat(10)), isDecimal);
    // of two digits the first is the upper half of a byte, and lies in the lower one of 16 bits
    const pairs = v128.and(v128.or(i16x8.shl(values, 4), i16x8.shr_u(values, 8)), i16x8.splat(0xff));
    v128.store64_lane(to, i8x16.narrow_i16x8_u(pairs, pairs), 0);
  }
  return i8x16.all_true(areDigits);
}
