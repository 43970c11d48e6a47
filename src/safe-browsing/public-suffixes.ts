import { LABEL_BYTES, PUBLIC_SUFFIXES } from './public-suffix-table.ts';
import { readSuffixText } from './suffix-text.ts';
import type { SuffixTrie } from './suffix-trie.ts';

/** The rules of the Public Suffix List, both sections: read when the first host is looked up; Web Risk needs none. */
export function publicSuffixes(): SuffixTrie {
  return readSuffixText(PUBLIC_SUFFIXES, LABEL_BYTES);
}
