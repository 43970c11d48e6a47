import { canonicalFormOf } from './canonicalize.ts';
import type { CanonicalizeOptions } from './options.ts';

/** What a step of the draft made of a URI. */
export interface ExplainedStep {
  /** The step of appendix A; 2 stands for section 4.3 (1) and (2) as well. */
  readonly step: number;
  /** The URI after it. */
  readonly text: string;
}

/**
 * How `canonicalize` gets to its result: the URI after section 4.3, and after each step of appendix A that
 * changes it. Tells why two URIs differ in N, or do not in P.
 *
 * @deprecated `explain` of `urlsum/explain` tells more, in one shape for all specifications; gone in the next version
 * @param uri as for `canonicalize`
 * @param options as for `canonicalize`
 * @returns the steps in order, one at least
 * @throws as `canonicalize` does
 */
export function explain(uri: string, options: CanonicalizeOptions): ExplainedStep[] {
  const steps: ExplainedStep[] = [];
  const { text } = canonicalFormOf(uri, options, (step, changed) => {
    if (typeof step === 'number' && changed !== steps.at(-1)?.text) steps.push({ step, text: changed });
  });
  return steps.length > 0 ? steps : [{ step: 2, text }];
}
