import { asciiText } from './bytes.ts';

// Bundled, and loaded when the first host is looked up: it prepares its tables as it is loaded, which takes a millisecond.
declare function require(name: 'tldts'): { getPublicSuffix: PublicSuffix };

type PublicSuffix = (host: string, options: Readonly<Record<string, boolean>>) => string | null;

let getPublicSuffix: PublicSuffix | undefined;

/** The edition of the Public Suffix List in this build: the release of the package it comes with. */
export const PUBLIC_SUFFIX_LIST = 'tldts/7.5.4';

const WHOLE_LIST = { allowPrivateDomains: true, extractHostname: false, detectIp: false, validateHostname: false };
const ICANN_SECTION = { ...WHOLE_LIST, allowPrivateDomains: false };

/**
 * The length of the public suffix of a canonical host, by the list's algorithm: a host that no rule matches
 * has its last label for a suffix (https://github.com/publicsuffix/list/wiki/Format, rule `*`).
 */
export function publicSuffixLength(bytes: Uint8Array, start: number, end: number, hasPrivateSuffixes: boolean): number {
  getPublicSuffix ??= require('tldts').getPublicSuffix;
  const suffix = getPublicSuffix(asciiText(bytes, start, end), hasPrivateSuffixes ? WHOLE_LIST : ICANN_SECTION);
  return suffix === null ? end - start : suffix.length;
}
