/**
 * A stable identity for URLs: the canonical form that a specification defines, and its SHA-256.
 *
 * @packageDocumentation
 */

export type { UrlHasherOptions } from './core/bulk/hasher.ts';
export { hashStream, UrlHasher } from './core/bulk/hasher.ts';
export { HashColumn } from './core/digest/column.ts';
export { type Hash, type HashOfWidth, UrlHash, UrlShortHash, UrlVeryShortHash } from './core/digest/hash.ts';
export { UrlsumError } from './core/error.ts';
export type { KernelName, Width } from './core/kernel/kernel.ts';
export { KernelError, kernelName } from './core/kernel/open.ts';
export { canonicalize, tryCanonicalize } from './core/url/canonicalize.ts';
export type { UrlReason } from './core/url/failure.ts';
export { UrlError } from './core/url/failure.ts';
export { compatible } from './core/url/key-origin.ts';
export { NoVarySearch } from './core/url/no-vary-search.ts';
export type { FormOptions, Options } from './core/url/options.ts';
export type { SiteRuleSet } from './core/url/page-rules.ts';
export { optionsOf, PROFILE, ProfileError, profileOf } from './core/url/profile.ts';
export { NoVarySearchError } from './core/url/search-variance.ts';
