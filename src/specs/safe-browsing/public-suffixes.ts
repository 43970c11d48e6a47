import table from './public-suffix-table.txt';
import { readSuffixText, type SuffixTrie } from './suffix-trie.ts';

// public-suffix-table.txt, written by tools/tables/suffixes.mjs: the Public Suffix List as tldts has it (MIT, copyright
// Rémi Berson and Thomas Parisot). The list is https://publicsuffix.org/list/, subject to the Mozilla Public License
// 2.0, https://mozilla.org/MPL/2.0/. Its first line is the byte length of all labels, its second a trie.

/** Returns both sections of the Public Suffix List, read at the first look-up of a host; Web Risk needs none. */
export function publicSuffixes(): SuffixTrie {
  const [labelBytes, text] = table.split('\n') as [string, string];
  return readSuffixText(text, Number(labelBytes));
}
