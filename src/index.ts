/**
 * A stable identity for URLs: the canonical form that a specification defines, and its SHA-256.
 *
 * @packageDocumentation
 */

export { hashStream } from './bulk/hash-stream.ts';
export { UrlHasher } from './bulk/hasher.ts';
export type { HashStreamOptions, UrlHasherOptions } from './bulk/options.ts';
export { HashColumn, type HashOfWidth } from './digest/column.ts';
export { UrlHash, UrlShortHash, UrlVeryShortHash } from './digest/hash.ts';
export { UrlsumError } from './error.ts';
export type { KernelName, Width } from './kernel/kernel.ts';
export { kernelName } from './kernel/open.ts';
export { canonicalize, tryCanonicalize } from './url/canonicalize.ts';
export { UrlError } from './url/error.ts';
export type { UrlPlace, UrlReason } from './url/failure.ts';
export type { CanonicalizeOptions } from './url/options.ts';
export { optionsOf, PROFILE, ProfileError, type ProfileReason, profileOf } from './url/profile.ts';
