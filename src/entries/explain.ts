/**
 * How each specification brings a URL to its canonical form: one shape of explanation for all.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { type ExplainOptions, explain } from '../specs/explain/explain.ts';
export type {
  Clause,
  ExplainedExpression,
  ExplainedFailure,
  ExplainedPart,
  Explanation,
  Span,
  Specification,
  Step,
} from '../specs/explain/explanation.ts';
