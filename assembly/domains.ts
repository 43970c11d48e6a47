// The memory of domains beyond ASCII. Their ASCII forms come from letters.ts, or from JavaScript at the first sight of a
// domain that needs the tables of UTS #46; from then on the kernel rewrites the lines that have it.

import { copyHost } from './host';
import {
  ASCII_DOMAIN_LIMIT, DOMAIN_BYTES, DOMAIN_HEADS as HEADS, DOMAIN_SLOTS, DOMAINS, UNICODE_VERSION,
} from './layout';

/** Eight slots, one of which a domain may be in: a look-up takes no longer, whoever chose the domains. */
const BUCKET: u32 = 8;

/** The place in its bucket of the next domain that is replaced. */
let replaced: u32 = 0;

// A slot has a byte, the length of the ASCII form, then the domain and that form. Its head, apart from it so that one
// look sees a bucket, has the domain's length, the version of Unicode and bits of its hash; of an empty slot it is 0. A
// domain that only the parser can judge has an ASCII form of no bytes.

/** Writes the ASCII form of the domain [at, end) and returns its end: `to` if only the parser can judge, 0 if it is unknown. */
export function copyKnownDomain(at: usize, end: usize, to: usize): usize {
  const hash = hashOf(at, end), head = headOf(end - at, hash);
  for (let slot = bucketOf(hash), last = slot + BUCKET; slot < last; ++slot) {
    if (load<u32>(HEADS + (slot << 2)) != head || !isEqual(domainIn(slot), at, end)) continue;
    const ascii = domainIn(slot) + (end - at), length: usize = load<u8>(domainIn(slot) - 1);
    for (let next: usize = 0; next < length; next += 8) store<u64>(to + next, load<u64>(ascii + next));
    return to + length;
  }
  return 0;
}

/** Adds a domain and its ASCII form, in the version of Unicode that memory names. */
export function addDomain(at: usize, end: usize, ascii: usize, asciiEnd: usize): void {
  const hash = hashOf(at, end), slot = freeSlot(bucketOf(hash)), domain = domainIn(slot);
  memory.copy(domain, at, end - at);
  const isHost = asciiEnd - ascii <= ASCII_DOMAIN_LIMIT && copyHost(ascii, asciiEnd, domain + (end - at)) == asciiEnd;
  store<u8>(domain - 1, isHost ? <u8>(asciiEnd - ascii) : 0);
  store<u32>(HEADS + (slot << 2), headOf(end - at, hash));
}

function freeSlot(bucket: u32): u32 {
  for (let slot = bucket, last = slot + BUCKET; slot < last; ++slot) if (load<u32>(HEADS + (slot << 2)) == 0) return slot;
  return bucket + (replaced++ & (BUCKET - 1));
}

// @ts-ignore: decorator
@inline function bucketOf(hash: u32): u32 { return hash & (DOMAIN_SLOTS - BUCKET); }
// @ts-ignore: decorator
@inline function domainIn(slot: u32): usize { return DOMAINS + slot * DOMAIN_BYTES + 1; }
// @ts-ignore: decorator
@inline function headOf(length: usize, hash: u32): u32 { return <u32>length | (load<u32>(UNICODE_VERSION) << 8) | (hash & 0xffff0000); }

function isEqual(known: usize, at: usize, end: usize): bool {
  for (; at + 8 <= end; at += 8, known += 8) if (load<u64>(at) != load<u64>(known)) return false;
  return lastBytes(at, end) == lastBytes(known, known + (end - at));
}

function hashOf(at: usize, end: usize): u32 {
  let hash: u64 = 0;
  for (; at + 8 <= end; at += 8) hash = mixed(hash ^ load<u64>(at));
  return <u32>mixed(hash ^ lastBytes(at, end));
}

/** Multiplies by 2^64 / the golden ratio, and moves the upper bits, which depend on all others, down. */
// @ts-ignore: decorator
@inline function mixed(hash: u64): u64 { return (hash * 0x9e3779b97f4a7c15) ^ ((hash * 0x9e3779b97f4a7c15) >> 32); }

/** Returns up to seven bytes as a number. */
// @ts-ignore: decorator
@inline function lastBytes(at: usize, end: usize): u64 { return load<u64>(at) & ((<u64>1 << (<u64>(end - at) << 3)) - 1); }
