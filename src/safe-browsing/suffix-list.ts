import { publicSuffixes } from './public-suffixes.ts';
import { SuffixLookup, type SuffixTrie } from './suffix-trie.ts';

/** The edition of the Public Suffix List in this build: the release of the package it comes with. */
export const PUBLIC_SUFFIX_LIST = 'tldts/7.5.4';

const ICANN_SECTION = 1;
const PRIVATE_SECTION = 2;

/** A Public Suffix List: the bundled one, or one that `suffixList` has read. */
export class SuffixList {
  /** @internal */
  static readonly name = 'SuffixList';
  /** Its edition, as outputs name it. */
  readonly edition: string;
  readonly #read: () => SuffixTrie;
  #lookup: SuffixLookup | undefined;

  /** @internal */
  constructor(edition: string, read: () => SuffixTrie) {
    this.edition = edition;
    this.#read = read;
  }

  /** @internal Its tables are made when the first host is looked up. */
  get lookup(): SuffixLookup {
    return (this.#lookup ??= new SuffixLookup(this.#read()));
  }
}

export const BUNDLED_LIST: SuffixList = /* @__PURE__ */ new SuffixList(PUBLIC_SUFFIX_LIST, publicSuffixes);

/** Bits of the sections that count. */
export function sectionsOf(hasPrivateSuffixes: boolean): number {
  return hasPrivateSuffixes ? ICANN_SECTION | PRIVATE_SECTION : ICANN_SECTION;
}

/**
 * Where the public suffix of a canonical host begins, by the list's algorithm: a host that no rule matches
 * has its last label for a suffix (https://github.com/publicsuffix/list/wiki/Format, rule `*`).
 */
export function publicSuffixStart(
  bytes: Uint8Array,
  start: number,
  end: number,
  hasPrivateSuffixes: boolean,
  { lookup }: SuffixList = BUNDLED_LIST,
): number {
  return lookup.suffixStart(bytes, start, end, sectionsOf(hasPrivateSuffixes));
}
