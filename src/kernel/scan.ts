import { SCRATCH_END, TEXT_END } from '../../assembly/layout.ts';
import { NUMBER_SIGN, QUESTION_MARK } from '../bytes/code-points.ts';
import type { UrlForm } from '../url/options.ts';
import type { PageRules } from '../url/page-rules.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives the rows their messages, as `Kernel.classifyRows` does, with the rules of the form applied to them. */
export function classify(kernel: Kernel, { excludeFragment, rules }: UrlForm, rowCount: number, room: number) {
  kernel.classifyRows(rowCount, room, excludeFragment);
  kernel.memory.strippedCount = 0;
  if (rules !== undefined) applyRules(rules, kernel.memory, rowCount);
}

/**
 * Rewrites the messages that the rules change, and counts those that lost a parameter; a row that is its own message
 * stays, and its message moves to the free room, as one that gets longer does. Messages are in two runs, each in the
 * order of the rows: canonical rows in the text, rewritten ones after it.
 */
function applyRules(rules: PageRules, memory: Memory, rowCount: number): void {
  const { bytes, spans, rowStarts, pending, roomEnd } = memory;
  const written = bytes.subarray(0, roomEnd); // a search that finds nothing ends there
  const questions = [new NextMark(written, QUESTION_MARK), new NextMark(written, QUESTION_MARK)];
  const fragments = [new NextMark(written, NUMBER_SIGN), new NextMark(written, NUMBER_SIGN)];
  let nextPending = 0;
  for (let row = 0; row < rowCount; row++) {
    if (nextPending < memory.pendingCount && pending[nextPending] === row) {
      nextPending++;
      continue;
    }
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    const run = start === rowStarts[row] ? 0 : 1;
    const question = questions[run]!.from(start);
    if (question >= end && !rules.readsPages) continue;
    const queryEnd = Math.min(fragments[run]!.from(start), end);
    if (!rules.affects(bytes, start, Math.min(question, queryEnd), queryEnd)) continue;
    const isMoved = run === 0 || rules.isUpgraded;
    if (isMoved && memory.roomEnd + end - start >= TEXT_END) {
      memory.insertPending(nextPending++, row); // the room is full
      continue;
    }
    const message = isMoved ? memory.roomEnd : start;
    const newEnd = rules.write(bytes, end, message);
    if (isMoved) memory.roomEnd = newEnd;
    memory.setSpan(row, message, newEnd - message);
    if (rules.hasDropped) memory.strippedCount++;
  }
}

/**
 * Where a byte comes next in a run of messages: searched for once, by the host's own search, so that a row without one
 * costs a comparison.
 */
class NextMark {
  readonly #written: Uint8Array;
  readonly #byte: number;
  #at = 0;

  constructor(written: Uint8Array, byte: number) {
    this.#written = written;
    this.#byte = byte;
  }

  /** Returns the first address that is not before `start`, which never gets smaller; SCRATCH_END if there is none. */
  from(start: number): number {
    if (this.#at >= start) return this.#at;
    const found = this.#written.indexOf(this.#byte, start);
    this.#at = found === -1 ? SCRATCH_END : found;
    return this.#at;
  }
}
