// SHA-256 (FIPS 180-4) of four messages at once, one in each 32-bit lane of SIMD128:
//
//   a vector    lane 0     lane 1     lane 2     lane 3
//   W[t]        word t of  word t of  word t of  word t of
//               message 0  message 1  message 2  message 3
//
// The four have the same number of blocks; their lengths may differ. SIMD128 has no rotation, so shifts are the
// bottleneck: 19 of some 51 operations per round, on two ports. Four rounds are unrolled: the eight moves of §6.2.2
// step 3 become four swaps in four rounds; unrolling eight or all 64 was no faster in V8.

import { H0, K } from './constants';
import { END_MARK, KEEP, SCHEDULE } from './layout';
import { add, Ch, Sigma0, Sigma1, sigma0, sigma1, swapBytes } from './words4';

// Padding without a copy: of a block's 64 bytes, loaded at a message's end, `kept` are its own. At 64 - kept, the bytes
// of KEEP mask out the rest, and those of END_MARK put 0x80 after them (§5.1.1); kept is -1 beyond that.
memory.fill(KEEP, 0xff, 64);
store<u8>(END_MARK, 0x80, 64);

/** Returns T1 of one round: §6.2.2 step 3. */
// @ts-ignore: decorator
@inline function T1(e: v128, f: v128, g: v128, h: v128, k: usize, w: usize): v128 {
  return add(add(h, add(v128.load32_splat(k), v128.load(w))), add(Sigma1(e), Ch(e, f, g)));
}

/** Stores W of the round 16 after the one at `w`: §6.2.2 step 1. */
// @ts-ignore: decorator
@inline function extend(w: usize): void {
  const sum = add(add(v128.load(w), sigma0(v128.load(w, 16))), add(v128.load(w, 144), sigma1(v128.load(w, 224))));
  v128.store(w, sum, 256);
}

/** Hashes four messages of `blockCount` blocks each and writes the first `width` bytes of each digest. */
export function sha256x4(
  message0: usize, message1: usize, message2: usize, message3: usize,
  length0: u32, length1: u32, length2: u32, length3: u32,
  digest0: usize, digest1: usize, digest2: usize, digest3: usize,
  blockCount: u32, width: u32,
): void {
  let h0 = v128.load32_splat(H0, 0), h1 = v128.load32_splat(H0, 4);
  let h2 = v128.load32_splat(H0, 8), h3 = v128.load32_splat(H0, 12);
  let h4 = v128.load32_splat(H0, 16), h5 = v128.load32_splat(H0, 20);
  let h6 = v128.load32_splat(H0, 24), h7 = v128.load32_splat(H0, 28);

  for (let block: u32 = 0; block < blockCount; ++block) {
    const offset = block << 6;
    const kept0 = keptOf(length0, offset), kept1 = keptOf(length1, offset);
    const kept2 = keptOf(length2, offset), kept3 = keptOf(length3, offset);
    for (let at: u32 = 0; at < 64; at += 16) {
      const from = offset + at;
      let x0 = v128.load(message0 + from), x1 = v128.load(message1 + from);
      let x2 = v128.load(message2 + from), x3 = v128.load(message3 + from);
      if (block + 2 >= blockCount) {
        x0 = padded(x0, at - kept0); x1 = padded(x1, at - kept1); x2 = padded(x2, at - kept2);
        x3 = padded(x3, at - kept3);
      }
      transpose(SCHEDULE + (at << 2), x0, x1, x2, x3);
    }
    if (block + 1 == blockCount) storeBitLengths(length0, length1, length2, length3);

    let a = h0, b = h1, c = h2, d = h3, e = h4, f = h5, g = h6, h = h7;
    // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before
    let xy: v128, yz = v128.xor(b, c), t1: v128, swap: v128;
    let k = K, w: usize = SCHEDULE;
    for (; k < K + 192; k += 16, w += 64) {
      t1 = T1(e, f, g, h, k, w); d = add(d, t1); xy = v128.xor(a, b);
      h = add(add(t1, Sigma0(a)), v128.xor(b, v128.and(xy, yz))); extend(w);
      t1 = T1(d, e, f, g, k + 4, w + 16); c = add(c, t1); yz = v128.xor(h, a);
      g = add(add(t1, Sigma0(h)), v128.xor(a, v128.and(yz, xy))); extend(w + 16);
      t1 = T1(c, d, e, f, k + 8, w + 32); b = add(b, t1); xy = v128.xor(g, h);
      f = add(add(t1, Sigma0(g)), v128.xor(h, v128.and(xy, yz))); extend(w + 32);
      t1 = T1(b, c, d, e, k + 12, w + 48); a = add(a, t1); yz = v128.xor(f, g);
      e = add(add(t1, Sigma0(f)), v128.xor(g, v128.and(yz, xy))); extend(w + 48);
      swap = a; a = e; e = swap; swap = b; b = f; f = swap; swap = c; c = g; g = swap; swap = d; d = h; h = swap;
    }
    for (; k < K + 256; k += 16, w += 64) {
      t1 = T1(e, f, g, h, k, w); d = add(d, t1); xy = v128.xor(a, b);
      h = add(add(t1, Sigma0(a)), v128.xor(b, v128.and(xy, yz)));
      t1 = T1(d, e, f, g, k + 4, w + 16); c = add(c, t1); yz = v128.xor(h, a);
      g = add(add(t1, Sigma0(h)), v128.xor(a, v128.and(yz, xy)));
      t1 = T1(c, d, e, f, k + 8, w + 32); b = add(b, t1); xy = v128.xor(g, h);
      f = add(add(t1, Sigma0(g)), v128.xor(h, v128.and(xy, yz)));
      t1 = T1(b, c, d, e, k + 12, w + 48); a = add(a, t1); yz = v128.xor(f, g);
      e = add(add(t1, Sigma0(f)), v128.xor(g, v128.and(yz, xy)));
      swap = a; a = e; e = swap; swap = b; b = f; f = swap; swap = c; c = g; g = swap; swap = d; d = h; h = swap;
    }
    h0 = add(h0, a); h1 = add(h1, b); h2 = add(h2, c); h3 = add(h3, d);
    h4 = add(h4, e); h5 = add(h5, f); h6 = add(h6, g); h7 = add(h7, h);
  }

  // The transposed words of the digests, in SCHEDULE's first 64 bytes: four words per message; the other four follow
  transpose(SCHEDULE, h0, h1, h2, h3);
  if (width == 8) {
    v128.store64_lane(digest0, v128.load(SCHEDULE, 0), 0);
    v128.store64_lane(digest1, v128.load(SCHEDULE, 16), 0);
    v128.store64_lane(digest2, v128.load(SCHEDULE, 32), 0);
    v128.store64_lane(digest3, v128.load(SCHEDULE, 48), 0);
    return;
  }
  v128.store(digest0, v128.load(SCHEDULE, 0));
  v128.store(digest1, v128.load(SCHEDULE, 16));
  v128.store(digest2, v128.load(SCHEDULE, 32));
  v128.store(digest3, v128.load(SCHEDULE, 48));
  if (width == 16) return;
  transpose(SCHEDULE, h4, h5, h6, h7);
  v128.store(digest0, v128.load(SCHEDULE, 0), 16);
  v128.store(digest1, v128.load(SCHEDULE, 16), 16);
  v128.store(digest2, v128.load(SCHEDULE, 32), 16);
  v128.store(digest3, v128.load(SCHEDULE, 48), 16);
}

/** Turns four rows of four words into four columns, each word's bytes reversed (§3.1: words are big-endian). */
// @ts-ignore: decorator
@inline function transpose(to: usize, x0: v128, x1: v128, x2: v128, x3: v128): void {
  const low01 = v128.shuffle<u32>(x0, x1, 0, 4, 1, 5);
  const low23 = v128.shuffle<u32>(x2, x3, 0, 4, 1, 5);
  const high01 = v128.shuffle<u32>(x0, x1, 2, 6, 3, 7);
  const high23 = v128.shuffle<u32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, swapBytes(v128.shuffle<u64>(low01, low23, 0, 2)), 0);
  v128.store(to, swapBytes(v128.shuffle<u64>(low01, low23, 1, 3)), 16);
  v128.store(to, swapBytes(v128.shuffle<u64>(high01, high23, 0, 2)), 32);
  v128.store(to, swapBytes(v128.shuffle<u64>(high01, high23, 1, 3)), 48);
}

/** Returns how many bytes of the block at `offset` are the message's: 0 to 64, or -1 after the byte that ends it. */
// @ts-ignore: decorator
@inline function keptOf(length: u32, offset: u32): i32 { return max<i32>(-1, min<i32>(64, <i32>(length - offset))); }

/** Returns 16 bytes of a padded message, `fromEnd` bytes from its end in this block: before it if that is negative. */
// @ts-ignore: decorator
@inline function padded(bytes: v128, fromEnd: i32): v128 {
  return v128.or(v128.and(bytes, v128.load(KEEP + fromEnd, 64)), v128.load(END_MARK + fromEnd, 64));
}

/** Stores W[14] and W[15] of a last block: the message's length in bits. */
// @ts-ignore: decorator
@inline function storeBitLengths(length0: u32, length1: u32, length2: u32, length3: u32): void {
  let lengths = i32x4.splat(length0);
  lengths = i32x4.replace_lane(lengths, 1, length1);
  lengths = i32x4.replace_lane(lengths, 2, length2);
  lengths = i32x4.replace_lane(lengths, 3, length3);
  v128.store(SCHEDULE, i32x4.shr_u(lengths, 29), 224);
  v128.store(SCHEDULE, i32x4.shl(lengths, 3), 240);
}
