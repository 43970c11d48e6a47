import {
  EDGE_CHILD,
  EDGE_LABEL,
  EDGE_LENGTH,
  EDGE_NODE,
  EDGES,
  EXCEPTIONS_ROOT,
  HAS_EXCEPTIONS,
  LABELS,
  RULES_ROOT,
  SLOT_MASK,
  SLOTS,
  SUFFIX_WORDS,
  WILDCARDS,
} from '../../../assembly/expressions/layout.ts';
import { mustBeString } from '../../core/argument.ts';
import { afterLast, FULL_STOP } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { sha256 } from '../../core/kernel/js.ts';
import { type Profile, punycodeOf } from './host.ts';
import { publicSuffixes, type SuffixTrie } from './public-suffixes.ts';

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
export function profileName(profile: Profile, { edition }: SuffixList = BUNDLED_LIST): string {
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

const WILDCARD = '*';

/** The longest label of a domain name. */
const LABEL_BYTES = 63;

interface Node {
  flags: number;
  readonly children: Map<string, Node>;
}

/**
 * Reads a Public Suffix List in the format of publicsuffix.org: a rule per line up to the first white space, comments
 * after `//`, which also mark the private section. Rules beyond ASCII count in Punycode.
 *
 * @throws {RangeError} on a line that is not a rule, and where there are none
 * @see https://github.com/publicsuffix/list/wiki/Format
 */
function suffixTrieOf(text: string): SuffixTrie {
  const rules = newNode();
  const exceptions = newNode();
  for (const { labels, isException, flag } of rulesIn(text)) {
    addRule(isException ? exceptions : rules, labels, flag);
    addRule(rules, labels.slice(0, 1), 0); // look-ups reach the exceptions through it
  }
  if (rules.children.size === 0) throw new RangeError('the suffix list has no rules');
  return trieOf(rules, exceptions);
}

interface Rule {
  /** The labels, the last one first. */
  readonly labels: readonly string[];
  readonly isException: boolean;
  /** The flag of the rule's section. */
  readonly flag: number;
}

/** @throws {RangeError} on a line that is not a rule */
function* rulesIn(text: string): Generator<Rule> {
  let flag = ICANN_SECTION;
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const border = /^\/\/ *===(BEGIN|END) PRIVATE DOMAINS===/.exec(line);
    if (border !== null) flag = border[1] === 'BEGIN' ? PRIVATE_SECTION : ICANN_SECTION;
    const rule = /^\S*/.exec(line)![0];
    if (rule === '' || rule.startsWith('//')) continue;
    const isException = rule.startsWith('!');
    const labels = labelsOf(isException ? rule.slice(1) : rule);
    if (labels === undefined) throw new RangeError(`line ${index + 1} of the suffix list is not a rule: ${rule}`);
    yield { labels, isException, flag };
  }
}

/** Returns the labels, the last one first, or undefined if it is not a rule. A wildcard can only be the first label. */
function labelsOf(rule: string): string[] | undefined {
  const isWild = rule.startsWith('*.');
  const name = isWild ? rule.slice(2) : rule;
  const ascii = /[^\0-\x7f]/.test(name) ? punycodeOf(textEncoder().encode(name)) : name.toLowerCase();
  const labels = (ascii ?? '').split('.').reverse();
  const areLabels = labels.every((label) => /^[\w-]+$/.test(label) && label.length <= LABEL_BYTES);
  if (!areLabels) return undefined;
  return isWild ? [...labels, WILDCARD] : labels;
}

function newNode(): Node {
  return { flags: 0, children: new Map() };
}

function addRule(root: Node, labels: readonly string[], flag: number): void {
  let node = root;
  for (const label of labels) {
    const child = node.children.get(label) ?? newNode();
    node.children.set(label, child);
    node = child;
  }
  node.flags |= flag;
}

/**
 * Gives the wildcard's flags to its siblings: a look-up follows the edge of a host's label rather than the wildcard's.
 */
function coverByWildcard({ children }: Node): void {
  const flags = children.get(WILDCARD)?.flags ?? 0;
  for (const child of children.values()) {
    child.flags |= flags;
    coverByWildcard(child);
  }
}

function trieOf(rules: Node, exceptions: Node): SuffixTrie {
  coverByWildcard(rules);
  const nodes = [rules, exceptions];
  const edgeStart: number[] = [];
  const edgeChild: number[] = [];
  const labels: string[] = [];
  for (const node of nodes) {
    edgeStart.push(labels.length);
    for (const [label, child] of node.children) {
      edgeChild.push(nodes.push(child) - 1);
      labels.push(label);
    }
  }
  return {
    nodeFlags: nodes.map(({ flags }) => flags),
    edgeStart,
    edgeChild,
    edgeLength: labels.map(({ length }) => length),
    labels: textEncoder().encode(labels.join('')),
    rulesRoot: 0,
    exceptionsRoot: 1,
  };
}

/** The bits of a list's two sections. */
const ICANN_SECTION = 1;
const PRIVATE_SECTION = 2;

const ASTERISK = 0x2a;
const NONE = -1;
const EDGE_WORDS = 4;

/**
 * Looks up hosts in place. The package's own look-up takes strings: with a string made of each host it took 770 ns,
 * while this takes 480. It is tested against it, rule by rule.
 */
export class SuffixLookup {
  /** The tables in the layout of SUFFIXES in assembly/expressions/layout.ts; the module uses a copy of them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  // The starts of the tables in words, except #labels, which is in bytes.
  readonly #slots: number;
  readonly #edges: number;
  readonly #wildcards: number;
  readonly #labels: number;
  readonly #mask: number;
  #matchStart = NONE;
  #matchEnd = NONE;

  constructor(trie: SuffixTrie) {
    const edgeCount = trie.edgeLength.length;
    // linear probing in a table that is at most half full
    const slotCount = 2 ** Math.ceil(Math.log2(2 * edgeCount));
    this.#mask = slotCount - 1;
    this.#slots = SUFFIX_WORDS;
    this.#edges = this.#slots + slotCount;
    this.#wildcards = this.#edges + EDGE_WORDS * edgeCount;
    this.#labels = 4 * (this.#wildcards + trie.nodeFlags.length);
    this.bytes = new Uint8Array((this.#labels + trie.labels.length + 3) & ~3);
    this.#words = new Uint32Array(this.bytes.buffer);
    this.#setHeader(trie);
    this.#addEdges(trie);
    this.#markExceptions(trie);
  }

  /** Returns the start of the public suffix of the host at bytes [start, end). `sections` are bits as in nodeFlags. */
  suffixStart(bytes: Uint8Array, start: number, end: number, sections: number): number {
    const label = afterLast(FULL_STOP, bytes, start, end);
    const top = this.#edge(this.#words[RULES_ROOT / 4]!, bytes, label, end);
    if (top === NONE) return label; // the rule '*', which applies if no other does
    if ((this.#words[top + EDGE_LENGTH / 4]! & HAS_EXCEPTIONS) !== 0) {
      this.#walk(bytes, start, end, sections, this.#edge(this.#words[EXCEPTIONS_ROOT / 4]!, bytes, label, end));
      if (this.#matchStart !== NONE) return this.#matchEnd + 1; // an exception is its rule without the first label
    }
    this.#walk(bytes, start, end, sections, top);
    return this.#matchStart === NONE ? label : this.#matchStart;
  }

  /** Sets the bounds of the first label of the longest matching rule, whose last label led to the edge `top`. */
  #walk(bytes: Uint8Array, start: number, end: number, sections: number, top: number): void {
    this.#matchStart = NONE;
    for (let edge = top, labelEnd = end; edge !== NONE; ) {
      const label = afterLast(FULL_STOP, bytes, start, labelEnd);
      if (((this.#words[edge + EDGE_LENGTH / 4]! >>> 16) & sections) !== 0) {
        this.#matchStart = label;
        this.#matchEnd = labelEnd;
      }
      if (label === start) return;
      labelEnd = label - 1;
      const next = afterLast(FULL_STOP, bytes, start, labelEnd);
      edge = this.#edge(this.#words[edge + EDGE_CHILD / 4]!, bytes, next, labelEnd);
    }
  }

  /** Returns the place of an edge's words, or NONE. */
  #edge(node: number, bytes: Uint8Array, start: number, end: number): number {
    const words = this.#words;
    for (
      let slot = hashOf(node, bytes, start, end) & this.#mask;
      words[this.#slots + slot] !== 0;
      slot = (slot + 1) & this.#mask
    ) {
      const edge = this.#edgeAt(words[this.#slots + slot]!);
      if (words[edge + EDGE_NODE / 4] === node && this.#isLabel(edge, bytes, start, end)) return edge;
    }
    const wildcard = words[this.#wildcards + node]!;
    return wildcard === 0 ? NONE : this.#edgeAt(wildcard);
  }

  /** Tables number edges from 1, as 0 means no edge. */
  #edgeAt(number: number): number {
    return this.#edges + EDGE_WORDS * (number - 1);
  }

  #isLabel(edge: number, bytes: Uint8Array, start: number, end: number): boolean {
    if ((this.#words[edge + EDGE_LENGTH / 4]! & 0xffff) !== end - start) return false;
    const shift = this.#labels + this.#words[edge + EDGE_LABEL / 4]! - start;
    for (let at = start; at < end; at++) {
      if (this.bytes[at + shift] !== bytes[at]) return false;
    }
    return true;
  }

  #setHeader({ rulesRoot, exceptionsRoot }: SuffixTrie): void {
    const words = this.#words;
    words[SLOT_MASK / 4] = this.#mask;
    words[RULES_ROOT / 4] = rulesRoot;
    words[EXCEPTIONS_ROOT / 4] = exceptionsRoot;
    words[SLOTS / 4] = 4 * this.#slots;
    words[EDGES / 4] = 4 * this.#edges;
    words[WILDCARDS / 4] = 4 * this.#wildcards;
    words[LABELS / 4] = this.#labels;
  }

  /** Uses locals because it runs once, mostly before it is compiled. */
  #addEdges({ nodeFlags, edgeStart, edgeLength, edgeChild, labels }: SuffixTrie): void {
    this.bytes.set(labels, this.#labels);
    const { bytes } = this;
    const words = this.#words;
    const [slots, mask, wildcards] = [this.#slots, this.#mask, this.#wildcards];
    let at = this.#edges;
    let label = this.#labels;
    let number = 1;
    for (let node = 0; node < nodeFlags.length; node++) {
      const end = edgeStart[node + 1] ?? edgeLength.length;
      for (; number <= end; number++, at += EDGE_WORDS) {
        const child = edgeChild[number - 1]!;
        const length = edgeLength[number - 1]!;
        words[at + EDGE_NODE / 4] = node;
        words[at + EDGE_LABEL / 4] = label - this.#labels;
        words[at + EDGE_LENGTH / 4] = length | (nodeFlags[child]! << 16);
        words[at + EDGE_CHILD / 4] = child;
        if (length === 1 && bytes[label] === ASTERISK) words[wildcards + node] = number;
        let slot = hashOf(node, bytes, label, label + length) & mask;
        while (words[slots + slot] !== 0) slot = (slot + 1) & mask;
        words[slots + slot] = number;
        label += length;
      }
    }
  }

  /** Marks the last labels that have exceptions, so that others need no search for them. */
  #markExceptions({ edgeStart, edgeLength, rulesRoot, exceptionsRoot }: SuffixTrie): void {
    const end = edgeStart[exceptionsRoot + 1] ?? edgeLength.length;
    for (let edge = edgeStart[exceptionsRoot]!; edge < end; edge++) {
      const start = this.#labels + this.#words[this.#edgeAt(edge + 1) + EDGE_LABEL / 4]!;
      const top = this.#edge(rulesRoot, this.bytes, start, start + edgeLength[edge]!);
      this.#words[top + EDGE_LENGTH / 4]! |= HAS_EXCEPTIONS;
    }
  }
}

/** Hashes four bytes at a time, the last ones padded with zeros, as assembly/expressions/suffixes.ts does. */
function hashOf(node: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(node, 0x9e3779b1);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    const mixed = Math.imul(hash ^ word, 0x85ebca6b);
    hash = (mixed << 15) | (mixed >>> 17);
  }
  let rest = 0;
  for (let shift = 0; at < end; at++, shift += 8) rest |= bytes[at]! << shift;
  const mixed = Math.imul(hash ^ rest, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
