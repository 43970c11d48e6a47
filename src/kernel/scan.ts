import { SCRATCH_END, TEXT_END } from '../../assembly/layout.ts';
import { QUESTION_MARK } from '../bytes/code-points.ts';
import type { UrlForm } from '../url/options.ts';
import type { ParameterRules } from '../url/parameters.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives the rows their messages, as `Kernel.classifyRows` does, without the parameters that the form drops. */
export function classify(kernel: Kernel, { excludeFragment, parameters }: UrlForm, rowCount: number, room: number) {
  kernel.classifyRows(rowCount, room, excludeFragment);
  kernel.memory.strippedCount = 0;
  if (parameters !== undefined) applyRules(parameters, kernel.memory, rowCount);
}

/**
 * Rewrites the queries of messages, and counts those that lost a parameter; a row that is its own message stays, and
 * its message moves to the free room. Messages are in two runs, each in the order of the rows: canonical rows in the
 * text, rewritten ones after it. In each the next question mark is searched for once, by the host's own search, so that
 * a row without a query costs one comparison.
 */
function applyRules(rules: ParameterRules, memory: Memory, rowCount: number): void {
  const { bytes, spans, rowStarts, pending, roomEnd } = memory;
  const written = bytes.subarray(0, roomEnd); // a search that finds nothing ends there
  const questions = [0, 0];
  let nextPending = 0;
  for (let row = 0; row < rowCount; row++) {
    if (nextPending < memory.pendingCount && pending[nextPending] === row) {
      nextPending++;
      continue;
    }
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    const run = start === rowStarts[row] ? 0 : 1;
    if (questions[run]! < start) questions[run] = indexFrom(written, start);
    const question = questions[run]!;
    if (question >= end || !rules.affects(bytes, start, question, end)) continue;
    const message = run === 1 ? start : memory.roomEnd;
    if (message + end - start > TEXT_END) {
      memory.insertPending(nextPending++, row); // the room is full
      continue;
    }
    if (run === 0) {
      bytes.copyWithin(message, start, end);
      memory.roomEnd = message + end - start;
    }
    const newEnd = rules.applyToBytes(bytes, message + question - start, message + end - start);
    memory.setSpan(row, message, newEnd - message);
    if (newEnd - message < end - start) memory.strippedCount++;
  }
}

function indexFrom(written: Uint8Array, start: number): number {
  const found = written.indexOf(QUESTION_MARK, start);
  return found === -1 ? SCRATCH_END : found;
}
