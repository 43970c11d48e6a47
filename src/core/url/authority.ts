// The authority of a URL with its host, and the ends of components: https://url.spec.whatwg.org/#url-parsing

import {
  BACKSLASH,
  COLON,
  codeAt,
  isAsciiDigit,
  isAsciiString,
  LEFT_BRACKET,
  LONE_SURROGATE,
  NUMBER_SIGN,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SLASH,
} from '../bytes/code-points.ts';
import { Failure, failure } from './failure.ts';
import { unicodeToAscii } from './idna.ts';
import { endsInNumber, parseIpv4, parseIpv6, serializeIpv4, serializeIpv6 } from './ip-address.ts';
import { C0_CONTROL, percentEncode, USERINFO } from './percent.ts';
import { isDefaultPort, type UrlRecord } from './record.ts';

/** Whether the input has `/` at `at`, or `\` if the scheme is special. */
export function isSlash(input: string, at: number, isSpecial: boolean): boolean {
  const code = codeAt(input, at);
  return code === SLASH || (isSpecial && code === BACKSLASH);
}

/** Whether the input ends at `at`, or has `?` or `#` there. */
export function isPathEnd(input: string, at: number): boolean {
  const code = codeAt(input, at);
  return code === -1 || code === QUESTION_MARK || code === NUMBER_SIGN;
}

/** Whether a slash or the end of a path is at `at`. */
export function isAuthorityEnd(input: string, at: number, isSpecial: boolean): boolean {
  return isSlash(input, at, isSpecial) || isPathEnd(input, at);
}

/** Returns the end of an authority, or of a file host, that begins at `start`. */
export function authorityEnd(input: string, start: number, isSpecial: boolean): number {
  let at = start;
  while (!isAuthorityEnd(input, at, isSpecial)) at++;
  return at;
}

/**
 * Reads credentials, host and port into `url`; returns the failure, if any.
 * https://url.spec.whatwg.org/#authority-state, #host-state and #port-state
 */
export function parseAuthority(authority: string, url: UrlRecord): Failure | undefined {
  const at = authority.lastIndexOf('@');
  if (at !== -1) setCredentials(authority.slice(0, at), url);
  const hostAndPort = authority.slice(at + 1);
  if (hostAndPort === '' && (url.isSpecial || at !== -1)) return failure('host-missing');
  const colon = portColon(hostAndPort);
  if (colon === 0) return failure('host-missing');
  const host = parseHost(colon === -1 ? hostAndPort : hostAndPort.slice(0, colon), url);
  if (host instanceof Failure) return host;
  url.host = host;
  return colon === -1 ? undefined : parsePort(hostAndPort.slice(colon + 1), url);
}

function setCredentials(userinfo: string, url: UrlRecord): void {
  const colon = userinfo.indexOf(':');
  url.username = percentEncode(colon === -1 ? userinfo : userinfo.slice(0, colon), USERINFO);
  url.password = colon === -1 ? '' : percentEncode(userinfo.slice(colon + 1), USERINFO);
}

/** Returns the position of the first colon outside brackets, or -1. */
export function portColon(hostAndPort: string): number {
  let isInsideBrackets = false;
  for (let at = 0; at < hostAndPort.length; at++) {
    const code = hostAndPort.charCodeAt(at);
    if (code === LEFT_BRACKET) isInsideBrackets = true;
    else if (code === RIGHT_BRACKET) isInsideBrackets = false;
    else if (code === COLON && !isInsideBrackets) return at;
  }
  return -1;
}

function parsePort(digits: string, url: UrlRecord): Failure | undefined {
  let port = 0;
  for (let at = 0; at < digits.length; at++) {
    if (!isAsciiDigit(digits.charCodeAt(at))) return failure('port-invalid');
    port = Math.min(0x10000, port * 10 + digits.charCodeAt(at) - 0x30);
  }
  if (port > 0xffff) return failure('port-out-of-range');
  url.port = digits === '' || isDefaultPort(url.scheme, port) ? null : port;
  return undefined;
}

/** Returns the serialized host. https://url.spec.whatwg.org/#concept-host-parser and #concept-host-serializer */
export function parseHost(input: string, url: UrlRecord): string | Failure {
  if (codeAt(input, 0) === LEFT_BRACKET) return parseBracketed(input);
  if (!url.isSpecial) return parseOpaqueHost(input);
  return parseDomain(input, url);
}

function parseBracketed(input: string): string | Failure {
  if (codeAt(input, input.length - 1) !== RIGHT_BRACKET) return failure('IPv6-unclosed');
  const address = parseIpv6(input.slice(1, -1));
  return address instanceof Failure ? address : `[${serializeIpv6(address)}]`;
}

// https://url.spec.whatwg.org/#concept-opaque-host-parser
function parseOpaqueHost(input: string): string | Failure {
  return FORBIDDEN_HOST.test(input) ? failure('host-invalid-code-point') : percentEncode(input, C0_CONTROL);
}

function parseDomain(input: string, url: UrlRecord): string | Failure {
  const domain = PLAIN_DOMAIN.test(input) ? input.toLowerCase() : encodedDomain(input, url);
  if (domain instanceof Failure) return domain;
  url.trace?.('ascii', domain);
  if (!endsInNumber(domain)) return domain;
  const address = parseIpv4(domain);
  return address instanceof Failure ? address : serializeIpv4(address);
}

/** Nearly all domains are, and one pass tells. */
const PLAIN_DOMAIN = /^[-.a-zA-Z\d]+$/;

function encodedDomain(input: string, url: UrlRecord): string | Failure {
  const decoded = decodeDomain(input);
  url.trace?.('decoded', decoded);
  const domain = domainToAscii(decoded, url);
  return domain instanceof Failure || !FORBIDDEN_DOMAIN.test(domain) ? domain : failure('domain-invalid-code-point');
}

/**
 * Decodes the escapes of a domain as UTF-8: run by run, since the text between them is whole characters. What is
 * malformed becomes U+FFFD, which no domain may hold, and so do lone surrogates: the input is a USVString.
 */
function decodeDomain(input: string): string {
  return input.replace(LONE_SURROGATE, '\ufffd').replace(ESCAPES, decodeEscapes);
}

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return '\ufffd';
  }
}

/**
 * An all-ASCII domain never fails here, `xn--` labels included. https://url.spec.whatwg.org/#concept-domain-to-ascii
 */
function domainToAscii(domain: string, url: UrlRecord): string | Failure {
  if (isAsciiString(domain)) return domain.toLowerCase();
  url.hasUnicodeHost = true;
  return unicodeToAscii(domain, url.unicode);
}

/** @see https://url.spec.whatwg.org/#forbidden-host-code-point */
export const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;

/** @see https://url.spec.whatwg.org/#forbidden-domain-code-point */
export const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;
