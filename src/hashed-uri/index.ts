/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export type { Digest } from './algorithm.ts';
export { registerAlgorithm } from './algorithm.ts';
export { canonicalize } from './canonicalize.ts';
export { HashedUriError } from './error.ts';
export type { ExplainedStep } from './explain.ts';
export { explain } from './explain.ts';
export type { FailurePlace, FailureReason, HashedUriPlace, HashedUriReason } from './failure.ts';
export type { HashOptions } from './hash.ts';
export { hash } from './hash.ts';
export type { Problem } from './hashed-uri.ts';
export { HashedUri } from './hashed-uri.ts';
export type { MatchResult } from './matches.ts';
export { matches } from './matches.ts';
export type { CanonicalizeOptions, KeepFlag, Part, Readings, Variant } from './options.ts';
export { parse } from './parse.ts';
export type { MatchOptions } from './set.ts';
export { HashedUriSet } from './set.ts';
