// Finds where a run of bytes in a set ends. A set of ASCII bytes is 16 bytes of ROWS: bit h of entry l says whether
// byte 16 * h + l is in it; bytes from 0x80 on are in none. SIMD looks up 16 bytes at once by their two nibbles.

// @ts-ignore: decorator
@inline export function contains(set: usize, byte: u32): bool {
  return byte < 0x80 && ((load<u8>(set + (byte & 15)) >> (byte >> 4)) & 1) != 0;
}

export const ROW_BIT: usize = memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Returns 0xff for each of 16 bytes that is not in the set, and 0 for the others. */
// @ts-ignore: decorator
@inline export function outside(bytes: v128, rows: v128, rowBit: v128): v128 {
  const low = i8x16.swizzle(rows, v128.and(bytes, i8x16.splat(15)));
  const high = i8x16.swizzle(rowBit, v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15)));
  return i8x16.eq(v128.and(low, high), i8x16.splat(0));
}

// @ts-ignore: decorator
@inline function outsideBits32(at: usize, rows: v128, rowBit: v128): i32 {
  const low = i8x16.bitmask(outside(v128.load(at), rows, rowBit));
  return low | (i8x16.bitmask(outside(v128.load(at, 16), rows, rowBit)) << 16);
}

/** Returns the address of the first byte at or after `at` that is not in the set; there must be one. */
export function firstOutside(at: usize, set: usize): usize {
  const rows = v128.load(set), rowBit = v128.load(ROW_BIT);
  let bits = outsideBits32(at, rows, rowBit);
  while (bits == 0) bits = outsideBits32((at += 32), rows, rowBit);
  return at + ctz(bits);
}
