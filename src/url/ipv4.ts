import { codeAt, FULL_STOP, isAsciiDigit } from '../bytes/code-points.ts';
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
  const parts = host.slice(0, endWithoutFinalDot(host)).split('.', 5);
  let address = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 4) return failure('IPv4-too-many-parts');
    const number = parseNumber(part);
    if (Number.isNaN(number)) return failure('IPv4-non-numeric-part');
    // a part is one byte, and the last fills all the bytes that remain
    const limit = index === parts.length - 1 ? 256 ** (4 - index) : 256;
    if (number >= limit) return failure('IPv4-out-of-range-part');
    address = address * limit + number;
  }
  return address;
}

function endWithoutFinalDot(host: string): number {
  return codeAt(host, host.length - 1) === FULL_STOP ? host.length - 1 : host.length;
}

/** Parses decimal, 0 octal or 0x hex; a bare `0x` is zero. https://url.spec.whatwg.org/#ipv4-number-parser */
function parseNumber(part: string): number {
  if (/^0x[\da-f]*$/i.test(part)) return Number(`0x0${part.slice(2)}`);
  if (/^0[0-7]*$/.test(part)) return Number(`0o${part}`);
  return /^[1-9]\d*$/.test(part) ? Number(part) : Number.NaN;
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
export function serializeIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 0xff}.${(address >>> 8) & 0xff}.${address & 0xff}`;
}
