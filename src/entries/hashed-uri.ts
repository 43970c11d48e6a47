/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { canonicalize } from '../specs/hashed-uri/canonicalize.ts';
export { HashedUriError, type HashedUriReason } from '../specs/hashed-uri/failure.ts';
export { HashedUri, type HashOptions, hash, parse, registerAlgorithm } from '../specs/hashed-uri/hashed-uri.ts';
export {
  HashedUriSet,
  type HashedUriVerdict,
  type MatchOptions,
  matches,
  verdictOf,
} from '../specs/hashed-uri/match.ts';
export type { KeepFlag, Readings, Variant, VariantOptions } from '../specs/hashed-uri/reference.ts';
