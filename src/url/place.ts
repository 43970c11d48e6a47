import type { FailurePlace, FailureReason } from './failure.ts';
import { FORBIDDEN_DOMAIN, FORBIDDEN_HOST } from './forbidden.ts';
import { partsOf } from './parts.ts';

/** What a failure's reason is about, where it is one character of the part. */
const CULPRITS: Partial<Record<FailureReason, RegExp>> = {
  'host-invalid-code-point': FORBIDDEN_HOST,
  'domain-invalid-code-point': FORBIDDEN_DOMAIN,
  'port-invalid': /[^0-9]/,
};

/** The UTF-16 units of the input, [start, end), that a failure lies at; an empty run where something is missing. */
export function placeOf(
  input: string,
  { place, reason }: { readonly place: FailurePlace; readonly reason: FailureReason },
): readonly [start: number, end: number] {
  const part = partsOf(input).find(({ name }) => name === place);
  if (part === undefined) return [0, 0];
  const culprit = CULPRITS[reason]?.exec(input.slice(part.start, part.end));
  return culprit == null ? [part.start, part.end] : [part.start + culprit.index, part.start + culprit.index + 1];
}
