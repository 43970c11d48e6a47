import * as assert from 'uvu/assert';
import type { Explanation, Span } from '../../../src/entries/explain.ts';

/** `PART: CHANGE: TEXT` of each step. */
export function told({ steps }: Explanation): string[] {
  return steps.map(({ part, change, text }) => `${part ?? 'whole'}: ${change}: ${text}`);
}

/**
 * Checks what holds of every explanation: each step changes the text and says why, and the last one leaves what was
 * promised.
 */
export function checkExplanation(explanation: Explanation, canonical: string | undefined): void {
  const { input, steps, failure, profile } = explanation;
  const message = `${profile}: ${JSON.stringify(input)}`;
  let before = input;
  for (const { text, change, clause, part, span } of steps) {
    assert.is.not(text, before, message);
    assert.match(change, /^[a-z. ]/i, message);
    assert.match(
      clause.name,
      /^(?:URL Standard|docs\/parameters\.md, |Web Risk|Safe Browsing v5|draft-feather|Hash-URI|RFC 3629)/,
      message,
    );
    if (span !== undefined) assert.ok(part !== undefined && isSpanOf(text, span), `${message}: ${part} at ${span}`);
    before = text;
  }
  assert.is(explanation.canonical, canonical, message);
  if (canonical !== undefined) assert.is(before, canonical, message);
  else assert.ok(failure!.sentence !== '' && (failure!.span === undefined || isSpanOf(input, failure!.span)), message);
  for (const { given, canonical: span } of explanation.parts) {
    assert.ok(given === undefined || isSpanOf(input, given), message);
    assert.ok(span === undefined || isSpanOf(canonical!, span), message);
  }
}

function isSpanOf(text: string, [start, end]: Span): boolean {
  return start >= 0 && start <= end && end <= text.length;
}

/** Returns what a failure marks: `POSITION TEXT`. */
export function marked({ input, failure }: Explanation): string {
  const [start, end] = failure!.span!;
  return `${start} ${input.slice(start, end)}`;
}
