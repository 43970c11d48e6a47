/**
 * Safe Browsing and Web Risk: canonical URLs, their expressions, hashes and hash prefixes.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { canonicalize } from './canonicalize.ts';
export { ExpressionColumn } from './column.ts';
export { expressions } from './expressions.ts';
export { type SafeBrowsingReason, SafeBrowsingUrlError } from './failure.ts';
export { ExpressionHasher, type ExpressionHasherOptions } from './hasher.ts';
export { hashes, prefix } from './hashes.ts';
export type { UrlInput } from './input.ts';
export { listEntry } from './list-entry.ts';
export { ListError } from './lists/error.ts';
export { PrefixSet } from './prefix-set/prefix-set.ts';
export type { CanonicalizeOptions, ExpressionOptions, Mode, Profile } from './settings.ts';
export { PUBLIC_SUFFIX_LIST, SuffixList } from './suffix-list.ts';
