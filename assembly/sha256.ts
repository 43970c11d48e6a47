// SHA-256 of one message (FIPS 180-4), in the standard's own names. The readable twin of sha256x4.ts, and the path for
// messages that do not come in fours: single URLs, leftovers, messages longer than memory.

import { H0 } from './constants';
import { BLOCK, SCHEDULE, STATE } from './layout';
import { extend, kPlusW, loadBlock } from './schedule';

// FIPS 180-4 §4.1.2; Ch in a form that needs one operation fewer
// @ts-ignore: decorator
@inline function Ch(x: u32, y: u32, z: u32): u32 { return z ^ (x & (y ^ z)); }
// @ts-ignore: decorator
@inline function Sigma0(x: u32): u32 { return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22); }
// @ts-ignore: decorator
@inline function Sigma1(x: u32): u32 { return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25); }

/** Hashes `length` bytes at `message` and writes the first `width` bytes of the digest to `digest`. */
export function sha256(message: usize, length: u32, digest: usize, width: u32): void {
  init();
  const tail = length & 63;
  update(message, length >> 6);
  final(message + length - tail, tail, length, digest, width);
}

/** FIPS 180-4 §6.2.1: sets the initial hash value. */
export function init(): void {
  for (let at: usize = 0; at < 32; at += 8) store<u64>(STATE + at, load<u64>(H0 + at));
}

/** Absorbs whole blocks of 64 bytes. */
export function update(message: usize, blockCount: u32): void {
  for (let block: u32 = 0; block < blockCount; ++block) compress(message + (block << 6));
}

/** Pads (§5.1.1) the last `tailLength` < 64 bytes of a message of `byteLength` bytes and writes the digest. */
export function final(tail: usize, tailLength: i32, byteLength: f64, digest: usize, width: u32): void {
  for (let kept = tailLength, isLast = false; !isLast; kept = -1) {
    for (let at = 0; at < 64; at += 8) store<u64>(BLOCK + at, padded(load<u64>(tail + at), kept - at));
    isLast = kept < 56;
    if (isLast) {
      const bitLength = <u64>(<i64>byteLength << 3);
      store<u32>(BLOCK, bswap<u32>(<u32>(bitLength >> 32)), 56);
      store<u32>(BLOCK, bswap<u32>(<u32>bitLength), 60);
    }
    compress(BLOCK);
  }
  for (let at: usize = 0; at < width; at += 4) store<u32>(digest + at, bswap<u32>(load<u32>(STATE + at)));
}

/** Returns eight bytes of a padded message: the first `kept` are its own, and the byte after them ends it. */
// @ts-ignore: decorator
@inline function padded(bytes: u64, kept: i32): u64 {
  if (kept > 7) return bytes;
  if (kept < 0) return 0;
  const end: u64 = 0x80 << (kept << 3);
  return (bytes & ((end >> 7) - 1)) | end;
}

// FIPS 180-4 §6.2.2, four rounds per iteration. W of rounds 16 on (step 1) is computed alongside them: it depends on
// nothing that they do, and in a loop of its own it took a fifth of the time. In each sum the term that is known last
// comes last, since a round waits for the one before: 3 %.
function compress(block: usize): void {
  loadBlock(block);
  let a = load<u32>(STATE, 0), b = load<u32>(STATE, 4), c = load<u32>(STATE, 8), d = load<u32>(STATE, 12);
  let e = load<u32>(STATE, 16), f = load<u32>(STATE, 20), g = load<u32>(STATE, 24), h = load<u32>(STATE, 28);
  // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before
  let xy: u32, yz = b ^ c, T1: u32, swap: u32;
  for (let w: usize = SCHEDULE; w < SCHEDULE + 256; w += 16) {
    T1 = h + kPlusW(w) + Ch(e, f, g) + Sigma1(e); d += T1; xy = a ^ b; h = Sigma0(a) + (b ^ (xy & yz)) + T1;
    T1 = g + kPlusW(w + 4) + Ch(d, e, f) + Sigma1(d); c += T1; yz = h ^ a; g = Sigma0(h) + (a ^ (yz & xy)) + T1;
    T1 = f + kPlusW(w + 8) + Ch(c, d, e) + Sigma1(c); b += T1; xy = g ^ h; f = Sigma0(g) + (h ^ (xy & yz)) + T1;
    T1 = e + kPlusW(w + 12) + Ch(b, c, d) + Sigma1(b); a += T1; yz = f ^ g; e = Sigma0(f) + (g ^ (yz & xy)) + T1;
    swap = a; a = e; e = swap; swap = b; b = f; f = swap; swap = c; c = g; g = swap; swap = d; d = h; h = swap;
    if (w < SCHEDULE + 192) extend(w);
  }
  addToState(0, a); addToState(4, b); addToState(8, c); addToState(12, d);
  addToState(16, e); addToState(20, f); addToState(24, g); addToState(28, h);
}

// @ts-ignore: decorator
@inline function addToState(offset: usize, value: u32): void {
  store<u32>(STATE + offset, load<u32>(STATE + offset) + value);
}
