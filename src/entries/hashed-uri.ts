/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { canonicalize } from '../specs/hashed-uri/canonical-form.ts';
export { HashedUri, type HashOptions, hash, parse, registerAlgorithm } from '../specs/hashed-uri/hashed-uri.ts';
export {
  HashedUriError,
  type HashedUriReason,
  type KeepFlag,
  type Readings,
  type Variant,
  type VariantOptions,
} from '../specs/hashed-uri/reference.ts';
export { HashedUriSet, type HashedUriVerdict, type MatchOptions, matches, verdictOf } from '../specs/hashed-uri/set.ts';
