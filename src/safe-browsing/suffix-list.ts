import { publicSuffixes } from './public-suffixes.ts';
import { SuffixLookup } from './suffix-trie.ts';

/** The edition of the Public Suffix List in this build: the release of the package it comes with. */
export const PUBLIC_SUFFIX_LIST = 'tldts/7.5.4';

const ICANN_SECTION = 1;
const PRIVATE_SECTION = 2;

let lookup: SuffixLookup | undefined;

/**
 * Where the public suffix of a canonical host begins, by the list's algorithm: a host that no rule matches
 * has its last label for a suffix (https://github.com/publicsuffix/list/wiki/Format, rule `*`).
 */
export function publicSuffixStart(bytes: Uint8Array, start: number, end: number, hasPrivateSuffixes: boolean): number {
  lookup ??= new SuffixLookup(publicSuffixes());
  return lookup.suffixStart(bytes, start, end, hasPrivateSuffixes ? ICANN_SECTION | PRIVATE_SECTION : ICANN_SECTION);
}
