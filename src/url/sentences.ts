import type { UrlReason } from './reason.ts';

/** What each reason means, in words. */
export const SENTENCES: Readonly<Record<UrlReason, string>> = {
  'missing-scheme-non-relative-URL': 'it has no scheme and no base URL makes it absolute',
  'host-missing': 'the host is empty',
  'host-invalid-code-point': 'the host holds a forbidden code point',
  'domain-to-ASCII': 'the domain has no ASCII form under UTS #46',
  'domain-invalid-code-point': 'the host holds a forbidden code point',
  'IDNA-limit': 'a label with non-ASCII characters is longer than 1000',
  'IPv4-too-many-parts': 'the IPv4 address has more than four parts',
  'IPv4-non-numeric-part': 'the host ends in a number and one of its parts is not a number',
  'IPv4-out-of-range-part': 'the IPv4 address has a part out of range',
  'IPv6-unclosed': 'the IPv6 address has no closing bracket',
  'IPv6-invalid-compression': 'the IPv6 address begins with a single colon',
  'IPv6-too-many-pieces': 'the IPv6 address has more than eight pieces',
  'IPv6-multiple-compression': 'the IPv6 address has more than one ::',
  'IPv6-invalid-code-point': 'the IPv6 address holds a forbidden code point',
  'IPv6-too-few-pieces': 'the IPv6 address has fewer than eight pieces',
  'IPv4-in-IPv6-too-many-pieces': 'the IPv6 address has no room for its IPv4 part',
  'IPv4-in-IPv6-invalid-code-point': 'the IPv4 part of the IPv6 address holds a forbidden code point',
  'IPv4-in-IPv6-out-of-range-part': 'the IPv4 part of the IPv6 address has a part out of range',
  'IPv4-in-IPv6-too-few-parts': 'the IPv4 part of the IPv6 address has fewer than four parts',
  'port-invalid': 'the port is not a number',
  'port-out-of-range': 'the port is over 65535',
  'length-limit': 'it, or its canonical form, is longer than a string can be',
};
