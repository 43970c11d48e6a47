/** Writes two digits per byte, 16 bytes at a time; for a width of 8, those of the other 8 are overwritten later. */
export function writeHex(bytes: usize, width: u32, to: usize): usize {
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
