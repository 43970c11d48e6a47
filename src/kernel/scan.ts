import { TEXT_END } from '../../assembly/layout.ts';
import type { UrlForm } from '../url/options.ts';
import type { PageRules } from '../url/page-rules.ts';
import { moved } from '../url/parameters.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/**
 * Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them, and returns
 * how many lost a parameter.
 */
export function classify(kernel: Kernel, { excludeFragment, rules }: UrlForm, rowCount: number, room: number): number {
  const { memory } = kernel;
  if (rules?.siteRules !== undefined) memory.loadSites(rules.siteRules.hostTable);
  kernel.classifyRows(rowCount, room, excludeFragment, rules?.asked ?? 0);
  return rules === undefined ? 0 : applyRules(rules, memory);
}

/**
 * Rewrites the queries of those of the listed messages that the rules change, and returns how many lost a parameter. A
 * row that is its own message stays, and its message is written to the free room.
 */
function applyRules(rules: PageRules, memory: Memory): number {
  const { bytes, spans, rowStarts, listed, listedCount } = memory;
  let strippedCount = 0;
  for (let at = 0; at < 4 * listedCount; at += 4) {
    const [row, queryStart, queryEnd] = [listed[at]!, listed[at + 2]!, listed[at + 3]!];
    const parameters = rules.parametersOf(listed[at + 1]!);
    if (!parameters.affects(bytes, queryStart, queryEnd)) continue;
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    const isMoved = start === rowStarts[row];
    const message = isMoved ? memory.roomEnd : start;
    if (isMoved && message + end - start > TEXT_END) {
      memory.insertPending(row); // the room is full
      continue;
    }
    const query = moved(bytes, start, queryStart, message);
    const keptEnd = parameters.write(bytes, queryStart, queryEnd, query);
    const newEnd = moved(bytes, queryEnd, end, keptEnd);
    if (isMoved) memory.roomEnd = newEnd;
    memory.setSpan(row, message, newEnd - message);
    if (keptEnd - query < queryEnd - queryStart) strippedCount++;
  }
  return strippedCount;
}
