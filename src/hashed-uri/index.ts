/**
 * Hashed URIs: draft-feather-hashed-uri-03.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { registerAlgorithm } from './algorithm.ts';
export { canonicalize } from './canonicalize.ts';
export { HashedUriError } from './error.ts';
export type { HashedUriReason } from './failure.ts';
export type { HashOptions } from './hash.ts';
export { hash } from './hash.ts';
export { HashedUri } from './hashed-uri.ts';
export { matches } from './matches.ts';
export type { CanonicalizeOptions, KeepFlag, Readings, Variant } from './options.ts';
export { parse } from './parse.ts';
export type { MatchOptions } from './set.ts';
export { HashedUriSet } from './set.ts';
