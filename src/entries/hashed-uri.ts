/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { registerAlgorithm } from '../hashed-uri/algorithm.ts';
export { canonicalize } from '../hashed-uri/canonicalize.ts';
export { HashedUriError, type HashedUriReason } from '../hashed-uri/error.ts';
export { HashedUri, type HashOptions, hash, parse } from '../hashed-uri/hashed-uri.ts';
export type { KeepFlag, Readings, Variant, VariantOptions } from '../hashed-uri/options.ts';
export { HashedUriSet, type HashedUriVerdict, type MatchOptions, matches, verdictOf } from '../hashed-uri/set.ts';
