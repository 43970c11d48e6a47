import { codeAt, isAsciiString, LEFT_BRACKET, LONE_SURROGATE, RIGHT_BRACKET } from '../bytes/code-points.ts';
import { Failure, failure } from './failure.ts';
import { unicodeToAscii } from './idna.ts';
import { endsInNumber, parseIpv4, serializeIpv4 } from './ipv4.ts';
import { parseIpv6, serializeIpv6 } from './ipv6.ts';
import { C0_CONTROL, percentEncode } from './percent.ts';
import type { UrlRecord } from './record.ts';

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
