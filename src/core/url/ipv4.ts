import { codeAt, FULL_STOP, hexDigitValue, isAsciiDigit } from '../bytes/code-points.ts';
import { type Failure, failure } from './failure.ts';

/**
 * Whether the last part is a number, so that the whole host must be an IPv4 address.
 * https://url.spec.whatwg.org/#ends-in-a-number-checker
 */
export function endsInNumber(host: string): boolean {
  const end = endWithoutFinalDot(host);
  const start = host.lastIndexOf('.', end - 1) + 1;
  return isAsciiDigit(codeAt(host, start)) && NUMBER.test(host.slice(start, end));
}

/** Octal numbers are among the decimal ones. */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/i;

/** Returns the address as an unsigned 32-bit number. https://url.spec.whatwg.org/#concept-ipv4-parser */
export function parseIpv4(host: string): number | Failure {
  const end = endWithoutFinalDot(host);
  let address = 0;
  let start = 0;
  for (let remaining = 4; remaining > 0; remaining--) {
    const dot = host.indexOf('.', start);
    const stop = dot === -1 || dot >= end ? end : dot;
    const number = parseNumber(host, start, stop);
    if (number === undefined) return failure('IPv4-non-numeric-part');
    // a part is one byte, and the last fills all the bytes that remain
    const limit = stop === end ? 256 ** remaining : 256;
    if (number >= limit) return failure('IPv4-out-of-range-part');
    address = address * limit + number;
    if (stop === end) return address;
    start = stop + 1;
  }
  return failure('IPv4-too-many-parts');
}

function endWithoutFinalDot(host: string): number {
  return codeAt(host, host.length - 1) === FULL_STOP ? host.length - 1 : host.length;
}

/** Parses decimal, 0 octal or 0x hex; a bare `0x` is zero. https://url.spec.whatwg.org/#ipv4-number-parser */
function parseNumber(host: string, start: number, end: number): number | undefined {
  if (start >= end) return undefined;
  const isHex = codeAt(host, start) === 0x30 && start + 1 < end && (codeAt(host, start + 1) | 0x20) === 0x78;
  const isOctal = !isHex && codeAt(host, start) === 0x30;
  const radix = isHex ? 16 : isOctal ? 8 : 10;
  let number = 0;
  for (let at = isHex ? start + 2 : start; at < end; at++) {
    const digit = hexDigitValue(host.charCodeAt(at));
    if (digit === -1 || digit >= radix) return undefined;
    number = number * radix + digit;
  }
  return number;
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
export function serializeIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 0xff}.${(address >>> 8) & 0xff}.${address & 0xff}`;
}
