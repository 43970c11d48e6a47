import { FULL_STOP, hexDigitValue, isAsciiDigit } from '../bytes/code-points.ts';
import { positionOf } from './bytes.ts';

/**
 * The address that bytes [start, end) spell, as an unsigned 32-bit number, or -1: "any legal IP-address
 * encoding, including octal, hex, and fewer than four components", which is inet_aton's syntax. A part out
 * of range makes it a host name. (The URL Standard rejects such a host, and reads a bare `0x` as zero.)
 */
export function parseIpv4(bytes: Uint8Array, start: number, end: number): number {
  let address = 0;
  let at = start;
  for (let remaining = 4; remaining > 0; remaining--) {
    const stop = positionOf(FULL_STOP, bytes, at, end);
    const part = parsePart(bytes, at, stop);
    // a part is one byte, and the last fills all the bytes that remain
    const limit = stop === end ? 256 ** remaining : 256;
    if (part === -1 || part >= limit) return -1;
    address = address * limit + part;
    if (stop === end) return address;
    at = stop + 1;
  }
  return -1;
}

/** Decimal, 0 octal or 0x hex; -1 where it is neither. Too large a number loses digits, not its size. */
function parsePart(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || !isAsciiDigit(bytes[start]!)) return -1;
  const isZeroFirst = bytes[start] === 0x30 && end - start > 1;
  const isHex = isZeroFirst && (bytes[start + 1]! | 0x20) === 0x78;
  if (isHex && end - start === 2) return -1;
  const radix = isHex ? 16 : isZeroFirst ? 8 : 10;
  let number = 0;
  for (let at = isHex ? start + 2 : start; at < end; at++) {
    const digit = hexDigitValue(bytes[at]!);
    if (digit === -1 || digit >= radix) return -1;
    number = number * radix + digit;
  }
  return number;
}
