import table from './public-suffix-table.txt';

/** A Public Suffix List: nodes with one edge per label, from the last label leftward. */
export interface SuffixTrie {
  /** For each node, the bits of the sections in which it ends a rule. */
  readonly nodeFlags: ArrayLike<number>;
  /** The first edge of each node. The edges of node n end at those of n + 1. */
  readonly edgeStart: ArrayLike<number>;
  readonly edgeLength: ArrayLike<number>;
  readonly edgeChild: ArrayLike<number>;
  /** The packed labels of all edges, in ASCII. */
  readonly labels: Uint8Array;
  readonly rulesRoot: number;
  /** The root of the rules that begin with '!'. Each of their last labels is also one of a rule. */
  readonly exceptionsRoot: number;
}

/** Returns both sections of the Public Suffix List, read at the first look-up of a host; Web Risk needs none. */
export function publicSuffixes(): SuffixTrie {
  const [labelBytes, text] = table.split('\n') as [string, string];
  return readSuffixText(text, Number(labelBytes));
}

// public-suffix-table.txt, written by tools/tables/suffixes.mjs: the Public Suffix List as tldts has it (MIT, copyright
// Rémi Berson and Thomas Parisot). The list is https://publicsuffix.org/list/, subject to the Mozilla Public License
// 2.0, https://mozilla.org/MPL/2.0/. Its first line is the byte length of all labels, its second a trie.
//
// A trie of suffixes as text: all nodes with edges, first the roots of the rules and of the exceptions, then level by
// level. A node is its edges and END_OF_NODE; an edge is
//
// - the number of characters that its label shares with the label before, as a letter from A on, and the rest of it;
// - the flags of the node it leads to, as one of FLAG_MARKS, if they differ from those of the edge before;
// - NEW_NODE, if that node has edges and is the next one that no edge has led to; or KNOWN_NODE and its number, if
//   another edge has.

/** In ASCII these are between the characters of labels: `*`, `-` and digits before them, letters after. */
export const FLAG_MARKS = ':=>?';
export const NEW_NODE = '[';
export const KNOWN_NODE = '@';
export const END_OF_NODE = ']';
export const SHARED_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const FIRST_MARK = 0x3a;
const LAST_MARK = 0x60;

/** Nodes without edges come before all others: one for each value of the flags. */
const LEAF_FLAGS = [0, 1, 2, 3];
export const RULES_ROOT = LEAF_FLAGS.length;
export const EXCEPTIONS_ROOT = RULES_ROOT + 1;

/**
 * Reads the text in one loop over characters, without a string for each label. It runs once, before anything is
 * compiled: strings took twice as long, a regular expression three times.
 *
 * @param labelBytes the byte length of all labels
 */
function readSuffixText(text: string, labelBytes: number): SuffixTrie {
  const nodeFlags = [...LEAF_FLAGS, 0, 0];
  const edgeStart = nodeFlags.slice(1).fill(0);
  const edgeLength: number[] = [];
  const edgeChild: number[] = [];
  const labels = new Uint8Array(labelBytes);
  let [label, labelEnd, flags] = [0, 0, 0];
  for (let at = 0; at < text.length; ) {
    if (text[at] === END_OF_NODE) {
      edgeStart.push(edgeChild.length);
      at++;
      continue;
    }
    const before = label;
    label = labelEnd;
    const restStart = label + SHARED_LENGTHS.indexOf(text[at++]!);
    for (let from = before; labelEnd < restStart; ) labels[labelEnd++] = labels[from++]!;
    for (let code = text.charCodeAt(at); code < FIRST_MARK || code > LAST_MARK; code = text.charCodeAt(++at))
      labels[labelEnd++] = code;
    edgeLength.push(labelEnd - label);
    const mark = FLAG_MARKS.indexOf(text[at]!);
    if (mark !== -1) {
      flags = mark;
      at++;
    }
    if (text[at] === NEW_NODE) {
      edgeChild.push(nodeFlags.push(flags) - 1);
      at++;
    } else if (text[at] === KNOWN_NODE) {
      const numberEnd = endOfNumber(text, at + 1);
      edgeChild.push(Number(text.slice(at + 1, numberEnd)));
      at = numberEnd;
    } else {
      edgeChild.push(flags);
    }
  }
  return {
    nodeFlags,
    edgeStart,
    edgeLength,
    edgeChild,
    labels,
    rulesRoot: RULES_ROOT,
    exceptionsRoot: EXCEPTIONS_ROOT,
  };
}

function endOfNumber(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) < FIRST_MARK) end++;
  return end;
}
