/**
 * Steps by which the URL Standard and Safe Browsing bring a URL to its canonical form, and what keeps two URLs apart.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { type Comparison, compare } from '../specs/explain/comparison.ts';
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
