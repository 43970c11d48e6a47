/**
 * How each specification brings a URL to its canonical form: one shape of explanation for all.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { type ExplainOptions, explain } from '../explain/explain.ts';
export type {
  Clause,
  ExplainedExpression,
  ExplainedFailure,
  ExplainedPart,
  Explanation,
  Span,
  Specification,
  Step,
} from '../explain/explanation.ts';
