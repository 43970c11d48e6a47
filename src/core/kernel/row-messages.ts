// The messages of rows in a kernel's memory, where the kernel alone cannot finish them: domains that it has not seen, and
// parameters, which JavaScript rewrites.

import { LEAVE_HOSTS, TEXT_END } from '../../../assembly/layout.ts';
import { moved } from '../bytes/code-points.ts';
import { decodeLine, writeAscii } from '../bytes/text.ts';
import type { CompiledOptions } from '../url/canonicalize.ts';
import { toAscii } from '../url/idna.ts';
import type { UrlForm } from '../url/options.ts';
import type { PageRules } from '../url/page-rules.ts';
import type { Kernel, Memory } from './kernel.ts';
import { addLetters } from './letters.ts';

/**
 * Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them, and returns
 * how many lost a parameter.
 */
export function classify(kernel: Kernel, { form, base }: CompiledOptions, rowCount: number, room: number): number {
  const { memory } = kernel;
  const { excludeFragment, rules, unicode } = form;
  const hasDefaultScheme = typeof base === 'string';
  if (rules?.sites !== undefined) memory.loadSites(rules.sites.hostTable);
  memory.unicodeVersion = unicode;
  const leaves = (rules?.leaves ?? 0) | (hasDefaultScheme ? LEAVE_HOSTS : 0);
  kernel.classifyRows(rowCount, room, excludeFragment, rules?.folds ?? 0, rules?.lists ?? 0, leaves);
  if (memory.pendingCount > 0) addDomains(kernel, form, rules !== undefined || hasDefaultScheme);
  return rules === undefined ? 0 : applyRules(rules, memory);
}

/**
 * Adds the domains of pending rows, and their letters, to those that the kernel knows, and has it rewrite these rows:
 * of the line only the domain becomes a string. If the form has rules, these rows stay pending for the parser, and later
 * ones with the same domain are rewritten in the kernel.
 */
function addDomains(kernel: Kernel, { excludeFragment, unicode }: UrlForm, hasRules: boolean): void {
  const { memory, rewriteRow } = kernel;
  const { pending, pendingCount, spans, rowStarts, rowEnds } = memory;
  if (rewriteRow === undefined) return;
  let left = 0;
  for (let index = 0; index < pendingCount; index++) {
    const row = pending[index]!;
    const domain = spans[2 * row]!;
    const isDomain = domain > rowStarts[row]! && domain < rowEnds[row]!;
    // an earlier row may have added this domain already, or its letters; before the first one nothing was added
    if (isDomain && !hasRules && index > 0 && rewriteRow(row, excludeFragment)) continue;
    if (isDomain) addDomain(kernel, domain, spans[2 * row + 1]!, unicode);
    if (isDomain && !hasRules && rewriteRow(row, excludeFragment)) continue;
    pending[left++] = row;
  }
  memory.pendingCount = left;
  memory.rewrittenCount += pendingCount - left;
}

function addDomain({ memory, addDomain }: Kernel, address: number, byteLength: number, unicode: number): void {
  const end = address + byteLength;
  const domain = decodeLine(memory.bytes.subarray(address, end));
  addLetters(memory.letters, domain, unicode);
  const ascii = toAscii(domain, unicode);
  const { roomEnd } = memory;
  if (ascii.length > TEXT_END - roomEnd) return;
  writeAscii(memory.bytes, roomEnd, ascii);
  addDomain?.(address, end, roomEnd, roomEnd + ascii.length);
}

/** Rewrites the queries of those of the listed messages that the rules change, and returns how many lost a parameter. */
function applyRules(rules: PageRules, memory: Memory): number {
  const { bytes, spans, listed, listedCount, pending } = memory;
  if (rules.variance !== undefined) {
    // their queries may become longer: the parser has room for them
    for (let at = 0; at < 4 * listedCount; at += 4) pending[memory.pendingCount++] = listed[at]!;
    pending.subarray(0, memory.pendingCount).sort();
    return 0;
  }
  let strippedCount = 0;
  for (let at = 0; at < 4 * listedCount; at += 4) {
    const [row, queryStart, queryEnd] = [listed[at]!, listed[at + 2]!, listed[at + 3]!];
    const parameters = rules.parametersOf(listed[at + 1]!);
    if (!parameters.affects(bytes, queryStart, queryEnd)) continue;
    const keptEnd = parameters.write(bytes, queryStart, queryEnd, queryStart);
    moved(bytes, queryEnd, spans[2 * row]! + spans[2 * row + 1]!, keptEnd);
    spans[2 * row + 1]! -= queryEnd - keptEnd;
    if (parameters.hasDropped) strippedCount++;
  }
  return strippedCount;
}
