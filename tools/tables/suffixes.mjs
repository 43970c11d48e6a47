// src/specs/safe-browsing/public-suffix-table.txt: its data are the Public Suffix List as tldts packs it.

import { getPublicSuffix } from 'tldts';
import * as trie from 'tldts/dist/es6/src/data/trie.js';
import { knownHosts, literal, sourceModule } from './generated.mjs';

const format = await sourceModule('src/specs/safe-browsing/suffix-trie.ts');
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
  return `${labelBytes}\n${literal(text)}\n`;
}

// Compares look-ups in the bundled table with tldts, which has a look-up of its own: every rule and what stands below
// and beside it, a million random domains, and the hosts of web-platform-tests and of the corpora in ../shared/data.

const ICANN = 1;
const PRIVATE = 2;
const SECTIONS = [ICANN, PRIVATE, ICANN | PRIVATE];
const RANDOM_DOMAINS = 1_000_000;

export async function checkSuffixes() {
  const { publicSuffixes } = await sourceModule('src/specs/safe-browsing/public-suffixes.ts');
  const { SuffixLookup } = await sourceModule('src/specs/safe-browsing/suffix-lookup.ts');
  const { randomFrom, SEED } = await sourceModule('test/support/random.ts');
  const lookup = new SuffixLookup(publicSuffixes());
  const compare = (name, hosts) => compareHosts(lookup, name, hosts);

  const rules = rulesOf(trie);
  compare('rules, and what stands below and beside them', rules.flatMap(hostsAbout));
  compare('random domains', randomDomains(rules, randomFrom(SEED)));
  for (const [name, hosts] of await knownHosts()) compare(name, hosts);
}

function compareHosts(lookup, name, hosts) {
  let [count, found] = [0, 0];
  for (const host of hosts) {
    if (!/^(?:[-_*0-9a-z]+\.)*[-_*0-9a-z]+$/.test(host)) continue;
    const bytes = Buffer.from(host);
    for (const sections of SECTIONS) {
      const suffix = host.slice(lookup.suffixStart(bytes, 0, bytes.length, sections));
      const expected = getPublicSuffix(host, {
        allowIcannDomains: (sections & ICANN) !== 0,
        allowPrivateDomains: (sections & PRIVATE) !== 0,
        extractHostname: false,
        detectIp: false,
        validateHostname: false,
      });
      if (suffix !== expected) throw new Error(`${host}: ${suffix}, not ${expected}, in sections ${sections}`);
      if (suffix.includes('.')) found++;
    }
    count++;
  }
  if (count === 0) throw new Error(`${name}: none`);
  console.log(`${name}: ${count} agree in all three choices of sections; ${found} suffixes of several labels`);
}

/** The rules and exceptions in ASCII, a word for each wildcard. */
function rulesOf({ nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot }) {
  const labelStarts = [];
  for (let edge = 0, at = 0; edge < edgeLength.length; at += edgeLength[edge++]) labelStarts.push(at);
  const below = (node, suffix) => {
    const found = nodeFlags[node] !== 0 && suffix !== '' ? [suffix] : [];
    for (let edge = edgeStart[node]; edge < (edgeStart[node + 1] ?? edgeLength.length); edge++) {
      const label = labelText.slice(labelStarts[edge], labelStarts[edge] + edgeLength[edge]).replace('*', 'wild');
      found.push(...below(edgeChild[edge], suffix === '' ? label : `${label}.${suffix}`));
    }
    return found;
  };
  const rules = [...below(rulesRoot, ''), ...below(exceptionsRoot, '')];
  return rules.filter((rule) => /^[!-~]*$/.test(rule));
}

function hostsAbout(rule) {
  const parent = rule.slice(rule.indexOf('.') + 1);
  return [rule, `a.${rule}`, `b.a.${rule}`, `x${rule}`, `a.x${rule}`, `${rule}x`, parent, `a.${parent}`, `*.${rule}`];
}

/** Labels of rules in any order below a rule, and letters of theirs changed. */
function* randomDomains(rules, next) {
  const pick = (list) => list[next(list.length)];
  for (let round = 0; round < RANDOM_DOMAINS; round++) {
    const labels = [...pick(rules).split('.'), ...pick(rules).split('.')];
    const kept = labels.slice(next(labels.length));
    if (next(3) === 0)
      kept.splice(next(kept.length + 1), 0, pick(['a', 'www', 'wild', '*', 'x-y', 'com', 'jp', 'kobe']));
    if (next(4) === 0) kept[next(kept.length)] += pick(['x', '0', '-', 'a']);
    yield kept.join('.');
  }
}
