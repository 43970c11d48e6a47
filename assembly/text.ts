import { BACKSLASH, QUOTATION_MARK } from './bytes';

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

/**
 * Copies bytes [at, end), and up to 16 more. Returns false if a byte is a control character, a quotation mark or a
 * backslash, or if the bytes are not UTF-8.
 */
export function copyPlain(at: usize, end: usize, to: usize): bool {
  return copyUnless(QUOTATION_MARK, BACKSLASH, at, end, to) || isPlainText(at, end);
}

/** Copies bytes [at, end), and up to 16 more. Returns false if a byte is not printable ASCII, U+0020 to U+007E. */
export function copyPrintable(at: usize, end: usize, to: usize): bool { return copyUnless(0x7f, 0x7f, at, end, to); }

/** Copies bytes, and returns false if one is below 0x20, not ASCII, `one` or `other`. */
// @ts-ignore: decorator
@inline function copyUnless(one: u32, other: u32, at: usize, end: usize, to: usize): bool {
  let special = i8x16.splat(0);
  for (; at + 16 <= end; at += 16, to += 16) special = v128.or(special, specialBytes(one, other, at, to));
  const last: u32 = i8x16.bitmask(specialBytes(one, other, at, to)) & ((1 << <u32>(end - at)) - 1);
  return !v128.any_true(special) && last == 0;
}

/** Copies 16 bytes, and returns 0xff for each special one: as signed numbers, non-ASCII bytes are below 0x20. */
// @ts-ignore: decorator
@inline function specialBytes(one: u32, other: u32, at: usize, to: usize): v128 {
  const bytes = v128.load(at);
  v128.store(to, bytes);
  const isNamed = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>one)), i8x16.eq(bytes, i8x16.splat(<i8>other)));
  return v128.or(i8x16.lt_s(bytes, i8x16.splat(0x20)), isNamed);
}

/** Checks byte by byte what copyPlain asks for: one line in 160 is not ASCII. */
function isPlainText(at: usize, end: usize): bool {
  for (let length: u32 = 0; at < end; at += length) {
    const byte: u32 = load<u8>(at);
    length = sequenceLength(at, end);
    if (byte < 0x20 || byte == QUOTATION_MARK || byte == BACKSLASH || length == 0) return false;
  }
  return true;
}

/** Returns the byte length of the well-formed UTF-8 sequence at `at` (Unicode, definition D92), or 0. */
// @ts-ignore: decorator
@inline export function sequenceLength(at: usize, end: usize): u32 {
  const lead: u32 = load<u8>(at);
  if (lead < 0x80) return 1;
  const length: u32 = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || end - at < length) return 0;
  let codePoint = lead & (0x7f >> length);
  for (let index: u32 = 1; index < length; ++index) {
    const byte: u32 = load<u8>(at + index);
    if ((byte & 0xc0) != 0x80) return 0;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  // 0x800 and 0x10000 are the first that need three and four bytes
  const isShortest = codePoint >= <u32>1 << (5 * length - 4);
  return isShortest && codePoint <= 0x10ffff && (codePoint & 0xfffff800) != 0xd800 && lead < 0xf8 ? length : 0;
}

/** Returns the code point of a well-formed UTF-8 sequence. */
// @ts-ignore: decorator
@inline export function codePointAt(at: usize, length: u32): u32 {
  let codePoint: u32 = length == 1 ? load<u8>(at) : load<u8>(at) & (0x7f >> length);
  for (let index: u32 = 1; index < length; ++index) codePoint = (codePoint << 6) | (load<u8>(at + index) & 0x3f);
  return codePoint;
}
