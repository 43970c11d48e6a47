/**
 * Writes a word in decimal, without leading zeros, and returns its end. Two divisions of 64 bits leave numbers of 4 and
 * 8 digits, whose own digits come from 32-bit divisions by constants, which V8 turns into multiplications.
 */
export function writeWord(word: u64, to: usize): usize {
  const upper = word / 10000000000000000;
  const rest = word % 10000000000000000;
  const middle = rest / 100000000;
  if (upper != 0) return writeEight(<u32>(rest % 100000000), writeEight(<u32>middle, writeShort(<u32>upper, to)));
  if (middle != 0) return writeEight(<u32>(rest % 100000000), writeShort(<u32>middle, to));
  return writeShort(<u32>rest, to);
}

/** Writes up to 8 digits, without leading zeros, and returns their end. */
function writeShort(value: u32, to: usize): usize {
  let count: usize = 1;
  for (let limit: u32 = 10; count < 8 && value >= limit; limit *= 10) ++count;
  for (let at = to + count; at > to; value /= 10) store<u8>(--at, 48 + (value % 10));
  return to + count;
}

/** Writes exactly 8 digits and returns their end. */
function writeEight(value: u32, to: usize): usize {
  writeFour(value / 10000, to);
  writeFour(value % 10000, to + 4);
  return to + 8;
}

// @ts-ignore: decorator
@inline function writeFour(value: u32, to: usize): void {
  const high = value / 100, low = value % 100;
  const digits = (high / 10) | ((high % 10) << 8) | ((low / 10) << 16) | ((low % 10) << 24);
  store<u32>(to, digits | 0x30303030);
}
