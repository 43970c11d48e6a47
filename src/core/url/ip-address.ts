import { COLON, codeAt, FULL_STOP, hexDigitValue, isAsciiDigit } from '../bytes/code-points.ts';
import { UrlRecord } from './record.ts';

/**
 * Whether the last part is a number, so that the whole host must be an IPv4 address.
 * https://url.spec.whatwg.org/#ends-in-a-number-checker
 */
export function endsInNumber(host: string): bool {
  const end = endWithoutFinalDot(host);
  const start = host.lastIndexOf('.', end - 1) + 1;
  if (start === end || !isAsciiDigit(codeAt(host, start))) return false;
  return areDigits(host, start, end) || (isHex(host, start, end) && parseNumber(host, start, end) >= 0);
}

function areDigits(host: string, start: i32, end: i32): bool {
  for (let at = start; at < end; at++) if (!isAsciiDigit(host.charCodeAt(at))) return false;
  return true;
}

/** Returns the address as an unsigned 32-bit number, or -1. https://url.spec.whatwg.org/#concept-ipv4-parser */
export function parseIpv4(host: string, url: UrlRecord): f64 {
  const end = endWithoutFinalDot(host);
  let address: f64 = 0;
  let room: f64 = 0x100000000;
  let start = 0;
  for (let part = 1; part <= 4; part++) {
    const dot = host.indexOf('.', start);
    const stop = dot === -1 || dot >= end ? end : dot;
    const value = parseNumber(host, start, stop);
    if (value < 0) return failNumber(url, 'IPv4-non-numeric-part');
    // a part is one byte, and the last fills all the bytes that remain
    const limit: f64 = stop === end ? room : 256;
    if (value >= limit) return failNumber(url, 'IPv4-out-of-range-part');
    address = address * limit + value;
    if (stop === end) return address;
    room /= 256;
    start = stop + 1;
  }
  return failNumber(url, 'IPv4-too-many-parts');
}

function failNumber(url: UrlRecord, reason: string): f64 {
  url.fail(reason);
  return -1;
}

function endWithoutFinalDot(host: string): i32 {
  return codeAt(host, host.length - 1) === FULL_STOP ? host.length - 1 : host.length;
}

function isHex(host: string, start: i32, end: i32): bool {
  return codeAt(host, start) === 0x30 && start + 1 < end && (codeAt(host, start + 1) | 0x20) === 0x78;
}

/** Parses decimal, 0 octal or 0x hex; a bare `0x` is zero. Returns -1 for no number. */
// https://url.spec.whatwg.org/#ipv4-number-parser
function parseNumber(host: string, start: i32, end: i32): f64 {
  if (start >= end) return -1;
  const hasPrefix = isHex(host, start, end);
  const radix = hasPrefix ? 16 : codeAt(host, start) === 0x30 ? 8 : 10;
  let value: f64 = 0;
  for (let at = hasPrefix ? start + 2 : start; at < end; at++) {
    const digit = hexDigitValue(host.charCodeAt(at));
    if (digit === -1 || digit >= radix) return -1;
    value = value * (radix as f64) + (digit as f64);
  }
  return value;
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
export function serializeIpv4(address: u32): string {
  return `${address >>> 24}.${(address >>> 16) & 0xff}.${(address >>> 8) & 0xff}.${address & 0xff}`;
}

/**
 * Parses the address between the brackets to eight 16-bit pieces, which are zero before.
 * https://url.spec.whatwg.org/#concept-ipv6-parser
 */
export function parseIpv6(input: string, address: Uint16Array, url: UrlRecord): bool {
  let pieceIndex = 0;
  let compress = -1;
  let pointer = 0;

  if (codeAt(input, 0) === COLON) {
    if (codeAt(input, 1) !== COLON) return url.fail('IPv6-invalid-compression');
    pointer = 2;
    compress = ++pieceIndex;
  }

  while (pointer < input.length) {
    if (pieceIndex === 8) return url.fail('IPv6-too-many-pieces');
    if (codeAt(input, pointer) === COLON) {
      if (compress !== -1) return url.fail('IPv6-multiple-compression');
      pointer++;
      compress = ++pieceIndex;
      continue;
    }

    const start = pointer;
    let value = 0;
    for (; pointer - start < 4; pointer++) {
      const digit = hexDigitValue(codeAt(input, pointer));
      if (digit === -1) break;
      value = (value << 4) | digit;
    }

    if (codeAt(input, pointer) === FULL_STOP) {
      if (pointer === start) return url.fail('IPv4-in-IPv6-invalid-code-point');
      if (pieceIndex > 6) return url.fail('IPv4-in-IPv6-too-many-pieces');
      if (!embedIpv4(input.slice(start), address, pieceIndex, url)) return false;
      pieceIndex += 2;
      break;
    }
    if (pointer < input.length) {
      if (codeAt(input, pointer) !== COLON || ++pointer === input.length) return url.fail('IPv6-invalid-code-point');
    }
    address[pieceIndex++] = value as u16;
  }

  if (compress !== -1) expand(address, compress, pieceIndex);
  else if (pieceIndex !== 8) return url.fail('IPv6-too-few-pieces');
  return true;
}

/** Parses the four decimal parts that end an IPv6 address to two pieces: the "." branch of the parser. */
function embedIpv4(text: string, address: Uint16Array, pieceIndex: i32, url: UrlRecord): bool {
  const parts = text.split('.', 5);
  for (let index = 0; index < parts.length; index++) {
    const part = index === 4 ? '' : parts[index]!;
    let value = 0;
    let at = 0;
    for (; at < part.length && isAsciiDigit(part.charCodeAt(at)) && (at === 0 || value > 0); at++) {
      value = value * 10 + part.charCodeAt(at) - 0x30;
      if (value > 255) return url.fail('IPv4-in-IPv6-out-of-range-part');
    }
    if (at === 0 || at < part.length) return url.fail('IPv4-in-IPv6-invalid-code-point');
    const piece = pieceIndex + (index >> 1);
    address[piece] = ((address[piece]! << 8) | value) as u16;
  }
  return parts.length === 4 || url.fail('IPv4-in-IPv6-too-few-parts');
}

/** Moves the pieces after `::` to the end of the address. */
function expand(address: Uint16Array, compress: i32, pieceIndex: i32): void {
  const moved = pieceIndex - compress;
  address.copyWithin(8 - moved, compress, pieceIndex);
  address.fill(0, compress, 8 - moved);
}

/** Serializes without brackets. https://url.spec.whatwg.org/#concept-ipv6-serializer */
export function serializeIpv6(address: Uint16Array): string {
  const start = zeroRunStart(address);
  const end = zeroRunEnd(address, start);
  if (end - start < 2) return piecesOf(address, 0, 8);
  return `${piecesOf(address, 0, start)}::${piecesOf(address, end, 8)}`;
}

function piecesOf(address: Uint16Array, start: i32, end: i32): string {
  let text = '';
  for (let index = start; index < end; index++)
    text += `${index === start ? '' : ':'}${(address[index]! as i32).toString(16)}`;
  return text;
}

/**
 * Returns where the first longest run of zero pieces begins.
 * https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index
 */
function zeroRunStart(address: Uint16Array): i32 {
  let longest = 0;
  for (let start = 1; start < 8; start++) {
    if (zeroRunEnd(address, start) - start > zeroRunEnd(address, longest) - longest) longest = start;
  }
  return longest;
}

function zeroRunEnd(address: Uint16Array, start: i32): i32 {
  let end = start;
  while (end < 8 && address[end] === 0) end++;
  return end;
}
