// The lines of `urlsum --format text` and `hex`: a module of its own, for the command alone, and with SIMD only.

import { STOPPED } from './layout';

const LINE_FEED: u32 = 0x0a;
const CARRIAGE_RETURN: u32 = 0x0d;
const TWO_SPACES: u16 = 0x2020;

/**
 * Writes up to `rows` sums to `to` and returns their end: `width` bytes of a digest in hex, and with `withLine` two
 * spaces and the line. Lines begin at `line`, lie before `linesEnd` and end in `lineEnd`. STOPPED has two words: the
 * address where the next line begins, and how many rows are still to come.
 */
export function write(
  rows: u32, digest: usize, width: u32,
  line: usize, linesEnd: usize, lineEnd: u32, withLine: bool, to: usize,
): usize {
  for (; rows > 0 && line < linesEnd; --rows, digest += width) {
    to = writeHex(digest, width, to);
    if (withLine) {
      store<u16>(to, TWO_SPACES);
      to += 2;
    }
    const start = to;
    const feed = copyLine(line, to, lineEnd);
    if (withLine) to += feed - line;
    if (to > start && lineEnd == LINE_FEED && load<u8>(to - 1) == CARRIAGE_RETURN) --to;
    store<u8>(to++, lineEnd);
    line = feed + 1;
  }
  store<u32>(STOPPED, line, 0);
  store<u32>(STOPPED, rows, 4);
  return to;
}

/** Two digits per byte, of 16 bytes at a time: of 8, the others' are overwritten. */
function writeHex(bytes: usize, width: u32, to: usize): usize {
  const digits = i8x16(0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66);
  for (const end = bytes + width; bytes < end; bytes += 16) {
    const values = v128.load(bytes), mask = i8x16.splat(15);
    const high = v128.and(i16x8.shr_u(values, 4), mask), low = v128.and(values, mask);
    const first = v128.shuffle<u8>(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const second = v128.shuffle<u8>(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(to, i8x16.swizzle(digits, first), 0);
    v128.store(to, i8x16.swizzle(digits, second), 16);
    to += min<u32>(width, 16) << 1;
  }
  return to;
}

/** Copies a line, and up to 16 bytes more, and returns where it ends. */
function copyLine(line: usize, to: usize, lineEnd: u32): usize {
  const ends = i8x16.splat(<i8>lineEnd);
  let bytes = v128.load(line);
  store<v128>(to, bytes);
  while (!v128.any_true(i8x16.eq(bytes, ends))) {
    bytes = v128.load((line += 16));
    store<v128>((to += 16), bytes);
  }
  return line + ctz(i8x16.bitmask(i8x16.eq(bytes, ends)));
}
