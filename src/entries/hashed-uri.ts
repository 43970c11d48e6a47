/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { registerAlgorithm } from '../specs/hashed-uri/algorithm.ts';
export { canonicalize } from '../specs/hashed-uri/canonicalize.ts';
export { HashedUriError, type HashedUriReason } from '../specs/hashed-uri/error.ts';
export { HashedUri, type HashOptions, hash, parse } from '../specs/hashed-uri/hashed-uri.ts';
export type { KeepFlag, Readings, Variant, VariantOptions } from '../specs/hashed-uri/options.ts';
export { HashedUriSet, type HashedUriVerdict, type MatchOptions, matches, verdictOf } from '../specs/hashed-uri/set.ts';
