import { FULL_STOP } from '../bytes/code-points.ts';

/** The Public Suffix List as tldts packs it: nodes with edges, an edge a label, from the last label leftward. */
export interface SuffixTrie {
  /** Bits of each node that ends a rule: 1 in the ICANN section, 2 in the private one. */
  readonly nodeFlags: Uint8Array;
  /** Where each node's edges begin; those of node n end where those of n + 1 begin. */
  readonly edgeStart: ArrayLike<number>;
  readonly edgeLength: ArrayLike<number>;
  readonly edgeChild: ArrayLike<number>;
  /** The labels of all edges, one after another. */
  readonly labelText: string;
  readonly rulesRoot: number;
  /** The rules that begin with '!'. */
  readonly exceptionsRoot: number;
}

const WILDCARD = 0x2a;
const HASH_SEED = 5381;
const NONE = -1;

/**
 * Looks hosts up as they lie in memory. The package's own lookup takes strings, and with one made of each
 * host it took 770 ns where this takes 480. It is tested against it, rule by rule.
 */
export class SuffixLookup {
  readonly #trie: SuffixTrie;
  readonly #labels: Uint16Array;
  readonly #labelStarts: Uint32Array;
  readonly #wildcards: Int32Array;
  /** Edge + 1 by hash of node and label, with linear probing; at most half full. */
  readonly #table: Uint32Array;
  readonly #mask: number;
  #matchStart = NONE;
  #matchEnd = NONE;

  constructor(trie: SuffixTrie) {
    this.#trie = trie;
    this.#labels = Uint16Array.from({ length: trie.labelText.length }, (_, at) => trie.labelText.charCodeAt(at));
    this.#labelStarts = new Uint32Array(trie.edgeLength.length);
    this.#wildcards = new Int32Array(trie.nodeFlags.length).fill(NONE);
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * trie.edgeLength.length)));
    this.#mask = this.#table.length - 1;
    this.#addEdges();
  }

  /** Where the public suffix of the host at bytes [start, end) begins. `sections` are bits as in nodeFlags. */
  suffixStart(bytes: Uint8Array, start: number, end: number, sections: number): number {
    this.#walk(bytes, start, end, sections, this.#trie.exceptionsRoot);
    if (this.#matchStart !== NONE) return this.#matchEnd + 1; // an exception is its rule without the first label
    this.#walk(bytes, start, end, sections, this.#trie.rulesRoot);
    if (this.#matchStart !== NONE) return this.#matchStart;
    let lastLabel = end; // the rule '*', which holds where no other does
    while (lastLabel > start && bytes[lastLabel - 1] !== FULL_STOP) lastLabel--;
    return lastLabel;
  }

  /** Sets the bounds of the first label of the longest rule that matches. */
  #walk(bytes: Uint8Array, start: number, end: number, sections: number, root: number): void {
    const { nodeFlags, edgeChild } = this.#trie;
    let node = root;
    let labelEnd = end;
    let hash = HASH_SEED;
    this.#matchStart = NONE;
    for (let at = end - 1; at >= start - 1; at--) {
      if (at >= start && bytes[at] !== FULL_STOP) {
        hash = (Math.imul(hash, 33) ^ bytes[at]!) | 0;
        continue;
      }
      const edge = this.#edge(node, hash, bytes, at + 1, labelEnd);
      if (edge === NONE) return;
      node = edgeChild[edge]!;
      if ((nodeFlags[node]! & sections) !== 0) {
        this.#matchStart = at + 1;
        this.#matchEnd = labelEnd;
      }
      labelEnd = at;
      hash = HASH_SEED;
    }
  }

  #edge(node: number, hash: number, bytes: Uint8Array, start: number, end: number): number {
    for (let slot = this.#slot(node, hash); this.#table[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const edge = this.#table[slot]! - 1;
      if (this.#isEdgeOf(edge, node) && this.#isLabel(edge, bytes, start, end)) return edge;
    }
    return this.#wildcards[node]!;
  }

  #isEdgeOf(edge: number, node: number): boolean {
    return edge >= this.#trie.edgeStart[node]! && edge < this.#trie.edgeStart[node + 1]!;
  }

  #isLabel(edge: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#trie.edgeLength[edge] !== end - start) return false;
    const shift = this.#labelStarts[edge]! - start;
    for (let at = start; at < end; at++) {
      if (this.#labels[at + shift] !== bytes[at]) return false;
    }
    return true;
  }

  #slot(node: number, hash: number): number {
    const mixed = Math.imul(hash ^ Math.imul(node, 0x9e3779b1), 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }

  #addEdges(): void {
    const { edgeStart, edgeLength, nodeFlags } = this.#trie;
    let labelStart = 0;
    for (let node = 0; node < nodeFlags.length; node++) {
      for (let edge = edgeStart[node]!; edge < edgeStart[node + 1]!; edge++) {
        this.#labelStarts[edge] = labelStart;
        this.#addEdge(node, edge, labelStart, labelStart + edgeLength[edge]!);
        labelStart += edgeLength[edge]!;
      }
    }
  }

  #addEdge(node: number, edge: number, labelStart: number, labelEnd: number): void {
    if (labelEnd - labelStart === 1 && this.#labels[labelStart] === WILDCARD) this.#wildcards[node] = edge;
    let hash = HASH_SEED;
    for (let at = labelEnd - 1; at >= labelStart; at--) hash = (Math.imul(hash, 33) ^ this.#labels[at]!) | 0;
    let slot = this.#slot(node, hash);
    while (this.#table[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#table[slot] = edge + 1;
  }
}
