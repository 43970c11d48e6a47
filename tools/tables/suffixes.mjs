// src/specs/safe-browsing/public-suffix-table.txt: its data are the Public Suffix List as tldts packs it.

import * as trie from 'tldts/dist/es6/src/data/trie.js';
import { sourceModule } from '../sources.mjs';

const format = await sourceModule("export * from './src/specs/safe-browsing/suffix-trie.ts';");
const { FLAG_MARKS, NEW_NODE, KNOWN_NODE, END_OF_NODE, SHARED_LENGTHS } = format;

/**
 * The nodes of tldts's trie with those that say the same made one, and without the labels beyond ASCII: a canonical
 * host has none, and the list has each in Punycode, too.
 *
 * @typedef {{ flags: number, edges: { label: string, child: Node }[] }} Node
 */
function sharedNodes() {
  const { nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot } = trie;
  const labelStarts = [];
  for (let edge = 0, at = 0; edge < edgeLength.length; at += edgeLength[edge++]) labelStarts.push(at);
  const labelOf = (edge) => labelText.slice(labelStarts[edge], labelStarts[edge] + edgeLength[edge]);
  const known = new Map();
  const made = new Map();
  const nodeOf = (number) => made.get(number) ?? made.set(number, shared(number)).get(number);
  function shared(number) {
    const node = { flags: nodeFlags[number], edges: [] };
    for (let edge = edgeStart[number]; edge < (edgeStart[number + 1] ?? edgeLength.length); edge++)
      if (/^[!-~]+$/.test(labelOf(edge))) node.edges.push({ label: labelOf(edge), child: nodeOf(edgeChild[edge]) });
    // one section after the other, so that few edges say theirs: 0.4 kB less with brotli
    node.edges.sort((one, other) => one.child.flags - other.child.flags || (one.label < other.label ? -1 : 1));
    const key = `${node.flags} ${node.edges.map(({ label, child }) => `${label}=${child.key}`).join(' ')}`;
    const same = known.get(key) ?? { ...node, key: known.size };
    known.set(key, same);
    return same;
  }
  return [nodeOf(rulesRoot), nodeOf(exceptionsRoot)];
}

function suffixText(roots) {
  const nodes = [...roots];
  let text = '';
  let labelBytes = 0;
  let before = { label: '', flags: 0 };
  for (const { edges } of nodes) {
    for (const { label, child } of edges) {
      if (!/^[-*0-9a-z]+$/.test(label)) throw new Error(`the label ${label} holds what this format has for marks`);
      text += edgeText(label, child, before, nodes);
      labelBytes += label.length;
      before = { label, flags: child.flags };
    }
    text += END_OF_NODE;
  }
  return { text, labelBytes };
}

function edgeText(label, child, before, nodes) {
  const shared = sharedLength(label, before.label);
  const flagMark = child.flags === before.flags ? '' : FLAG_MARKS[child.flags];
  return SHARED_LENGTHS[shared] + label.slice(shared) + flagMark + nodeText(child, nodes);
}

/** A node that is new joins the nodes to be written. */
function nodeText(node, nodes) {
  if (node.edges.length === 0) return '';
  const number = nodes.indexOf(node);
  if (number !== -1) return `${KNOWN_NODE}${format.RULES_ROOT + number}`;
  nodes.push(node);
  return NEW_NODE;
}

function sharedLength(one, other) {
  let length = 0;
  while (length < SHARED_LENGTHS.length - 1 && length < other.length && one[length] === other[length]) length++;
  return length;
}

/** The byte length of all labels, and the trie. */
export function suffixTable() {
  const { text, labelBytes } = suffixText(sharedNodes());
  return `${labelBytes}\n${text}\n`;
}
