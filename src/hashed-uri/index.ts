/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { registerAlgorithm } from './algorithm.ts';
export { canonicalize } from './canonicalize.ts';
export { HashedUriError, type HashedUriReason } from './error.ts';
export { HashedUri, type HashOptions, hash, parse } from './hashed-uri.ts';
export type { CanonicalizeOptions, KeepFlag, Readings, Variant } from './options.ts';
export { HashedUriSet, type MatchOptions, matches } from './set.ts';
