import { TEXT_END } from '../../assembly/layout.ts';
import type { UrlForm } from '../url/options.ts';
import type { PageRules } from '../url/page-rules.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them. */
export function classify(kernel: Kernel, { excludeFragment, rules }: UrlForm, rowCount: number, room: number) {
  const { memory } = kernel;
  kernel.classifyRows(rowCount, room, excludeFragment);
  memory.strippedCount = 0;
  if (rules === undefined || kernel.foldPages === undefined) return;
  if (rules.hostBits !== undefined) memory.loadSites(rules.hostBits);
  kernel.foldPages(rowCount, rules.asked);
  if (memory.listedCount > 0) applyRules(rules, memory);
}

/**
 * Rewrites those of the listed messages that the rules change, and counts those that lost a parameter. A row that is its
 * own message stays, and its message moves to the free room, as one that gets longer does.
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
    const room = memory.roomEnd;
    if (isMoved && room + end - start >= TEXT_END) {
      while (nextPending < memory.pendingCount && pending[nextPending]! < row) nextPending++;
      memory.insertPending(nextPending, row); // the room is full
      continue;
    }
    const distance = isMoved ? room + Number(rules.isUpgraded) - start : 0;
    if (isMoved) {
      bytes.copyWithin(start + distance, start, end);
      rules.moveBy(distance);
    }
    const message = isMoved ? room : start;
    const newEnd = rules.write(bytes, end + distance, message);
    if (isMoved) memory.roomEnd = newEnd;
    memory.setSpan(row, message, newEnd - message);
    if (rules.hasDropped) memory.strippedCount++;
  }
}
