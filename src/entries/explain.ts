/**
 * Steps by which the URL Standard and Safe Browsing bring a URL to its canonical form.
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
