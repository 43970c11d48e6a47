import { TEXT } from '../../assembly/layout.ts';
import { QUESTION_MARK } from '../bytes/code-points.ts';
import type { UrlForm } from '../url/options.ts';
import type { ParameterRules } from '../url/parameters.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** Gives a row to each line of [TEXT, end), as `Kernel.scan` does, with the form's parameters. */
export function scanLines(kernel: Kernel, { excludeFragment, parameters }: UrlForm, end: number): number {
  const rowCount = kernel.scan(TEXT, end, excludeFragment);
  if (parameters !== undefined) applyRules(parameters, kernel.memory, rowCount, end);
  return rowCount;
}

/** The same for the rows at ROWS, as `Kernel.scanRows` does. */
export function scanRows(kernel: Kernel, form: UrlForm, start: number, rowCount: number): void {
  kernel.scanRows(start, rowCount, form.excludeFragment);
  if (form.parameters !== undefined) applyRules(form.parameters, kernel.memory, rowCount, kernel.memory.scannedEnd);
}

/**
 * Rewrites the queries of the messages that scan left, where they lie. They lie in two runs, each in the order of its
 * rows: canonical lines before `textEnd`, rewritten ones from there on. In each the next question mark is looked for
 * once, by the host's own search, so that a line without a query costs a comparison.
 */
function applyRules(rules: ParameterRules, memory: Memory, rowCount: number, textEnd: number): void {
  const { bytes, spans, pending, pendingCount } = memory;
  let [nextInText, nextInRoom] = [0, 0];
  let nextPending = 0;
  for (let row = 0; row < rowCount; row++) {
    if (nextPending < pendingCount && pending[nextPending] === row) {
      nextPending++;
      continue;
    }
    const start = spans[2 * row]!;
    const end = start + spans[2 * row + 1]!;
    const isInText = start < textEnd;
    let question = isInText ? nextInText : nextInRoom;
    if (question < start) {
      question = indexFrom(bytes, start);
      if (isInText) nextInText = question;
      else nextInRoom = question;
    }
    if (question < end) spans[2 * row + 1] = rules.applyToBytes(bytes, start, end) - start;
  }
}

function indexFrom(bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(QUESTION_MARK, start);
  return found === -1 ? bytes.length : found;
}
