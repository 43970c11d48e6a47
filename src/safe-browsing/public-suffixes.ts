import type { SuffixTrie } from './suffix-trie.ts';

// Bundled once for all runtimes, and loaded when the first host is looked up: Web Risk needs none of it.
declare function require(name: 'tldts/dist/es6/src/data/trie.js'): SuffixTrie;

/** The rules of the Public Suffix List, both sections. */
export function publicSuffixes(): SuffixTrie {
  return require('tldts/dist/es6/src/data/trie.js');
}
