import { mustBeString } from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { sha256 } from '../../core/kernel/js.ts';
import { type Profile, punycodeOf } from './host.ts';
import { publicSuffixes } from './public-suffixes.ts';
import { SuffixLookup } from './suffix-lookup.ts';
import type { SuffixTrie } from './suffix-trie.ts';

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
  /** The edition, as outputs name it. */
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
