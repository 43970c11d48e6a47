import { codeAt, isAsciiDigit } from '../../core/bytes/code-points.ts';

/** A Public Suffix List: nodes with one edge per label, from the last label leftward. */
export class SuffixTrie {
  /** The bits of the sections in which each node ends a rule. */
  readonly nodeFlags: i32[];
  /** The first edge of each node. The edges of node n end at those of n + 1. */
  readonly edgeStart: i32[];
  readonly edgeLength: i32[];
  readonly edgeChild: i32[];
  /** The packed labels of all edges, in ASCII. */
  readonly labels: Uint8Array;
  readonly rulesRoot: i32;
  /** The root of the rules that begin with '!'. Each of their last labels is also one of a rule. */
  readonly exceptionsRoot: i32;

  constructor(
    nodeFlags: i32[],
    edgeStart: i32[],
    edgeLength: i32[],
    edgeChild: i32[],
    labels: Uint8Array,
    rulesRoot: i32,
    exceptionsRoot: i32,
  ) {
    this.nodeFlags = nodeFlags;
    this.edgeStart = edgeStart;
    this.edgeLength = edgeLength;
    this.edgeChild = edgeChild;
    this.labels = labels;
    this.rulesRoot = rulesRoot;
    this.exceptionsRoot = exceptionsRoot;
  }
}

// A trie of suffixes as text: all nodes with edges, first the roots of the rules and of the exceptions, then level by
// level. A node is its edges and END_OF_NODE; an edge is
//
// - the number of characters that its label shares with the label before, as a letter from A on, and the rest of it;
// - the flags of the node it leads to, as one of FLAG_MARKS, if they differ from those of the edge before;
// - NEW_NODE, if that node has edges and is the next one that no edge has led to; or KNOWN_NODE and its number, if
//   another edge has.

/** Characters between those of labels in ASCII: `*`, `-` and digits come before them, letters after. */
export const FLAG_MARKS: string = ':=>?';
export const NEW_NODE: string = '[';
export const KNOWN_NODE: string = '@';
export const END_OF_NODE: string = ']';
export const SHARED_LENGTHS: string = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const FIRST_MARK: i32 = 0x3a;
const LAST_MARK: i32 = 0x60;

/** Nodes without edges come before all others: one for each value of the flags. */
export const RULES_ROOT: i32 = 4;
export const EXCEPTIONS_ROOT: i32 = 5;

/**
 * Reads the text in one loop over characters, without a string for each label. It runs once, before anything is
 * compiled: strings took twice as long, a regular expression three times.
 *
 * @param labelBytes the byte length of all labels
 */
export function readSuffixText(text: string, labelBytes: i32): SuffixTrie {
  const nodeFlags: i32[] = [0, 1, 2, 3, 0, 0]; // of the leaves and of both roots
  const edgeStart: i32[] = [0, 0, 0, 0, 0];
  const edgeLength: i32[] = [];
  const edgeChild: i32[] = [];
  const labels = new Uint8Array(labelBytes);
  const endOfNode = codeAt(END_OF_NODE, 0);
  const newNode = codeAt(NEW_NODE, 0);
  const knownNode = codeAt(KNOWN_NODE, 0);
  const firstLength = codeAt(SHARED_LENGTHS, 0);
  let label = 0;
  let labelEnd = 0;
  let flags = 0;
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) === endOfNode) {
      edgeStart.push(edgeChild.length);
      at++;
      continue;
    }
    const before = label;
    label = labelEnd;
    const restStart = label + text.charCodeAt(at++) - firstLength;
    for (let from = before; labelEnd < restStart; ) labels[labelEnd++] = labels[from++]!;
    for (let code = codeAt(text, at); code < FIRST_MARK || code > LAST_MARK; code = codeAt(text, ++at))
      labels[labelEnd++] = code as u8;
    edgeLength.push(labelEnd - label);
    const mark = FLAG_MARKS.indexOf(text.charAt(at));
    if (mark !== -1) {
      flags = mark;
      at++;
    }
    const next = codeAt(text, at);
    if (next === newNode) {
      edgeChild.push(nodeFlags.length);
      nodeFlags.push(flags);
      at++;
    } else if (next === knownNode) {
      let child = 0;
      for (at++; isAsciiDigit(codeAt(text, at)); at++) child = 10 * child + text.charCodeAt(at) - 0x30;
      edgeChild.push(child);
    } else {
      edgeChild.push(flags);
    }
  }
  return new SuffixTrie(nodeFlags, edgeStart, edgeLength, edgeChild, labels, RULES_ROOT, EXCEPTIONS_ROOT);
}
