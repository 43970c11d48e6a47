import { mustBeString } from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { sha256 } from '../../core/kernel/js.ts';
import { publicSuffixes } from './public-suffixes.ts';
import { suffixTrieOf } from './suffix-rules.ts';
import { ICANN_SECTION, PRIVATE_SECTION, SuffixLookup, type SuffixTrie } from './suffix-trie.ts';

/** The edition of the Public Suffix List in this build: the release of the package it comes with. */
export const PUBLIC_SUFFIX_LIST = 'tldts/7.5.4';

/**
 * A Public Suffix List of another edition than the bundled one, for the option `suffixList`.
 *
 * @example
 * const list = SuffixList.parse('// VERSION: 2026-11-01\ncom\n*.example\n');
 * list.edition; //=> 'psl/2026-11-01'
 * expressions('http://a.b.c.example/', { suffixList: list }); //=> ['a.b.c.example/', 'b.c.example/']
 */
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

  /**
   * The list that a text spells.
   *
   * @param text the list as publicsuffix.org publishes it
   * @returns the list; its `edition` is the text's own VERSION, or else the first 8 bytes of its SHA-256
   * @throws {TypeError} where `text` is not a string
   * @throws {RangeError} on a line that is not a rule, and where there are none
   * @see https://publicsuffix.org/list/public_suffix_list.dat
   */
  static parse(text: string): SuffixList {
    const trie = suffixTrieOf(mustBeString('text', text));
    return new SuffixList(`psl/${/^\/\/ *VERSION: *(\S+)/m.exec(text)?.[1] ?? contentName(text)}`, () => trie);
  }

  /** @internal The tables are made when the first host is looked up. */
  get lookup(): SuffixLookup {
    return (this.#lookup ??= new SuffixLookup(this.#read()));
  }
}

/** Defined by bundlers for programs that pass a list of their own: the bundled one, 30 kB, then stays out. */
declare const URLSUM_WITHOUT_SUFFIX_LIST: true;

export const BUNDLED_LIST: SuffixList =
  typeof URLSUM_WITHOUT_SUFFIX_LIST === 'boolean'
    ? /* @__PURE__ */ new SuffixList('none', noSuffixes)
    : /* @__PURE__ */ new SuffixList(PUBLIC_SUFFIX_LIST, publicSuffixes);

function noSuffixes(): never {
  throw new Error('the Public Suffix List was left out of this program, which must pass suffixList');
}

function contentName(text: string): string {
  return `sha256-${hexOfBytes(sha256(textEncoder().encode(text)), 0, 8)}`;
}

/** Returns the name of a profile with its list, which changes whenever any expression could. */
export function profileName(profile: 'web-risk' | 'v5', { edition }: SuffixList = BUNDLED_LIST): string {
  return profile === 'web-risk' ? 'web-risk/1' : `v5/1+${edition}`;
}

/** Returns the sections that count, as bits. */
export function sectionsOf(hasPrivateSuffixes: boolean): number {
  return hasPrivateSuffixes ? ICANN_SECTION | PRIVATE_SECTION : ICANN_SECTION;
}

/**
 * Returns the start of a canonical host's public suffix, by the list's algorithm: for a host that no rule matches, this
 * is its last label (https://github.com/publicsuffix/list/wiki/Format, rule `*`).
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
