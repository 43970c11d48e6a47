import { TEXT } from '../../assembly/layout.ts';
import { QUESTION_MARK } from '../bytes/code-points.ts';
import type { UrlForm } from '../url/options.ts';
import type { ParameterRules } from '../url/parameters.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives a row to each line of [TEXT, end), as `Kernel.scan` does, with the form's parameters. */
export function scanLines(kernel: Kernel, { excludeFragment, parameters }: UrlForm, end: number): number {
  const rowCount = kernel.scan(TEXT, end, excludeFragment);
  applyRules(parameters, kernel.memory, rowCount);
  return rowCount;
}

/** The same for the rows at ROWS, as `Kernel.scanRows` does. */
export function scanRows(
  kernel: Kernel,
  { excludeFragment, parameters }: UrlForm,
  start: number,
  rowCount: number,
): void {
  kernel.scanRows(start, rowCount, excludeFragment);
  applyRules(parameters, kernel.memory, rowCount);
}

/**
 * Rewrites the queries of the messages that scan left, where they lie, and counts those that lost a parameter. They lie
 * in two runs, each in the order of its rows: canonical lines in the text, rewritten ones after it. In each the next
 * question mark is looked for once, by the host's own search, so that a line without a query costs a comparison.
 */
function applyRules(rules: ParameterRules | undefined, memory: Memory, rowCount: number): void {
  memory.strippedCount = 0;
  if (rules === undefined) return;
  const { bytes, spans, pending, pendingCount, scannedEnd, roomEnd } = memory;
  const written = bytes.subarray(0, roomEnd); // a search that finds nothing ends there
  const questions = [0, 0];
  let nextPending = 0;
  for (let row = 0; row < rowCount; row++) {
    if (nextPending < pendingCount && pending[nextPending] === row) {
      nextPending++;
      continue;
    }
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    const run = start < scannedEnd ? 0 : 1;
    if (questions[run]! < start) questions[run] = indexFrom(written, start);
    const question = questions[run]!;
    if (question >= end) continue;
    const newEnd = rules.applyToBytes(bytes, start, question, end);
    spans[2 * row + 1] = newEnd - start;
    if (newEnd < end) memory.strippedCount++;
  }
}

function indexFrom(written: Uint8Array, start: number): number {
  const found = written.indexOf(QUESTION_MARK, start);
  return found === -1 ? written.length : found;
}
