/**
 * Writes the address of each byte `lineEnd` in [at, end) to `to`, 4 bytes each, until there are `limit` or more, and
 * returns their number. Always writes four slots per 64 bytes, because a data-dependent loop mispredicts once per line.
 * So up to 64 words after the limit are overwritten.
 */
export function lineEnds(at: usize, end: usize, lineEnd: u32, to: usize, limit: u32): u32 {
  const stop = to + (limit << 2);
  let next = to;
  const wanted = i8x16.splat(<i8>lineEnd);
  for (; at < end && next < stop; at += 64) {
    let bits = equalBits64(at, wanted);
    if (end - at < 64) bits &= ((<u64>1) << (end - at)) - 1;
    const count = <u32>popcnt(bits);
    let written: u32 = 0;
    do {
      store<u32>(next, at + <u32>ctz(bits)); bits &= bits - 1;
      store<u32>(next, at + <u32>ctz(bits), 4); bits &= bits - 1;
      store<u32>(next, at + <u32>ctz(bits), 8); bits &= bits - 1;
      store<u32>(next, at + <u32>ctz(bits), 12); bits &= bits - 1;
      written += 4;
      next += 16;
    } while (written < count);
    next -= (written - count) << 2;
  }
  return <u32>(next - to) >> 2;
}

// @ts-ignore: decorator
@inline function equalBits(at: usize, wanted: v128): u64 {
  return <u64>i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
}

// @ts-ignore: decorator
@inline function equalBits64(at: usize, wanted: v128): u64 {
  const low = equalBits(at, wanted) | (equalBits(at + 16, wanted) << 16);
  return low | (equalBits(at + 32, wanted) << 32) | (equalBits(at + 48, wanted) << 48);
}
