import { COLON, FULL_STOP, isAsciiDigit, LEFT_BRACKET, RIGHT_BRACKET } from '../bytes/code-points.ts';
import { serializeIpv4 } from '../url/ipv4.ts';
import { asciiText, lowercase, positionOf } from './bytes.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { punycodeOf } from './idn.ts';
import { parseIpv4 } from './ipv4.ts';
import { bracketedAddress, canonicalIpv6 } from './ipv6.ts';
import type { Profile } from './settings.ts';
import type { Trace } from './trace.ts';

/**
 * Appends the canonical host to `url`; host and port lie at bytes [start, portEnd), which it works on in
 * place. Punycode comes before the page's steps, which assume that it has been done; so full-width digits and dots
 * count as digits and dots, as in browsers.
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
  const ascii = Uint8Array.from(domain, (character) => character.charCodeAt(0));
  trace?.('host in Punycode', ascii, 0, ascii.length);
  return appendDomain(ascii, 0, ascii.length, profile, url, trace);
}

/** The end of [start, end) without a colon and the digits after it. */
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

/** "To canonicalize the hostname": dots, addresses, lower case; then escaped. */
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

/** Steps 1 and 2: no dots at the ends, one at a time within. Returns the new end. */
function withoutSurplusDots(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; at++) {
    const isSurplus = bytes[at] === FULL_STOP && (to === start || bytes[to - 1] === FULL_STOP);
    if (!isSurplus) bytes[to++] = bytes[at]!;
  }
  return to > start && bytes[to - 1] === FULL_STOP ? to - 1 : to;
}

/** The canonical text of an IP address. The v4 page has no form for IPv6: there it is only lower-cased. */
function addressText(bytes: Uint8Array, start: number, end: number, profile: Profile): string | undefined {
  const ipv4 = parseIpv4(bytes, start, end);
  if (ipv4 !== -1) return serializeIpv4(ipv4);
  if (bytes[start] !== LEFT_BRACKET) return undefined;
  const host = asciiText(bytes, start, end);
  const ipv6 = bracketedAddress(host);
  if (ipv6 === undefined) return undefined;
  return profile === 'v5' ? canonicalIpv6(ipv6) : host.toLowerCase();
}
