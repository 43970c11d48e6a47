/**
 * How each specification brings a URL to its canonical form: one shape of explanation for all.
 *
 * @packageDocumentation
 */

export type {
  ExplainHashedUriOptions,
  ExplainHashUriOptions,
  ExplainOptions,
  ExplainSafeBrowsingOptions,
  ExplainUrlOptions,
} from './explain.ts';
export { explain } from './explain.ts';
export type {
  CanonicalExplanation,
  Clause,
  ExplainedExpression,
  ExplainedFailure,
  ExplainedInput,
  ExplainedPart,
  Explanation,
  FailedExplanation,
  Span,
  Specification,
  Step,
} from './explanation.ts';
