// The Public Suffix List's algorithm (https://github.com/publicsuffix/list/wiki/Format) on the tables that
// src/specs/safe-browsing/suffix-list.ts writes and, where there is no SIMD, reads itself.

import {
  EDGE_CHILD, EDGE_LABEL, EDGE_LENGTH, EDGE_NODE, EDGES, EXCEPTIONS_ROOT, HAS_EXCEPTIONS, LABELS, RULES_ROOT,
  SLOT_MASK, SLOTS, SUFFIXES, WILDCARDS,
} from './layout';

const NONE: u32 = 0xffffffff;

/** Returns the offset of the last label of a host with these dots. */
// @ts-ignore: decorator
@inline export function lastLabel(dots: u64): u32 { return 64 - <u32>clz(dots); }

/** Returns the offset in a host of its public suffix. */
export function suffixStart(host: usize, length: u32, dots: u64, sections: u32): u32 {
  const label = lastLabel(dots);
  const top = edgeOf(load<u32>(SUFFIXES + RULES_ROOT), host + label, length - label);
  if (top == 0) return label; // the rule '*', which applies if no other does
  if ((load<u32>(top, EDGE_LENGTH) & HAS_EXCEPTIONS) != 0) {
    const exceptionTop = edgeOf(load<u32>(SUFFIXES + EXCEPTIONS_ROOT), host + label, length - label);
    const exception = walk(host, length, dots, sections, exceptionTop, true);
    if (exception != NONE) return exception;
  }
  const rule = walk(host, length, dots, sections, top, false);
  return rule == NONE ? label : rule;
}

/**
 * Returns the offset of the longest matching rule whose last label led to `edge`, or NONE. Of an exception, the first
 * label does not count.
 */
function walk(host: usize, length: u32, dots: u64, sections: u32, edge: usize, isException: bool): u32 {
  let match = NONE, labelEnd = length;
  while (edge != 0) {
    const label = lastLabel(dots & (((<u64>1) << labelEnd) - 1));
    if (((load<u32>(edge, EDGE_LENGTH) >> 16) & sections) != 0) match = isException ? labelEnd + 1 : label;
    if (label == 0) break;
    labelEnd = label - 1;
    const next = lastLabel(dots & (((<u64>1) << labelEnd) - 1));
    edge = edgeOf(load<u32>(edge, EDGE_CHILD), host + next, labelEnd - next);
  }
  return match;
}

/** Returns the address of the edge from a node for a label, or else for any label, or else 0. */
function edgeOf(node: u32, label: usize, length: u32): usize {
  const slots = SUFFIXES + load<u32>(SUFFIXES + SLOTS), edges = SUFFIXES + load<u32>(SUFFIXES + EDGES) - 16;
  const mask = load<u32>(SUFFIXES + SLOT_MASK);
  let slot = hashOf(node, label, length) & mask;
  for (let edge: u32; (edge = load<u32>(slots + (slot << 2))) != 0; slot = (slot + 1) & mask) {
    const at = edges + (edge << 4);
    if (load<u32>(at, EDGE_NODE) == node && isLabel(at, label, length)) return at;
  }
  const wildcard = load<u32>(SUFFIXES + load<u32>(SUFFIXES + WILDCARDS) + (node << 2));
  return wildcard == 0 ? 0 : edges + (wildcard << 4);
}

// @ts-ignore: decorator
@inline function isLabel(edge: usize, label: usize, length: u32): bool {
  if ((load<u32>(edge, EDGE_LENGTH) & 0xffff) != length) return false;
  const known = SUFFIXES + load<u32>(SUFFIXES + LABELS) + load<u32>(edge, EDGE_LABEL);
  for (let at: u32 = 0; at < length; ++at) if (load<u8>(known + at) != load<u8>(label + at)) return false;
  return true;
}

/** Hashes four bytes at a time, the last of them padded with zeros. */
// @ts-ignore: decorator
@inline function hashOf(node: u32, label: usize, length: u32): u32 {
  let hash = node * 0x9e3779b1, at: u32 = 0;
  for (; at + 4 <= length; at += 4) hash = rotl((hash ^ load<u32>(label + at)) * 0x85ebca6b, 15);
  const rest = load<u32>(label + at) & ((1 << ((length & 3) << 3)) - 1);
  const mixed = (hash ^ rest) * 0x85ebca6b;
  return mixed ^ (mixed >> 15);
}
