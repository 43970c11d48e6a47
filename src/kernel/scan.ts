import { TEXT_END } from '../../assembly/layout.ts';
import type { UrlForm } from '../url/options.ts';
import type { PageRules } from '../url/page-rules.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them. */
export function classify(kernel: Kernel, { excludeFragment, rules }: UrlForm, rowCount: number, room: number) {
  const { memory } = kernel;
  if (rules?.hostTable !== undefined) memory.loadSites(rules.hostTable);
  kernel.classifyRows(rowCount, room, excludeFragment, rules?.asked ?? 0);
  memory.strippedCount = 0;
  if (rules !== undefined && memory.listedCount > 0) applyRules(rules, memory);
}

/**
 * Rewrites those of the listed messages that the rules change, and counts those that lost a parameter. A row that is its
 * own message stays, and its message is written to the free room, as one that gets longer is.
 */
function applyRules(rules: PageRules, memory: Memory): void {
  const { bytes, spans, rowStarts, pending, listed, listedCount } = memory;
  let nextPending = 0;
  for (let at = 0; at < 4 * listedCount; at += 4) {
    const row = listed[at]!;
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    if (!rules.affects(bytes, start, listed[at + 1]!, listed[at + 2]!, listed[at + 3]!)) continue;
    const isMoved = start === rowStarts[row] || rules.isUpgraded;
    const message = isMoved ? memory.roomEnd : start;
    if (isMoved && message + end - start >= TEXT_END) {
      while (nextPending < memory.pendingCount && pending[nextPending]! < row) nextPending++;
      memory.insertPending(nextPending, row); // the room is full
      continue;
    }
    const newEnd = rules.write(bytes, end, message);
    if (isMoved) memory.roomEnd = newEnd;
    memory.setSpan(row, message, newEnd - message);
    if (rules.hasDropped) memory.strippedCount++;
  }
}
