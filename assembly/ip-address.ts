// IP addresses in their serialized form, where a host is one in another spelling.

import { COLON, FULL_STOP, hexValue, LEFT_BRACKET, RIGHT_BRACKET } from './bytes';

/**
 * Writes the IPv4 address that a host spells, in lower case, over it, and returns the end; 0 for any other host, and for
 * a number out of range. https://url.spec.whatwg.org/#concept-ipv4-parser
 */
export function writeIpv4(host: usize, end: usize): usize {
  const last = end - <usize>(load<u8>(end - 1) == FULL_STOP);
  let address: u64 = 0;
  let at = host;
  for (let room: u32 = 32; room > 0; room -= 8, ++at) {
    const start = at;
    let radix: u32 = 10;
    if (load<u8>(at) == 0x30) {
      const isHex = at + 1 < last && load<u8>(at, 1) == 0x78;
      radix = isHex ? 16 : 8;
      at += isHex ? 2 : 0;
    }
    let number: u64 = 0;
    for (; at < last && load<u8>(at) != FULL_STOP; ++at) {
      const digit = hexValue(load<u8>(at));
      number = number * radix + digit;
      if (digit >= radix || number > 0xffffffff) return 0;
    }
    if (at == start) return 0;
    // a part is one byte, and the last fills all the bytes that remain
    const bits: u32 = at == last ? room : 8;
    if (number >> bits != 0) return 0;
    address = (address << bits) | number;
    if (at == last) return writeParts(<u32>address, host);
  }
  return 0;
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
function writeParts(address: u32, to: usize): usize {
  for (let shift: u32 = 32; shift > 0; ) {
    shift -= 8;
    const part = (address >> shift) & 0xff;
    if (part > 99) store<u8>(to++, 0x30 + part / 100);
    if (part > 9) store<u8>(to++, 0x30 + ((part / 10) % 10));
    store<u8>(to++, 0x30 + (part % 10));
    if (shift > 0) store<u8>(to++, FULL_STOP);
  }
  return to;
}

/** Returns the address after the bracket that closes a host of hex digits and colons, or 0. */
export function ipv6End(host: usize, end: usize): usize {
  if (host >= end || load<u8>(host) != LEFT_BRACKET) return 0;
  let at = host + 1;
  while (at < end && (load<u8>(at) == COLON || hexValue(load<u8>(at)) < 16)) ++at;
  return at < end && load<u8>(at) == RIGHT_BRACKET ? at + 1 : 0;
}

/** Eight 16-bit pieces. */
const PIECES: usize = memory.data(16);

/**
 * Writes the IPv6 address [at, end), which is hex digits and colons, in brackets, and returns the end; 0 for any other
 * text. https://url.spec.whatwg.org/#concept-ipv6-parser
 */
export function writeIpv6(at: usize, end: usize, to: usize): usize {
  let count: u32 = 0, compress: u32 = 0; // the piece after `::`, or 0
  if (at < end && load<u8>(at) == COLON) {
    if (at + 1 == end || load<u8>(at, 1) != COLON) return 0;
    at += 2;
    compress = ++count;
  }
  while (at < end) {
    if (count == 8) return 0;
    if (load<u8>(at) == COLON) {
      if (compress != 0) return 0;
      compress = ++count;
      ++at;
      continue;
    }
    let piece: u32 = 0;
    const limit = at + 4;
    for (; at < end && at < limit && load<u8>(at) != COLON; ++at) piece = (piece << 4) | hexValue(load<u8>(at));
    if (at < end && (load<u8>(at) != COLON || ++at == end)) return 0;
    store<u16>(PIECES + (count++ << 1), piece);
  }
  if (compress == 0) return count == 8 ? writePieces(to) : 0;
  let free: u32 = 8;
  while (count > compress) store<u16>(PIECES + (--free << 1), load<u16>(PIECES + (--count << 1)));
  while (free >= compress) store<u16>(PIECES + (--free << 1), 0);
  return writePieces(to);
}

// https://url.spec.whatwg.org/#concept-ipv6-serializer
function writePieces(to: usize): usize {
  // a bit for each piece that begins so many zeros, until there are none
  let starts: u32 = 0, zeroCount: u32 = 0;
  for (let zeros: u32 = i16x8.bitmask(i16x8.eq(v128.load(PIECES), i16x8.splat(0))); zeros != 0; ++zeroCount) {
    starts = zeros;
    zeros &= zeros >> 1;
  }
  const isCompressed = zeroCount > 1, longest: u32 = ctz(starts), longestEnd = longest + zeroCount;
  store<u8>(to++, LEFT_BRACKET);
  for (let index: u32 = 0; index < 8; ++index) {
    if (isCompressed && index == longest) {
      store<u16>(to, 0x3a3a);
      to += 2;
      index = longestEnd - 1;
      continue;
    }
    if (index > 0 && !(isCompressed && index == longestEnd)) store<u8>(to++, COLON);
    to = writeHex(load<u16>(PIECES + (index << 1)), to);
  }
  store<u8>(to++, RIGHT_BRACKET);
  return to;
}

/** Writes a piece in hex digits, in lower case and without leading zeros. */
function writeHex(piece: u32, to: usize): usize {
  for (let shift: i32 = piece > 0xfff ? 12 : piece > 0xff ? 8 : piece > 0xf ? 4 : 0; shift >= 0; shift -= 4) {
    const digit = (piece >> shift) & 15;
    store<u8>(to++, digit + (digit < 10 ? 0x30 : 0x57));
  }
  return to;
}
