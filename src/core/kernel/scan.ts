import { DEFAULT_SCHEME } from '../../../assembly/layout.ts';
import { moved } from '../bytes/code-points.ts';
import type { CompiledOptions } from '../url/canonicalize.ts';
import type { PageRules } from '../url/page-rules.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/**
 * Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them, and returns
 * how many lost a parameter.
 */
export function classify(kernel: Kernel, { form, base }: CompiledOptions, rowCount: number, room: number): number {
  const { memory } = kernel;
  const { excludeFragment, rules } = form;
  const asked = (rules?.asked ?? 0) | (typeof base === 'string' ? DEFAULT_SCHEME : 0);
  if (rules?.sites !== undefined) memory.loadSites(rules.sites.hostTable);
  kernel.classifyRows(rowCount, room, excludeFragment, asked);
  return rules === undefined ? 0 : applyRules(rules, memory);
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
    if (keptEnd < queryEnd) strippedCount++;
  }
  return strippedCount;
}
