// The expressions of a canonical form, in the page's order: host by host, from the whole one to the shortest.

import { FULL_STOP, SLASH } from '../bytes';
import { isIpv4, lastLabelIsName } from '../host';
import { SPANS } from '../layout';
import { HOST_BYTES, HOST_SUFFIX_LIMIT, PATH_ENDS, PATH_PREFIX_LIMIT, SPAN_COUNT } from './layout';
import { lastLabel, suffixStart } from './suffixes';

/**
 * Returns a bit for each dot of a host, the first byte in the lowest bit; not for all dots of a host longer than
 * HOST_BYTES.
 */
// @ts-ignore: decorator
@inline export function dotsOf(host: usize, end: usize): u64 { return bitsOf(FULL_STOP, host, end); }

/** Whether [host, end) is non-empty labels that form a name or a serialized IPv4 address, up to HOST_BYTES. */
// @ts-ignore: decorator
@inline export function isHost(host: usize, end: usize, dots: u64): bool {
  if (end == host || end - host > HOST_BYTES) return false;
  const first: u64 = 1, last: u64 = first << (end - host - 1);
  if ((dots & ((dots << 1) | first | last)) != 0) return false;
  return lastLabelIsName(host, end) || isIpv4(host, end);
}

/** Adds the expressions of a URL whose host passed `isHost`, all of which are within [host, urlEnd). */
export function addExpressions(
  host: usize, hostEnd: usize, dots: u64, pathEnd: usize, urlEnd: usize, sections: u32,
): void {
  const pathEnds = setPathEnds(hostEnd, pathEnd, urlEnd);
  let to = addHost(host, pathEnds, SPANS + (<usize>load<u32>(SPAN_COUNT) << 3));
  if (dots != 0 && lastLabelIsName(host, hostEnd)) {
    const suffix = sections == 0 ? lastLabel(dots) : suffixStart(host, <u32>(hostEnd - host), dots, sections);
    // the dots before the suffix's own: a host begins after each, the shortest after the last
    let starts = suffix == 0 ? 0 : dots & (((<u64>1) << (suffix - 1)) - 1);
    while (popcnt(starts) > HOST_SUFFIX_LIMIT) starts &= starts - 1;
    for (; starts != 0; starts &= starts - 1) to = addHost(host + <usize>ctz(starts) + 1, pathEnds, to);
  }
  store<u32>(SPAN_COUNT, (to - SPANS) >> 3);
}

/** Adds an expression from `start` to each of PATH_ENDS. Returns where the next goes. */
// @ts-ignore: decorator
@inline function addHost(start: usize, pathEnds: usize, to: usize): usize {
  for (let at: usize = PATH_ENDS; at < pathEnds; at += 4, to += 8) {
    store<u32>(to, start);
    store<u32>(to, load<u32>(at) - <u32>start, 4);
  }
  return to;
}

/** Sets PATH_ENDS: the path with its query unless empty, without it, and its prefixes up to the first four slashes. */
function setPathEnds(hostEnd: usize, pathEnd: usize, urlEnd: usize): usize {
  let to: usize = PATH_ENDS;
  store<u32>(to, urlEnd);
  to += <usize>(urlEnd > pathEnd + 1) << 2; // a lone '?' makes no expression
  store<u32>(to, pathEnd);
  const end = (to += 4) + (PATH_PREFIX_LIMIT << 2);
  for (let at = hostEnd; at < pathEnd - 1; at += 64) {
    for (let slashes = bitsOf(SLASH, at, pathEnd - 1); slashes != 0; slashes &= slashes - 1, to += 4) {
      if (to == end) return to;
      store<u32>(to, at + <usize>ctz(slashes) + 1);
    }
  }
  return to;
}

/** Returns which of up to 64 bytes in [at, end) are `byte`, the first in the lowest bit. */
// @ts-ignore: decorator
@inline function bitsOf(byte: u32, at: usize, end: usize): u64 {
  const bytes = i8x16.splat(<i8>byte);
  let bits = bits16(at, bytes) | (bits16(at + 16, bytes) << 16);
  if (end - at > 32) bits |= (bits16(at + 32, bytes) << 32) | (bits16(at + 48, bytes) << 48);
  return end - at < 64 ? bits & (((<u64>1) << (end - at)) - 1) : bits;
}

// @ts-ignore: decorator
@inline function bits16(at: usize, bytes: v128): u64 { return <u64>i8x16.bitmask(i8x16.eq(v128.load(at), bytes)); }
