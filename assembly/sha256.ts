// SHA-256 of one message (FIPS 180-4), in the standard's own names. The readable twin of sha256x4.ts, and
// the path of what does not come in fours: single URLs, leftovers, messages longer than memory.

import { BLOCK, SCHEDULE, STATE } from './layout';

// FIPS 180-4 §4.2.2
// prettier-ignore
export const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

// FIPS 180-4 §5.3.3
// prettier-ignore
export const H0: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

// FIPS 180-4 §4.1.2; Ch and Maj in forms that need one operation less
// @ts-ignore: decorator
@inline function Ch(x: u32, y: u32, z: u32): u32 { return z ^ (x & (y ^ z)); }
// @ts-ignore: decorator
@inline function Maj(x: u32, y: u32, z: u32): u32 { return (x & y) | (z & (x | y)); }
// @ts-ignore: decorator
@inline function Sigma0(x: u32): u32 { return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22); }
// @ts-ignore: decorator
@inline function Sigma1(x: u32): u32 { return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25); }
// @ts-ignore: decorator
@inline function sigma0(x: u32): u32 { return rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3); }
// @ts-ignore: decorator
@inline function sigma1(x: u32): u32 { return rotr(x, 17) ^ rotr(x, 19) ^ (x >> 10); }

/** The digest of `length` bytes at `message`: its first `width` bytes at `digest`. */
export function sha256(message: usize, length: u32, digest: usize, width: u32): void {
  begin();
  const tail = length & 63;
  absorb(message, length >> 6);
  finish(message + length - tail, tail, length, digest, width);
}

/** FIPS 180-4 §6.2.1: sets the initial hash value. */
export function begin(): void {
  memory.copy(STATE, H0, 32);
}

/** Takes in whole blocks of 64 bytes. */
export function absorb(message: usize, blockCount: u32): void {
  for (let block: u32 = 0; block < blockCount; ++block) compress(message + (block << 6));
}

/** Pads (§5.1.1) the last `tailLength` < 64 bytes of a message of `byteLength` bytes and writes the digest. */
export function finish(tail: usize, tailLength: u32, byteLength: f64, digest: usize, width: u32): void {
  memory.copy(BLOCK, tail, tailLength);
  memory.fill(BLOCK + tailLength, 0, 128 - tailLength);
  store<u8>(BLOCK + tailLength, 0x80);
  const end: usize = tailLength < 56 ? BLOCK + 64 : BLOCK + 128;
  store<u32>(end - 8, bswap<u32>(<u32>(byteLength / 0x20000000)));
  store<u32>(end - 4, bswap<u32>(<u32>(<u64>byteLength << 3)));
  absorb(BLOCK, <u32>((end - BLOCK) >> 6));
  for (let at: usize = 0; at < width; at += 4) store<u32>(digest + at, bswap<u32>(load<u32>(STATE + at)));
}

// FIPS 180-4 §6.2.2, four rounds a turn. W of the rounds 16 on (step 1) is made beside them: it waits for
// nothing that they do, and in a loop of its own it took a fifth of the time.
function compress(block: usize): void {
  for (let at: usize = 0; at < 64; at += 4) store<u32>(SCHEDULE + at, bswap<u32>(load<u32>(block + at)));
  let a = load<u32>(STATE, 0), b = load<u32>(STATE, 4), c = load<u32>(STATE, 8), d = load<u32>(STATE, 12);
  let e = load<u32>(STATE, 16), f = load<u32>(STATE, 20), g = load<u32>(STATE, 24), h = load<u32>(STATE, 28);
  let T1: u32, swap: u32;
  for (let k = K, w: usize = SCHEDULE; k < K + 256; k += 16, w += 16) {
    T1 = h + Sigma1(e) + Ch(e, f, g) + load<u32>(k) + load<u32>(w); d += T1; h = T1 + Sigma0(a) + Maj(a, b, c);
    T1 = g + Sigma1(d) + Ch(d, e, f) + load<u32>(k + 4) + load<u32>(w + 4); c += T1; g = T1 + Sigma0(h) + Maj(h, a, b);
    T1 = f + Sigma1(c) + Ch(c, d, e) + load<u32>(k + 8) + load<u32>(w + 8); b += T1; f = T1 + Sigma0(g) + Maj(g, h, a);
    T1 = e + Sigma1(b) + Ch(b, c, d) + load<u32>(k + 12) + load<u32>(w + 12); a += T1; e = T1 + Sigma0(f) + Maj(f, g, h);
    swap = a; a = e; e = swap; swap = b; b = f; f = swap; swap = c; c = g; g = swap; swap = d; d = h; h = swap;
    if (k < K + 192) { extend(w); extend(w + 4); extend(w + 8); extend(w + 12); }
  }
  addToState(0, a); addToState(4, b); addToState(8, c); addToState(12, d);
  addToState(16, e); addToState(20, f); addToState(24, g); addToState(28, h);
}

/** W of the round 16 after the one at `w`. */
// @ts-ignore: decorator
@inline function extend(w: usize): void {
  store<u32>(w, load<u32>(w) + sigma0(load<u32>(w, 4)) + load<u32>(w, 36) + sigma1(load<u32>(w, 56)), 64);
}

function addToState(offset: usize, value: u32): void {
  store<u32>(STATE + offset, load<u32>(STATE + offset) + value);
}
