/**
 * Writes a word in decimal, without leading zeros, and returns its end. Two divisions of 64 bits leave numbers of 4 and
 * 8 digits, all of whose digits come from the same few multiplications: 50 ns for the four words of a hash, where digit
 * by digit took 87.
 */
export function writeWord(word: u64, to: usize): usize {
  const upper = word / 10000000000000000;
  const rest = word - upper * 10000000000000000;
  const middle = rest / 100000000;
  const digits = digitsOf(<u32>middle), lower = digitsOf(<u32>(rest - middle * 100000000));
  if (upper != 0) return writeEight(lower, writeEight(digits, writeShort(digitsOf(<u32>upper), to)));
  if (middle != 0) return writeEight(lower, writeShort(digits, to));
  return writeShort(lower, to);
}

/** Writes up to 8 digits, without leading zeros, and up to 7 bytes more; returns the end of the digits. */
// @ts-ignore: decorator
@inline function writeShort(digits: u64, to: usize): usize {
  const zeros: u64 = min<u64>(7, ctz(digits) >> 3);
  store<u64>(to, (digits | ZEROS) >> (zeros << 3));
  return to + 8 - <usize>zeros;
}

/** Writes exactly 8 digits and returns their end. */
// @ts-ignore: decorator
@inline function writeEight(digits: u64, to: usize): usize {
  store<u64>(to, digits | ZEROS);
  return to + 8;
}

/** Eight times the digit 0. */
const ZEROS: u64 = 0x3030303030303030;

/**
 * Returns the eight digits of a number, a byte each, the first in the lowest. It makes two numbers of four digits, then
 * four of two, then eight of one; 10486 / 2^20 and 103 / 2^10 are close enough to 1/100 and 1/10 for such numbers.
 */
// @ts-ignore: decorator
@inline function digitsOf(value: u32): u64 {
  const upper = value / 10000;
  const fours = <u64>upper | (<u64>(value - upper * 10000) << 32);
  const hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f;
  const twos = hundreds | ((fours - hundreds * 100) << 16);
  const tens = ((twos * 103) >> 10) & 0x000f000f000f000f;
  return tens | ((twos - tens * 10) << 8);
}
