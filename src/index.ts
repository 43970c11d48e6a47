/**
 * A stable identity for URLs: the canonical form that a specification defines, and its SHA-256.
 *
 * @packageDocumentation
 */

export { hashStream } from './bulk/hash-stream.ts';
export { UrlHasher } from './bulk/hasher.ts';
export type { UrlHasherOptions } from './bulk/options.ts';
export { HashColumn } from './digest/column.ts';
export { type Hash, type HashOfWidth, UrlHash, UrlShortHash, UrlVeryShortHash } from './digest/hash.ts';
export { UrlsumError } from './error.ts';
export { KernelError } from './kernel/error.ts';
export type { KernelName, Width } from './kernel/kernel.ts';
export { kernelName } from './kernel/open.ts';
export { canonicalize, tryCanonicalize } from './url/canonicalize.ts';
export { compatible } from './url/compatible.ts';
export { UrlError } from './url/error.ts';
export type { UrlReason } from './url/failure.ts';
export type { FormOptions, Options } from './url/options.ts';
export type { SiteRuleSet } from './url/page-rules.ts';
export { optionsOf, PROFILE, ProfileError, profileOf } from './url/profile.ts';
