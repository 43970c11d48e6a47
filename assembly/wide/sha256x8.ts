// SHA-256 (FIPS 180-4) of eight messages at once: sha256x4.ts with two vectors in place of each, `l` for the messages 0
// to 3 and `h` for 4 to 7. V8's pass `revectorize` packs such twins into one vector of 256 bits, and then eight messages
// take the time of four; without it they take as long as sha256x4.ts does twice. What the pass asks for:
//
//   1. It begins at two stores to adjacent 16 bytes, one directly after the other, and follows what they store.
//   2. Every operation on `l` has its twin on `h`: the same one, its operands in the same order, in the same basic block.
//   3. Twin loads have one index and differ by 16 only in the constant offset: v128.load(w, 48) and never
//      v128.load(w + 32, 16), of which Binaryen adds to `w` in one twin and not in the other. No address is a constant.
//   4. Nothing is stored or called between twins.
//   5. What must not be packed is in a loop, once for each half.
//
// `test/kernel/wide.test.ts` reads the trace of the pass. `base` is SCHEDULE8, a parameter because of 3.

import { CONSTANTS, DIGESTS, KEEP, LANES, MARK, SCHEDULE8, SPANS, STATE8 } from '../layout';
import { add, Ch, Sigma0, Sigma1, sigma0, sigma1, swapBytes } from '../words4';

// Offsets from SCHEDULE8 to the others.
const TO_H0: usize = CONSTANTS - SCHEDULE8;
const TO_K: usize = TO_H0 + 32;
const TO_STATE: usize = STATE8 - SCHEDULE8;
const TO_LANES: usize = LANES - SCHEDULE8;
const TO_KEEP: usize = KEEP - SCHEDULE8;
const TO_MARK: usize = MARK - SCHEDULE8;

/** §6.2.2 step 3 */
// @ts-ignore: decorator
@inline function T1(e: v128, f: v128, g: v128, h: v128, k: v128, w: v128): v128 {
  return add(add(h, add(k, w)), add(Sigma1(e), Ch(e, f, g)));
}

/** The new `a`: T1 + T2. Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before. */
// @ts-ignore: decorator
@inline function T1PlusT2(a: v128, b: v128, xy: v128, yz: v128, t1: v128): v128 {
  return add(add(t1, Sigma0(a)), v128.xor(b, v128.and(xy, yz)));
}

/** Returns W of the round 16 later: §6.2.2 step 1. */
// @ts-ignore: decorator
@inline function extended(w0: v128, w1: v128, w9: v128, w14: v128): v128 {
  return add(add(w0, sigma0(w1)), add(w9, sigma1(w14)));
}

/**
 * Hashes the messages of eight rows of `blockCount` blocks each, whose numbers are at `rows`, 16 bits each, and writes
 * the first `width` bytes of each digest. It must be inlined into the one function of the module: V8 may then compile
 * it without Liftoff, which counts calls.
 */
// @ts-ignore: decorator
@inline export function sha256x8(rows: usize, blockCount: u32, width: u32, base: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 2)
    store<u64>(base + (lane << 2), load<u64>(SPANS + (<usize>load<u16>(rows + lane) << 3)), TO_LANES);
  for (let word = base, end = base + 256, h = base; word < end; word += 32, h += 4) {
    const initial = v128.load32_splat(h, TO_H0);
    v128.store(word, initial, TO_STATE + 16);
    v128.store(word, initial, TO_STATE);
  }
  for (let block: u32 = 0; block < blockCount; ++block) {
    for (let half: usize = 0; half < 2; ++half)
      loadFour(
        base, base + (half << 5), base + (half << 4), block << 6, block + 2 >= blockCount, block + 1 === blockCount,
      );
    compress(base);
  }
  for (let half: usize = 0; half < 2; ++half) storeFour(base + (half << 4), rows + (half << 3), width);
}

/** Hashes one block of each of eight messages, whose words are in SCHEDULE8: §6.2.2. */
// @ts-ignore: decorator
@inline function compress(base: usize): void {
  let al = v128.load(base, TO_STATE + 0), ah = v128.load(base, TO_STATE + 16);
  let bl = v128.load(base, TO_STATE + 32), bh = v128.load(base, TO_STATE + 48);
  let cl = v128.load(base, TO_STATE + 64), ch = v128.load(base, TO_STATE + 80);
  let dl = v128.load(base, TO_STATE + 96), dh = v128.load(base, TO_STATE + 112);
  let el = v128.load(base, TO_STATE + 128), eh = v128.load(base, TO_STATE + 144);
  let fl = v128.load(base, TO_STATE + 160), fh = v128.load(base, TO_STATE + 176);
  let gl = v128.load(base, TO_STATE + 192), gh = v128.load(base, TO_STATE + 208);
  let hl = v128.load(base, TO_STATE + 224), hh = v128.load(base, TO_STATE + 240);
  let xyl: v128, xyh: v128, yzl = v128.xor(bl, cl), yzh = v128.xor(bh, ch), tl: v128, th: v128;
  let k = base + TO_K, w = base;
  for (const end = base + 1536; w < end; k += 32, w += 256) {
    tl = T1(el, fl, gl, hl, v128.load32_splat(k, 0), v128.load(w, 0));
    th = T1(eh, fh, gh, hh, v128.load32_splat(k, 0), v128.load(w, 16));
    dl = add(dl, tl); dh = add(dh, th); xyl = v128.xor(al, bl); xyh = v128.xor(ah, bh);
    hl = T1PlusT2(al, bl, xyl, yzl, tl); hh = T1PlusT2(ah, bh, xyh, yzh, th);
    tl = extended(v128.load(w, 0), v128.load(w, 32), v128.load(w, 288), v128.load(w, 448));
    th = extended(v128.load(w, 16), v128.load(w, 48), v128.load(w, 304), v128.load(w, 464));
    v128.store(w, th, 528); v128.store(w, tl, 512);
    tl = T1(dl, el, fl, gl, v128.load32_splat(k, 4), v128.load(w, 32));
    th = T1(dh, eh, fh, gh, v128.load32_splat(k, 4), v128.load(w, 48));
    cl = add(cl, tl); ch = add(ch, th); yzl = v128.xor(hl, al); yzh = v128.xor(hh, ah);
    gl = T1PlusT2(hl, al, yzl, xyl, tl); gh = T1PlusT2(hh, ah, yzh, xyh, th);
    tl = extended(v128.load(w, 32), v128.load(w, 64), v128.load(w, 320), v128.load(w, 480));
    th = extended(v128.load(w, 48), v128.load(w, 80), v128.load(w, 336), v128.load(w, 496));
    v128.store(w, th, 560); v128.store(w, tl, 544);
    tl = T1(cl, dl, el, fl, v128.load32_splat(k, 8), v128.load(w, 64));
    th = T1(ch, dh, eh, fh, v128.load32_splat(k, 8), v128.load(w, 80));
    bl = add(bl, tl); bh = add(bh, th); xyl = v128.xor(gl, hl); xyh = v128.xor(gh, hh);
    fl = T1PlusT2(gl, hl, xyl, yzl, tl); fh = T1PlusT2(gh, hh, xyh, yzh, th);
    tl = extended(v128.load(w, 64), v128.load(w, 96), v128.load(w, 352), v128.load(w, 512));
    th = extended(v128.load(w, 80), v128.load(w, 112), v128.load(w, 368), v128.load(w, 528));
    v128.store(w, th, 592); v128.store(w, tl, 576);
    tl = T1(bl, cl, dl, el, v128.load32_splat(k, 12), v128.load(w, 96));
    th = T1(bh, ch, dh, eh, v128.load32_splat(k, 12), v128.load(w, 112));
    al = add(al, tl); ah = add(ah, th); yzl = v128.xor(fl, gl); yzh = v128.xor(fh, gh);
    el = T1PlusT2(fl, gl, yzl, xyl, tl); eh = T1PlusT2(fh, gh, yzh, xyh, th);
    tl = extended(v128.load(w, 96), v128.load(w, 128), v128.load(w, 384), v128.load(w, 544));
    th = extended(v128.load(w, 112), v128.load(w, 144), v128.load(w, 400), v128.load(w, 560));
    v128.store(w, th, 624); v128.store(w, tl, 608);
    tl = T1(al, bl, cl, dl, v128.load32_splat(k, 16), v128.load(w, 128));
    th = T1(ah, bh, ch, dh, v128.load32_splat(k, 16), v128.load(w, 144));
    hl = add(hl, tl); hh = add(hh, th); xyl = v128.xor(el, fl); xyh = v128.xor(eh, fh);
    dl = T1PlusT2(el, fl, xyl, yzl, tl); dh = T1PlusT2(eh, fh, xyh, yzh, th);
    tl = extended(v128.load(w, 128), v128.load(w, 160), v128.load(w, 416), v128.load(w, 576));
    th = extended(v128.load(w, 144), v128.load(w, 176), v128.load(w, 432), v128.load(w, 592));
    v128.store(w, th, 656); v128.store(w, tl, 640);
    tl = T1(hl, al, bl, cl, v128.load32_splat(k, 20), v128.load(w, 160));
    th = T1(hh, ah, bh, ch, v128.load32_splat(k, 20), v128.load(w, 176));
    gl = add(gl, tl); gh = add(gh, th); yzl = v128.xor(dl, el); yzh = v128.xor(dh, eh);
    cl = T1PlusT2(dl, el, yzl, xyl, tl); ch = T1PlusT2(dh, eh, yzh, xyh, th);
    tl = extended(v128.load(w, 160), v128.load(w, 192), v128.load(w, 448), v128.load(w, 608));
    th = extended(v128.load(w, 176), v128.load(w, 208), v128.load(w, 464), v128.load(w, 624));
    v128.store(w, th, 688); v128.store(w, tl, 672);
    tl = T1(gl, hl, al, bl, v128.load32_splat(k, 24), v128.load(w, 192));
    th = T1(gh, hh, ah, bh, v128.load32_splat(k, 24), v128.load(w, 208));
    fl = add(fl, tl); fh = add(fh, th); xyl = v128.xor(cl, dl); xyh = v128.xor(ch, dh);
    bl = T1PlusT2(cl, dl, xyl, yzl, tl); bh = T1PlusT2(ch, dh, xyh, yzh, th);
    tl = extended(v128.load(w, 192), v128.load(w, 224), v128.load(w, 480), v128.load(w, 640));
    th = extended(v128.load(w, 208), v128.load(w, 240), v128.load(w, 496), v128.load(w, 656));
    v128.store(w, th, 720); v128.store(w, tl, 704);
    tl = T1(fl, gl, hl, al, v128.load32_splat(k, 28), v128.load(w, 224));
    th = T1(fh, gh, hh, ah, v128.load32_splat(k, 28), v128.load(w, 240));
    el = add(el, tl); eh = add(eh, th); yzl = v128.xor(bl, cl); yzh = v128.xor(bh, ch);
    al = T1PlusT2(bl, cl, yzl, xyl, tl); ah = T1PlusT2(bh, ch, yzh, xyh, th);
    tl = extended(v128.load(w, 224), v128.load(w, 256), v128.load(w, 512), v128.load(w, 672));
    th = extended(v128.load(w, 240), v128.load(w, 272), v128.load(w, 528), v128.load(w, 688));
    v128.store(w, th, 752); v128.store(w, tl, 736);
  }
  for (const end = base + 2048; w < end; k += 32, w += 256) {
    tl = T1(el, fl, gl, hl, v128.load32_splat(k, 0), v128.load(w, 0));
    th = T1(eh, fh, gh, hh, v128.load32_splat(k, 0), v128.load(w, 16));
    dl = add(dl, tl); dh = add(dh, th); xyl = v128.xor(al, bl); xyh = v128.xor(ah, bh);
    hl = T1PlusT2(al, bl, xyl, yzl, tl); hh = T1PlusT2(ah, bh, xyh, yzh, th);
    tl = T1(dl, el, fl, gl, v128.load32_splat(k, 4), v128.load(w, 32));
    th = T1(dh, eh, fh, gh, v128.load32_splat(k, 4), v128.load(w, 48));
    cl = add(cl, tl); ch = add(ch, th); yzl = v128.xor(hl, al); yzh = v128.xor(hh, ah);
    gl = T1PlusT2(hl, al, yzl, xyl, tl); gh = T1PlusT2(hh, ah, yzh, xyh, th);
    tl = T1(cl, dl, el, fl, v128.load32_splat(k, 8), v128.load(w, 64));
    th = T1(ch, dh, eh, fh, v128.load32_splat(k, 8), v128.load(w, 80));
    bl = add(bl, tl); bh = add(bh, th); xyl = v128.xor(gl, hl); xyh = v128.xor(gh, hh);
    fl = T1PlusT2(gl, hl, xyl, yzl, tl); fh = T1PlusT2(gh, hh, xyh, yzh, th);
    tl = T1(bl, cl, dl, el, v128.load32_splat(k, 12), v128.load(w, 96));
    th = T1(bh, ch, dh, eh, v128.load32_splat(k, 12), v128.load(w, 112));
    al = add(al, tl); ah = add(ah, th); yzl = v128.xor(fl, gl); yzh = v128.xor(fh, gh);
    el = T1PlusT2(fl, gl, yzl, xyl, tl); eh = T1PlusT2(fh, gh, yzh, xyh, th);
    tl = T1(al, bl, cl, dl, v128.load32_splat(k, 16), v128.load(w, 128));
    th = T1(ah, bh, ch, dh, v128.load32_splat(k, 16), v128.load(w, 144));
    hl = add(hl, tl); hh = add(hh, th); xyl = v128.xor(el, fl); xyh = v128.xor(eh, fh);
    dl = T1PlusT2(el, fl, xyl, yzl, tl); dh = T1PlusT2(eh, fh, xyh, yzh, th);
    tl = T1(hl, al, bl, cl, v128.load32_splat(k, 20), v128.load(w, 160));
    th = T1(hh, ah, bh, ch, v128.load32_splat(k, 20), v128.load(w, 176));
    gl = add(gl, tl); gh = add(gh, th); yzl = v128.xor(dl, el); yzh = v128.xor(dh, eh);
    cl = T1PlusT2(dl, el, yzl, xyl, tl); ch = T1PlusT2(dh, eh, yzh, xyh, th);
    tl = T1(gl, hl, al, bl, v128.load32_splat(k, 24), v128.load(w, 192));
    th = T1(gh, hh, ah, bh, v128.load32_splat(k, 24), v128.load(w, 208));
    fl = add(fl, tl); fh = add(fh, th); xyl = v128.xor(cl, dl); xyh = v128.xor(ch, dh);
    bl = T1PlusT2(cl, dl, xyl, yzl, tl); bh = T1PlusT2(ch, dh, xyh, yzh, th);
    tl = T1(fl, gl, hl, al, v128.load32_splat(k, 28), v128.load(w, 224));
    th = T1(fh, gh, hh, ah, v128.load32_splat(k, 28), v128.load(w, 240));
    el = add(el, tl); eh = add(eh, th); yzl = v128.xor(bl, cl); yzh = v128.xor(bh, ch);
    al = T1PlusT2(bl, cl, yzl, xyl, tl); ah = T1PlusT2(bh, ch, yzh, xyh, th);
  }
  al = add(v128.load(base, TO_STATE + 0), al); ah = add(v128.load(base, TO_STATE + 16), ah);
  bl = add(v128.load(base, TO_STATE + 32), bl); bh = add(v128.load(base, TO_STATE + 48), bh);
  cl = add(v128.load(base, TO_STATE + 64), cl); ch = add(v128.load(base, TO_STATE + 80), ch);
  dl = add(v128.load(base, TO_STATE + 96), dl); dh = add(v128.load(base, TO_STATE + 112), dh);
  el = add(v128.load(base, TO_STATE + 128), el); eh = add(v128.load(base, TO_STATE + 144), eh);
  fl = add(v128.load(base, TO_STATE + 160), fl); fh = add(v128.load(base, TO_STATE + 176), fh);
  gl = add(v128.load(base, TO_STATE + 192), gl); gh = add(v128.load(base, TO_STATE + 208), gh);
  hl = add(v128.load(base, TO_STATE + 224), hl); hh = add(v128.load(base, TO_STATE + 240), hh);
  v128.store(base, ah, TO_STATE + 16); v128.store(base, al, TO_STATE + 0);
  v128.store(base, bh, TO_STATE + 48); v128.store(base, bl, TO_STATE + 32);
  v128.store(base, ch, TO_STATE + 80); v128.store(base, cl, TO_STATE + 64);
  v128.store(base, dh, TO_STATE + 112); v128.store(base, dl, TO_STATE + 96);
  v128.store(base, eh, TO_STATE + 144); v128.store(base, el, TO_STATE + 128);
  v128.store(base, fh, TO_STATE + 176); v128.store(base, fl, TO_STATE + 160);
  v128.store(base, gh, TO_STATE + 208); v128.store(base, gl, TO_STATE + 192);
  v128.store(base, hh, TO_STATE + 240); v128.store(base, hl, TO_STATE + 224);
}

/** Stores W[0] to W[15] of one block of four messages, whose spans are at `lanes`. */
// @ts-ignore: decorator
@inline function loadFour(
  base: usize, lanes: usize, schedule: usize, offset: u32, isPadded: bool, isLast: bool,
): void {
  const message0: usize = load<u32>(lanes, TO_LANES) + offset, message1: usize = load<u32>(lanes, TO_LANES + 8) + offset;
  const message2: usize = load<u32>(lanes, TO_LANES + 16) + offset;
  const message3: usize = load<u32>(lanes, TO_LANES + 24) + offset;
  const end0 = base - keptOf(load<u32>(lanes, TO_LANES + 4), offset);
  const end1 = base - keptOf(load<u32>(lanes, TO_LANES + 12), offset);
  const end2 = base - keptOf(load<u32>(lanes, TO_LANES + 20), offset);
  const end3 = base - keptOf(load<u32>(lanes, TO_LANES + 28), offset);
  let to = schedule;
  for (let at: usize = 0; at < 64; at += 16, to += 128) {
    let x0 = v128.load(message0 + at), x1 = v128.load(message1 + at);
    let x2 = v128.load(message2 + at), x3 = v128.load(message3 + at);
    if (isPadded) {
      x0 = padded(x0, end0 + at); x1 = padded(x1, end1 + at); x2 = padded(x2, end2 + at); x3 = padded(x3, end3 + at);
    }
    transpose(to, x0, x1, x2, x3);
  }
  if (isLast) {
    // W[14] and W[15]: the messages' lengths in bits
    const lengths = v128.shuffle<u32>(v128.load(lanes, TO_LANES), v128.load(lanes, TO_LANES + 16), 1, 3, 5, 7);
    v128.store(schedule, i32x4.shr_u(lengths, 29), 448);
    v128.store(schedule, i32x4.shl(lengths, 3), 480);
  }
}

/** Returns how many bytes of the block at `offset` are the message's: 0 to 64, or -1 after the byte that ends it. */
// @ts-ignore: decorator
@inline function keptOf(length: u32, offset: u32): usize {
  return <usize>max<i32>(-1, min<i32>(64, <i32>(length - offset)));
}

/** Returns 16 bytes of a padded message (§5.1.1), `fromEnd` - `base` bytes from its end: before it if negative. */
// @ts-ignore: decorator
@inline function padded(bytes: v128, fromEnd: usize): v128 {
  return v128.or(v128.and(bytes, v128.load(fromEnd, TO_KEEP + 64)), v128.load(fromEnd, TO_MARK + 64));
}

/** Turns four rows of four words into four columns, each word's bytes reversed (§3.1), 32 bytes apart. */
// @ts-ignore: decorator
@inline function transpose(to: usize, x0: v128, x1: v128, x2: v128, x3: v128): void {
  const low01 = v128.shuffle<u32>(x0, x1, 0, 4, 1, 5);
  const low23 = v128.shuffle<u32>(x2, x3, 0, 4, 1, 5);
  const high01 = v128.shuffle<u32>(x0, x1, 2, 6, 3, 7);
  const high23 = v128.shuffle<u32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, swapBytes(v128.shuffle<u64>(low01, low23, 0, 2)));
  v128.store(to, swapBytes(v128.shuffle<u64>(low01, low23, 1, 3)), 32);
  v128.store(to, swapBytes(v128.shuffle<u64>(high01, high23, 0, 2)), 64);
  v128.store(to, swapBytes(v128.shuffle<u64>(high01, high23, 1, 3)), 96);
}

/** Writes the digests of four messages; `half` is SCHEDULE8, of which the first half is free, or 16 bytes after it. */
// @ts-ignore: decorator
@inline function storeFour(half: usize, rows: usize, width: u32): void {
  for (let words = half, kept: u32 = 0; kept < width; words += 128, kept += 16) {
    const x0 = v128.load(words, TO_STATE), x1 = v128.load(words, TO_STATE + 32);
    transpose(words, x0, x1, v128.load(words, TO_STATE + 64), v128.load(words, TO_STATE + 96));
  }
  let words = half;
  for (let lane: usize = 0; lane < 8; lane += 2, words += 32) {
    const digest: usize = DIGESTS + <usize>load<u16>(rows + lane) * width;
    if (width == 8) { store<u64>(digest, load<u64>(words)); continue; }
    v128.store(digest, v128.load(words));
    if (width == 32) v128.store(digest, v128.load(words, 128), 16);
  }
}
