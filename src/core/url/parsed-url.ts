// The parser as JavaScript calls it: with a failure as a value, and with a pattern before it.

import { type Failure, failure, type UrlReason } from './failure.ts';
import { DEFAULT_UNICODE, hasOverlongLabel, rememberedToAscii } from './idna.ts';
import { parseIpv6 } from './ip-address.ts';
import { parseUrl } from './parser.ts';
import { UrlRecord } from './record.ts';
import type { UrlTrace } from './trace.ts';

/** The versions of Unicode, ascending. */
export const UNICODE_VERSIONS = [17, 18] as const;
/** A version of Unicode. */
export type UnicodeVersion = (typeof UNICODE_VERSIONS)[number];

/** The schemes that a URL without one may be read with. */
export const DEFAULT_SCHEMES = ['http', 'https'] as const;
/** A scheme that a URL without one may be read with. */
export type DefaultScheme = 'http' | 'https';

/** The URL that a text without a scheme is relative to, or the scheme that it gets. */
export type Base = UrlRecord | DefaultScheme;

/** Parses a text; returns the reason as a value if it is not a URL. */
export function parsedUrl(
  text: string,
  base?: Base | undefined,
  unicode: UnicodeVersion = DEFAULT_UNICODE,
  trace: UrlTrace | null = null,
): UrlRecord | Failure {
  const url =
    typeof base === 'string'
      ? parseUrl(text, null, base, unicode, trace)
      : parseUrl(text, base ?? null, '', unicode, trace);
  return url.reason === '' ? url : failure(url.reason as UrlReason);
}

/** Returns the ASCII form of a domain that has a non-ASCII character, by UTS #46, or the reason why it has none. */
export function unicodeToAscii(domain: string, unicode: UnicodeVersion): string | Failure {
  if (hasOverlongLabel(domain)) return failure('IDNA-limit');
  return rememberedToAscii(domain, unicode) || failure('domain-to-ASCII');
}

/** Returns the eight 16-bit pieces of an IPv6 address, without brackets, or undefined for any other text. */
export function parsedIpv6(text: string): Uint16Array | undefined {
  const address = new Uint16Array(8);
  return parseIpv6(text, address, new UrlRecord('', DEFAULT_UNICODE, null)) ? address : undefined;
}

/** A path without `/.` or `/%` has no dot segment; a letter after the host's last dot: it is not an IPv4 address. */
const PROVEN =
  /^https?:\/\/(?:[-.a-z\d]*\.)?[a-z][-a-z\d]*\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*(?:\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*)*(?:\?[!$-&(-;=?-~]*)?(?:#[!#-;=?-_a-~]*)?$/;

/** The longest text that is matched, in UTF-16 units: the engine's stack grows with the number of segments. */
const MATCHED_LENGTH = 4096;

/**
 * Whether a text is a canonical http or https URL as it is, whatever the base. One regular expression takes a quarter
 * of the time of the parser and the serializer: engines read a string's units faster in it than one by one.
 */
export function isProven(text: string): boolean {
  return text.length <= MATCHED_LENGTH && PROVEN.test(text);
}
