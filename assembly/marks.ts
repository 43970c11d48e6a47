// One pass over the bytes of a batch: a bit for each byte that a proof must look at again, and one for each that ends a
// host: MARKS and HOST_MARKS, the first byte of TEXT in the lowest bit. A line without such a byte after its host is
// canonical there, whether its bytes belong to path, query or fragment. Finding where these begin takes branches that
// mispredict: a line took 35 ns with them, and takes 27.

import { ROW_BIT } from './byte-set';
import { FULL_STOP, PERCENT, SLASH } from './bytes';
import { HOST_MARKS, MARKS, TEXT } from './layout';
import { HOST } from './host';

/** Bytes that paths, queries and fragments all keep: U+0021 to U+007E except " ' < > \ ^ ` { }, as in byte-set.ts. */
const PLAIN: usize = memory.data<u8>([
  0xb8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0x7c, 0xd4, 0x7c, 0xd4, 0x7c,
]);

/** This many bytes at a time are still in the first-level cache when their lines are read. */
const STEP_BYTES: usize = 4096;

/** Marks the bytes from `at` to a step after `feed`, or to `end` if that is nearer, and returns where it stopped. */
export function mark(at: usize, feed: usize, end: usize, excludeFragment: bool): usize {
  const host = v128.load(HOST), rowBit = v128.load(ROW_BIT);
  let plain = v128.load(PLAIN);
  if (excludeFragment) plain = i8x16.replace_lane(plain, 3, <i8>0xf8); // without #
  const stop = min(feed + STEP_BYTES, end);
  for (; at < stop; at += 32) {
    const to = (at - TEXT) >> 3;
    const bytes0 = v128.load(at), bytes1 = v128.load(at, 16);
    const low0 = v128.and(bytes0, i8x16.splat(15)), low1 = v128.and(bytes1, i8x16.splat(15));
    const high0 = highBit(bytes0, rowBit), high1 = highBit(bytes1, rowBit);
    const marks0 = v128.or(outside(plain, low0, high0), mayBeDots(bytes0, v128.load(at - 1)));
    const marks1 = v128.or(outside(plain, low1, high1), mayBeDots(bytes1, v128.load(at + 15)));
    store<u32>(MARKS + to, bits(marks0, marks1));
    store<u32>(HOST_MARKS + to, bits(outside(host, low0, high0), outside(host, low1, high1)));
  }
  return at;
}

/** Returns the bit of each byte's high nibble in the rows of a set. */
// @ts-ignore: decorator
@inline function highBit(bytes: v128, rowBit: v128): v128 {
  return i8x16.swizzle(rowBit, v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15)));
}

/** Finds dots and percent signs after slashes. */
// @ts-ignore: decorator
@inline function mayBeDots(bytes: v128, before: v128): v128 {
  const isDot = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>FULL_STOP)), i8x16.eq(bytes, i8x16.splat(<i8>PERCENT)));
  return v128.and(isDot, i8x16.eq(before, i8x16.splat(<i8>SLASH)));
}

// @ts-ignore: decorator
@inline function bits(low: v128, high: v128): u32 { return i8x16.bitmask(low) | (i8x16.bitmask(high) << 16); }

// @ts-ignore: decorator
@inline function outside(rows: v128, low: v128, high: v128): v128 {
  return i8x16.eq(v128.and(i8x16.swizzle(rows, low), high), i8x16.splat(0));
}

/** The longest host in bytes: the bits that a word has from any of its first eight on. */
export const HOST_LIMIT: usize = 57;

/** Returns where a host at `host` ends; if it is longer than HOST_LIMIT, some address after that. */
// @ts-ignore: decorator
@inline export function hostEnd(host: usize): usize {
  return host + <usize>ctz(bitsAt(HOST_MARKS, host));
}

/** Returns the first marked byte at or after `at`; there must be one. Near ones take no branch, since lines differ. */
// @ts-ignore: decorator
@inline export function firstMark(at: usize): usize {
  const skipped = (at - TEXT) & 7;
  const low = bitsAt(MARKS, at), high = load<u64>(MARKS + ((at - TEXT) >> 3), 8);
  if ((low | high) == 0) return nextMark(at + 128 - skipped);
  return at + <usize>(ctz(low) + ((ctz(high) - skipped) & -<u64>(low == 0)));
}

/** Returns the first marked byte at or after `at`, wherever that is, a word at a time. */
export function nextMark(at: usize): usize {
  let bits: u64;
  while ((bits = bitsAt(MARKS, at)) == 0) at += 64 - ((at - TEXT) & 7);
  return at + <usize>ctz(bits);
}

/** Returns the bits of 57 bytes from `at` on, or more. */
// @ts-ignore: decorator
@inline function bitsAt(map: usize, at: usize): u64 {
  const offset = at - TEXT;
  return load<u64>(map + (offset >> 3)) >> (offset & 7);
}
