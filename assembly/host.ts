// Hosts that no host parser changes, but for upper case.

import { outside, ROW_BIT } from './byte-set';
import { FULL_STOP, isDigit, isLetter } from './bytes';

/** a-z 0-9 - . _ in the form of byte-set.ts */
export const HOST: usize = memory.data<u8>([
  0x88, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc8, 0xc0, 0x40, 0x40, 0x44, 0x44, 0x60,
]);

/** Copies letters, in lower case, digits and `-._`, and up to 16 bytes more; returns where they end. */
export function copyHost(host: usize, end: usize, to: usize): usize {
  const rows = v128.load(HOST), rowBit = v128.load(ROW_BIT);
  for (let at = host; at < end; at += 16, to += 16) {
    const bytes = v128.load(at);
    const isUpper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
    const lower = v128.or(bytes, v128.and(isUpper, i8x16.splat(0x20)));
    v128.store(to, lower);
    const others: u32 = i8x16.bitmask(outside(lower, rows, rowBit));
    if (others != 0) return min(at + <usize>ctz(others), end);
  }
  return end;
}

/** Whether a host is a domain not ending in a number, or a serialized IPv4 address: no host parser changes it. */
export function isHostName(host: usize, end: usize): bool {
  return lastLabelIsName(host, end) || isIpv4(host, end);
}

/**
 * Whether the last label is surely not a number, so that the host is not an IPv4 address
 * (https://url.spec.whatwg.org/#ends-in-a-number-checker): it begins with a letter, or its last byte is above 'f' and not
 * 'x', as numbers end in a digit, 'a' to 'f' or 'x'. That byte, and a label of two bytes, decide at once.
 */
// @ts-ignore: decorator
@inline export function lastLabelIsName(host: usize, end: usize): bool {
  const last: u32 = load<u8>(end - 1);
  const isWord = <u32>(last > 0x66) & <u32>(last != 0x78);
  const isPair = <u32>(load<u8>(end - 3) == FULL_STOP) & <u32>isLetter(load<u8>(end - 2)) & <u32>(end - host > 2);
  return (isWord | isPair) != 0 || labelIsName(host, end);
}

function labelIsName(host: usize, end: usize): bool {
  let label = end - 1;
  while (label > host && load<u8>(label - 1) != FULL_STOP) --label;
  return isLetter(load<u8>(label));
}

/** Whether a host is four decimal numbers up to 255 without leading zeros, as an IPv4 address is serialized. */
export function isIpv4(host: usize, end: usize): bool {
  let start = host;
  let number: u32 = 0, parts: u32 = 1;
  for (let at = host; at < end; ++at) {
    const byte: u32 = load<u8>(at);
    if (byte == FULL_STOP) {
      if (at == start) return false;
      start = at + 1;
      number = 0;
      ++parts;
    } else {
      if (!isDigit(byte) || (at > start && number == 0)) return false;
      number = number * 10 + byte - 0x30;
      if (number > 255) return false;
    }
  }
  return parts == 4 && start < end;
}
