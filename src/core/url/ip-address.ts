import { COLON, codeAt, FULL_STOP, hexDigitValue, isAsciiDigit } from '../bytes/code-points.ts';
import { Failure, failure } from './failure.ts';

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

/** Eight 16-bit pieces. */
export type Ipv6Address = Uint16Array<ArrayBuffer>;

/** Parses the address between the brackets. https://url.spec.whatwg.org/#concept-ipv6-parser */
export function parseIpv6(input: string): Ipv6Address | Failure {
  const address: Ipv6Address = new Uint16Array(8);
  let pieceIndex = 0;
  let compress = -1;
  let pointer = 0;

  if (codeAt(input, 0) === COLON) {
    if (codeAt(input, 1) !== COLON) return failure('IPv6-invalid-compression');
    pointer = 2;
    compress = ++pieceIndex;
  }

  while (pointer < input.length) {
    if (pieceIndex === 8) return failure('IPv6-too-many-pieces');
    if (codeAt(input, pointer) === COLON) {
      if (compress !== -1) return failure('IPv6-multiple-compression');
      pointer++;
      compress = ++pieceIndex;
      continue;
    }

    const start = pointer;
    let value = 0;
    for (let digit; pointer - start < 4 && (digit = hexDigitValue(codeAt(input, pointer))) !== -1; pointer++) {
      value = (value << 4) | digit;
    }

    if (codeAt(input, pointer) === FULL_STOP) {
      if (pointer === start) return failure('IPv4-in-IPv6-invalid-code-point');
      if (pieceIndex > 6) return failure('IPv4-in-IPv6-too-many-pieces');
      const embedded = parseEmbeddedIpv4(input.slice(start));
      if (embedded instanceof Failure) return embedded;
      address[pieceIndex++] = embedded >>> 16;
      address[pieceIndex++] = embedded & 0xffff;
      break;
    }
    if (pointer < input.length) {
      if (codeAt(input, pointer) !== COLON || ++pointer === input.length) return failure('IPv6-invalid-code-point');
    }
    address[pieceIndex++] = value;
  }

  if (compress === -1) return pieceIndex === 8 ? address : failure('IPv6-too-few-pieces');
  return expand(address, compress, pieceIndex);
}

/** Parses the four decimal parts that end an IPv6 address to one number: the "." branch of the parser. */
function parseEmbeddedIpv4(text: string): number | Failure {
  const parts = text.split('.', 5);
  let address = 0;
  for (const [index, part] of parts.entries()) {
    const [digits] = /^(?:0|[1-9]\d*|)/.exec(part)!;
    if (index === 4 || digits === '') return failure('IPv4-in-IPv6-invalid-code-point');
    if (Number(digits) > 255) return failure('IPv4-in-IPv6-out-of-range-part');
    if (digits !== part) return failure('IPv4-in-IPv6-invalid-code-point');
    address = address * 256 + Number(digits);
  }
  return parts.length === 4 ? address : failure('IPv4-in-IPv6-too-few-parts');
}

/** Moves the pieces after `::` to the end of the address. */
function expand(address: Ipv6Address, compress: number, pieceIndex: number): Ipv6Address {
  const moved = pieceIndex - compress;
  address.copyWithin(8 - moved, compress, pieceIndex);
  address.fill(0, compress, 8 - moved);
  return address;
}

/** Serializes without brackets. https://url.spec.whatwg.org/#concept-ipv6-serializer */
export function serializeIpv6(address: ArrayLike<number>): string {
  const [start, end] = longestZeroRun(address);
  const pieces = Array.from(address, (piece) => piece.toString(16));
  if (start === end) return pieces.join(':');
  return `${pieces.slice(0, start).join(':')}::${pieces.slice(end).join(':')}`;
}

/**
 * Returns the first longest run of two or more zero pieces, [start, end).
 * https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index
 */
function longestZeroRun(address: ArrayLike<number>): readonly [start: number, end: number] {
  let longest: readonly [number, number] = [0, 0];
  let start = 0;
  for (let index = 0; index < 8; index++) {
    if (address[index] !== 0) start = index + 1;
    else if (index + 1 - start > Math.max(1, longest[1] - longest[0])) longest = [start, index + 1];
  }
  return longest;
}
