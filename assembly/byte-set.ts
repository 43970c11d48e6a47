// Where a run of bytes that belong to a set ends. A set of ASCII bytes is 16 bytes of ROWS: bit h of entry l says that
// byte h * 16 + l belongs to it; bytes from 0x80 on belong to none. SIMD looks up 16 bytes at once by their
// two nibbles; the scalar build reads the same table a byte at a time.

import { FULL_STOP, isDotOrPercent, PERCENT, SLASH } from './bytes';

// @ts-ignore: decorator
@inline export function contains(set: usize, byte: u32): bool {
  return byte < 0x80 && ((load<u8>(set + (byte & 15)) >> (byte >> 4)) & 1) != 0;
}

export const ROW_BIT: usize = ASC_FEATURE_SIMD ? memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]) : 0;

/** All bits of each of 16 bytes that is not in the set. */
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

/** The first byte at or after `at` that is not in the set; one must come. */
export function firstOutside(at: usize, set: usize): usize {
  if (ASC_FEATURE_SIMD) {
    const rows = v128.load(set), rowBit = v128.load(ROW_BIT);
    let bits = outsideBits32(at, rows, rowBit);
    while (bits == 0) bits = outsideBits32((at += 32), rows, rowBit);
    return at + ctz(bits);
  }
  while (contains(set, load<u8>(at))) ++at;
  return at;
}

/** The same, stopping too at a dot or percent sign after a slash: where a dot segment may begin. */
export function firstOutsideOrDot(at: usize, set: usize): usize {
  if (ASC_FEATURE_SIMD) {
    const rows = v128.load(set), rowBit = v128.load(ROW_BIT);
    for (;; at += 64) { // the paths of most lines end in it: a second step would be guessed wrong
      const bits = outsideOrDotBits64(at, rows, rowBit);
      if (bits != 0) return at + <usize>ctz(bits);
    }
  }
  while (contains(set, load<u8>(at)) && !(load<u8>(at - 1) == SLASH && isDotOrPercent(load<u8>(at)))) ++at;
  return at;
}

// @ts-ignore: decorator
@inline function outsideOrDotBits(at: usize, rows: v128, rowBit: v128): i32 {
  const bytes = v128.load(at);
  const isAfterSlash = i8x16.eq(v128.load(at - 1), i8x16.splat(<i8>SLASH));
  const isDot = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>FULL_STOP)), i8x16.eq(bytes, i8x16.splat(<i8>PERCENT)));
  return i8x16.bitmask(v128.or(outside(bytes, rows, rowBit), v128.and(isAfterSlash, isDot)));
}

// @ts-ignore: decorator
@inline function outsideOrDotBits64(at: usize, rows: v128, rowBit: v128): u64 {
  const low = outsideOrDotBits(at, rows, rowBit) | (outsideOrDotBits(at + 16, rows, rowBit) << 16);
  const high = outsideOrDotBits(at + 32, rows, rowBit) | (outsideOrDotBits(at + 48, rows, rowBit) << 16);
  return <u64><u32>low | (<u64><u32>high << 32);
}
