/** Returns the address of the first `byte` at or after `at`; there must be one. */
export function endOf(at: usize, byte: u32): usize {
  const bytes = i8x16.splat(<i8>byte);
  let found: u32;
  while ((found = <u32>i8x16.bitmask(i8x16.eq(v128.load(at), bytes))) == 0) at += 16;
  return at + ctz(found);
}

/** Copies bytes [at, end), and up to 16 more. */
export function copy(at: usize, end: usize, to: usize): void {
  for (; at < end; at += 16, to += 16) v128.store(to, v128.load(at));
}

/** Does the same, but returns false if a byte is a control character, a quotation mark, a backslash, or not ASCII. */
export function copyPlain(at: usize, end: usize, to: usize): bool { return copyUnless(0x22, 0x5c, at, end, to); }

/** Does the same, but returns false if a byte is not printable ASCII, U+0020 to U+007E. */
export function copyPrintable(at: usize, end: usize, to: usize): bool { return copyUnless(0x7f, 0x7f, at, end, to); }

/** Copies bytes, and returns false if one is below 0x20, not ASCII, `one` or `other`. */
// @ts-ignore: decorator
@inline function copyUnless(one: i8, other: i8, at: usize, end: usize, to: usize): bool {
  let special = i8x16.splat(0);
  for (; at + 16 <= end; at += 16, to += 16) special = v128.or(special, specialBytes(one, other, at, to));
  const last: u32 = i8x16.bitmask(specialBytes(one, other, at, to)) & ((1 << <u32>(end - at)) - 1);
  return !v128.any_true(special) && last == 0;
}

/** Copies 16 bytes, and returns 0xff for each special one: as signed numbers, non-ASCII bytes are below 0x20. */
// @ts-ignore: decorator
@inline function specialBytes(one: i8, other: i8, at: usize, to: usize): v128 {
  const bytes = v128.load(at);
  v128.store(to, bytes);
  const isNamed = v128.or(i8x16.eq(bytes, i8x16.splat(one)), i8x16.eq(bytes, i8x16.splat(other)));
  return v128.or(i8x16.lt_s(bytes, i8x16.splat(0x20)), isNamed);
}
