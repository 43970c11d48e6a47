// The authority of a URL with its host, and the ends of components: https://url.spec.whatwg.org/#url-parsing

import {
  asciiLowercase,
  BACKSLASH,
  COLON,
  codeAt,
  decodeUtf8,
  isAsciiAlpha,
  isAsciiDigit,
  isAsciiString,
  LEFT_BRACKET,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SLASH,
  toWellFormed,
} from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { hasOverlongLabel, rememberedToAscii } from './idna.ts';
import { endsInNumber, parseIpv4, parseIpv6, serializeIpv4, serializeIpv6 } from './ip-address.ts';
import {
  C0_CONTROL,
  escapedByte,
  FORBIDDEN_DOMAIN,
  FORBIDDEN_HOST,
  isForbidden,
  percentEncode,
  USERINFO,
} from './percent.ts';
import { isDefaultPort, NO_PORT, UrlRecord } from './record.ts';

/** Whether the input has `/` at `at`, or `\` if the scheme is special. */
export function isSlash(input: string, at: i32, isSpecial: bool): bool {
  const code = codeAt(input, at);
  return code === SLASH || (isSpecial && code === BACKSLASH);
}

/** Whether the input ends at `at`, or has `?` or `#` there. */
export function isPathEnd(input: string, at: i32): bool {
  const code = codeAt(input, at);
  return code === -1 || code === QUESTION_MARK || code === NUMBER_SIGN;
}

/** Whether a slash or the end of a path is at `at`. */
export function isAuthorityEnd(input: string, at: i32, isSpecial: bool): bool {
  return isSlash(input, at, isSpecial) || isPathEnd(input, at);
}

/** Returns the end of an authority, or of a file host, that begins at `start`. */
export function authorityEnd(input: string, start: i32, isSpecial: bool): i32 {
  for (let at = start; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code === SLASH || code === QUESTION_MARK || code === NUMBER_SIGN) return at;
    if (code === BACKSLASH && isSpecial) return at;
  }
  return input.length;
}

/**
 * Reads credentials, host and port into `url`, and returns whether they are valid.
 * https://url.spec.whatwg.org/#authority-state, #host-state and #port-state
 */
export function parseAuthority(authority: string, url: UrlRecord): bool {
  const at = authority.lastIndexOf('@');
  if (at !== -1) setCredentials(authority.slice(0, at), url);
  const hostAndPort = authority.slice(at + 1);
  if (hostAndPort === '' && (url.isSpecial || at !== -1)) return url.fail('host-missing');
  const colon = portColon(hostAndPort);
  if (colon === 0) return url.fail('host-missing');
  const host = parseHost(colon === -1 ? hostAndPort : hostAndPort.slice(0, colon), url);
  if (host === null) return false;
  url.host = host;
  return colon === -1 || parsePort(hostAndPort.slice(colon + 1), url);
}

function setCredentials(userinfo: string, url: UrlRecord): void {
  const colon = userinfo.indexOf(':');
  url.username = percentEncode(colon === -1 ? userinfo : userinfo.slice(0, colon), USERINFO);
  url.password = colon === -1 ? '' : percentEncode(userinfo.slice(colon + 1), USERINFO);
}

/** Returns the position of the first colon outside brackets, or -1. */
export function portColon(hostAndPort: string): i32 {
  if (!hostAndPort.includes('[')) return hostAndPort.indexOf(':');
  let isInsideBrackets = false;
  for (let at = 0; at < hostAndPort.length; at++) {
    const code = hostAndPort.charCodeAt(at);
    if (code === LEFT_BRACKET) isInsideBrackets = true;
    else if (code === RIGHT_BRACKET) isInsideBrackets = false;
    else if (code === COLON && !isInsideBrackets) return at;
  }
  return -1;
}

function parsePort(digits: string, url: UrlRecord): bool {
  let port = 0;
  for (let at = 0; at < digits.length; at++) {
    if (!isAsciiDigit(digits.charCodeAt(at))) return url.fail('port-invalid');
    if (port <= 0xffff) port = port * 10 + digits.charCodeAt(at) - 0x30;
  }
  if (port > 0xffff) return url.fail('port-out-of-range');
  url.port = digits === '' || isDefaultPort(url.scheme, port) ? NO_PORT : port;
  return true;
}

/** Returns the serialized host, or null. https://url.spec.whatwg.org/#concept-host-parser and #concept-host-serializer */
export function parseHost(input: string, url: UrlRecord): string | null {
  if (codeAt(input, 0) === LEFT_BRACKET) return parseBracketed(input, url);
  if (!url.isSpecial) return parseOpaqueHost(input, url);
  return parseDomain(input, url);
}

function parseBracketed(input: string, url: UrlRecord): string | null {
  if (codeAt(input, input.length - 1) !== RIGHT_BRACKET) return url.failText('IPv6-unclosed');
  const address = new Uint16Array(8);
  return parseIpv6(input.slice(1, -1), address, url) ? `[${serializeIpv6(address)}]` : null;
}

// https://url.spec.whatwg.org/#concept-opaque-host-parser
function parseOpaqueHost(input: string, url: UrlRecord): string | null {
  for (let at = 0; at < input.length; at++)
    if (isForbidden(input.charCodeAt(at), FORBIDDEN_HOST)) return url.failText('host-invalid-code-point');
  return percentEncode(input, C0_CONTROL);
}

function parseDomain(input: string, url: UrlRecord): string | null {
  const domain = isPlainDomain(input) ? asciiLowercase(input) : encodedDomain(input, url);
  if (domain === null) return null;
  const trace = url.trace;
  if (trace !== null) trace.ascii(domain);
  if (!endsInNumber(domain)) return domain;
  const address = parseIpv4(domain, url);
  return address < 0 ? null : serializeIpv4(address as u32);
}

/** Whether a domain is all ASCII letters, digits, hyphens and dots, as nearly all are. */
function isPlainDomain(input: string): bool {
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (!isAsciiAlpha(code) && !isDigitHyphenOrDot(code)) return false;
  }
  return input.length > 0;
}

/** Whether a code point is a digit, `-` or `.`: these are neighbours, with the slash among them. */
export function isDigitHyphenOrDot(code: i32): bool {
  return code >= 0x2d && code <= 0x39 && code !== SLASH;
}

function encodedDomain(input: string, url: UrlRecord): string | null {
  const decoded = decodeDomain(input);
  const trace = url.trace;
  if (trace !== null) trace.decoded(decoded);
  const domain = domainToAscii(decoded, url);
  if (domain === null) return null;
  for (let at = 0; at < domain.length; at++)
    if (isForbidden(domain.charCodeAt(at), FORBIDDEN_DOMAIN)) return url.failText('domain-invalid-code-point');
  return domain;
}

/**
 * Decodes the escapes of a domain as UTF-8: run by run, since the text between them is whole characters. A malformed
 * run becomes U+FFFD, which no domain may hold, and so does a lone surrogate: the input is a USVString.
 */
function decodeDomain(input: string): string {
  if (isDecoded(input)) return input;
  const output = new TextWriter();
  for (let at = 0; at < input.length; at++) {
    const start = at;
    while (escapedByte(input, at) !== -1) at += 3;
    if (at > start) output.add(decodeEscapes(input.slice(start, at)));
    if (at < input.length) output.addUnit(input.charCodeAt(at));
  }
  return toWellFormed(output.toString());
}

function decodeEscapes(escapes: string): string {
  return ASC_TARGET === 0 ? decodeEscapesByHost(escapes) : decodeUtf8(escapedBytes(escapes));
}

function decodeEscapesByHost(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch (_) {
    return '\ufffd';
  }
}

function escapedBytes(escapes: string): Uint8Array {
  const bytes = new Uint8Array(escapes.length / 3);
  for (let at = 0; at < bytes.length; at++) bytes[at] = escapedByte(escapes, 3 * at) as u8;
  return bytes;
}

/** Whether a domain has neither an escape nor a surrogate. */
function isDecoded(input: string): bool {
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code === PERCENT || (code & 0xf800) === 0xd800) return false;
  }
  return true;
}

/**
 * An all-ASCII domain never fails here, `xn--` labels included. https://url.spec.whatwg.org/#concept-domain-to-ascii
 */
function domainToAscii(domain: string, url: UrlRecord): string | null {
  if (isAsciiString(domain)) return asciiLowercase(domain);
  url.hasUnicodeHost = true;
  if (hasOverlongLabel(domain)) return url.failText('IDNA-limit');
  const ascii = rememberedToAscii(domain, url.unicode);
  return ascii === '' ? url.failText('domain-to-ASCII') : ascii;
}
