import {
  COLON,
  FULL_STOP,
  hexDigitValue,
  isAsciiDigit,
  LEFT_BRACKET,
  lowercase,
  positionOf,
  RIGHT_BRACKET,
} from '../../core/bytes/code-points.ts';
import { asciiBytes, decodeLine } from '../../core/bytes/text.ts';
import { Failure } from '../../core/url/failure.ts';
import { serializeIpv4, serializeIpv6 } from '../../core/url/ip-address.ts';
import { parsedIpv6, type UnicodeVersion, unicodeToAscii } from '../../core/url/parsed-url.ts';
import { failure, type SafeBrowsingFailure, type Trace } from './failure.ts';
import type { CanonicalUrl } from './url-bytes.ts';

/** `web-risk` is Web Risk and Safe Browsing v4; `v5` adds IPv6 and takes hosts from the Public Suffix List. */
export type Profile = 'web-risk' | 'v5';

/**
 * Appends the canonical host to `url`. Host and port are bytes [start, portEnd), which are overwritten. Punycode comes
 * before the page's steps, which assume that it has been done, so full-width digits and dots count as digits and dots,
 * as in browsers.
 */
export function appendHost(
  bytes: Uint8Array,
  start: number,
  portEnd: number,
  profile: Profile,
  url: CanonicalUrl,
  trace?: Trace,
): SafeBrowsingFailure | undefined {
  const end = withoutPort(bytes, start, portEnd);
  trace?.('host', bytes, start, end);
  const domain = isAscii(bytes, start, end) ? undefined : punycodeOf(bytes.subarray(start, end));
  if (domain === undefined) return appendDomain(bytes, start, end, profile, url, trace);
  const ascii = asciiBytes(domain);
  trace?.('host in Punycode', ascii, 0, ascii.length);
  return appendDomain(ascii, 0, ascii.length, profile, url, trace);
}

/** Returns the end of [start, end) without a colon and the digits after it. */
function withoutPort(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isAsciiDigit(bytes[at - 1]!)) at--;
  return at > start && bytes[at - 1] === COLON ? at - 1 : end;
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at]! >= 0x80) return false;
  }
  return true;
}

/** Takes the steps of "To canonicalize the hostname" (dots, addresses, lower case), then escapes. */
function appendDomain(
  bytes: Uint8Array,
  start: number,
  dottedEnd: number,
  profile: Profile,
  url: CanonicalUrl,
  trace?: Trace,
): SafeBrowsingFailure | undefined {
  const end = withoutSurplusDots(bytes, start, dottedEnd);
  trace?.('host without surplus dots', bytes, start, end);
  if (end === start) return failure('host-missing');
  if (bytes[start] === LEFT_BRACKET && positionOf(RIGHT_BRACKET, bytes, start, end) === end)
    return failure('host-unclosed');
  const address = addressText(bytes, start, end, profile);
  url.isAddress = address !== undefined;
  url.hostStart = url.end;
  if (address !== undefined) {
    url.appendText(address);
    trace?.('host as an address', url.bytes, url.hostStart, url.end);
  } else {
    lowercase(bytes, start, end);
    trace?.('host lower-cased', bytes, start, end);
    url.appendEscaped(bytes, start, end);
  }
  url.hostEnd = url.end;
  trace?.('host canonicalized', url.bytes, url.hostStart, url.hostEnd);
  return undefined;
}

/** Takes steps 1 and 2: removes dots at the ends, and all but one of several within. Returns the new end. */
function withoutSurplusDots(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; at++) {
    const isSurplus = bytes[at] === FULL_STOP && (to === start || bytes[to - 1] === FULL_STOP);
    if (!isSurplus) bytes[to++] = bytes[at]!;
  }
  return to > start && bytes[to - 1] === FULL_STOP ? to - 1 : to;
}

/** Returns the canonical text of an IP address. The v4 page has no form for IPv6: it is only lower-cased there. */
function addressText(bytes: Uint8Array, start: number, end: number, profile: Profile): string | undefined {
  const ipv4 = parseIpv4(bytes, start, end);
  if (ipv4 !== -1) return serializeIpv4(ipv4);
  if (bytes[start] !== LEFT_BRACKET) return undefined;
  const host = decodeLine(bytes.subarray(start, end));
  const ipv6 = bracketedAddress(host);
  if (ipv6 === undefined) return undefined;
  return profile === 'v5' ? canonicalIpv6(ipv6) : host.toLowerCase();
}

/**
 * Returns the address that bytes [start, end) spell, as an unsigned 32-bit number, or -1: "any legal IP-address
 * encoding, including octal, hex, and fewer than four components", which is inet_aton's syntax. With a part out of
 * range it is a host name. (The URL Standard rejects such a host, and reads a bare `0x` as zero.)
 */
export function parseIpv4(bytes: Uint8Array, start: number, end: number): number {
  let address = 0;
  let at = start;
  for (let remaining = 4; remaining > 0; remaining--) {
    const stop = positionOf(FULL_STOP, bytes, at, end);
    const part = parsePart(bytes, at, stop);
    // a part is one byte, except that the last fills all remaining bytes
    const limit = stop === end ? 256 ** remaining : 256;
    if (part === -1 || part >= limit) return -1;
    address = address * limit + part;
    if (stop === end) return address;
    at = stop + 1;
  }
  return -1;
}

/** Parses decimal, 0 octal or 0x hex; -1 if it is neither. Too large a number loses digits, not its size. */
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

// RFC 4291 §2.5.5.2 and RFC 6052 §2.1: the 96 bits before an IPv4 address
const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff];
const WELL_KNOWN_NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

/** The longest IPv6 address in brackets, in bytes (RFC 4291 §2.2: 45 characters without them). */
const LENGTH_LIMIT = 47;

/** Returns the address that a host in brackets spells, or undefined: one with a zone, or `[::g]`, stays a name. */
function bracketedAddress(host: string): Uint16Array | undefined {
  if (host.length > LENGTH_LIMIT || !host.startsWith('[') || !host.endsWith(']')) return undefined;
  return parsedIpv6(host.slice(1, -1));
}

/** Takes v5's step 4: RFC 5952 in brackets, or the IPv4 address in an IPv4-mapped or NAT64 address. */
function canonicalIpv6(address: Uint16Array): string {
  const carriesIpv4 = startsWith(address, IPV4_MAPPED) || startsWith(address, WELL_KNOWN_NAT64);
  return carriesIpv4 ? serializeIpv4(address[6]! * 0x10000 + address[7]!) : `[${serializeIpv6(address)}]`;
}

function startsWith(address: Uint16Array, pieces: readonly number[]): boolean {
  return pieces.every((piece, index) => address[index] === piece);
}

/**
 * The version of Unicode in every 1.x: these specifications escape what it refuses, so that a host may have another
 * form under another version, and the lists that have it would miss it.
 */
export const SAFE_BROWSING_UNICODE: UnicodeVersion = 17;

/** Delimiters that would end or cut a domain elsewhere when its canonical form is read again. */
const DELIMITER = /[#%/:?@[\\\]]/;

let decoder: TextDecoder | undefined;

/**
 * Returns the Punycode form of a host with bytes >= 0x80, by UTS #46 (non-transitional, as in browsers), or undefined
 * if the bytes are not an internationalized domain name: they are then escaped like any others.
 */
export function punycodeOf(bytes: Uint8Array): string | undefined {
  const domain = utf8Text(bytes);
  const ascii = domain === undefined ? undefined : unicodeToAscii(domain, SAFE_BROWSING_UNICODE);
  return ascii === undefined || ascii instanceof Failure || DELIMITER.test(ascii) ? undefined : ascii;
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return (decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })).decode(bytes);
  } catch (error) {
    if (Object(error).name === 'TypeError') return undefined; // not UTF-8; in Jest another realm's TypeError
    throw error;
  }
}
