// Functions of FIPS 180-4 §4.1.2 on four words at once: of one message, or of one word each of four messages.

// SIMD128 has no rotation.
// @ts-ignore: decorator
@inline export function rotr4(x: v128, n: i32): v128 { return v128.or(i32x4.shr_u(x, n), i32x4.shl(x, 32 - n)); }
// @ts-ignore: decorator
@inline export function xor3(x: v128, y: v128, z: v128): v128 { return v128.xor(v128.xor(x, y), z); }
// @ts-ignore: decorator
@inline export function Sigma0(x: v128): v128 { return xor3(rotr4(x, 2), rotr4(x, 13), rotr4(x, 22)); }
// @ts-ignore: decorator
@inline export function Sigma1(x: v128): v128 { return xor3(rotr4(x, 6), rotr4(x, 11), rotr4(x, 25)); }
// @ts-ignore: decorator
@inline export function Ch(x: v128, y: v128, z: v128): v128 { return v128.xor(z, v128.and(x, v128.xor(y, z))); }
// @ts-ignore: decorator
@inline export function sigma0(x: v128): v128 { return xor3(rotr4(x, 7), rotr4(x, 18), i32x4.shr_u(x, 3)); }
// @ts-ignore: decorator
@inline export function sigma1(x: v128): v128 { return xor3(rotr4(x, 17), rotr4(x, 19), i32x4.shr_u(x, 10)); }
// @ts-ignore: decorator
@inline export function add(x: v128, y: v128): v128 { return i32x4.add(x, y); }

/**
 * Turns 16 bytes into four words, or back (§3.1: words are big-endian). V8 compiles the equivalent shuffle to five
 * instructions, and this to one.
 */
// @ts-ignore: decorator
@inline export function swapBytes(x: v128): v128 {
  return i8x16.swizzle(x, i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}
