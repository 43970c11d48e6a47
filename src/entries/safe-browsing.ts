/**
 * Safe Browsing and Web Risk: canonical URLs, their expressions, hashes and hash prefixes.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export type { LeftOutKind } from '../safe-browsing/block-list.ts';
export { canonicalize } from '../safe-browsing/canonicalize.ts';
export { ExpressionColumn } from '../safe-browsing/column.ts';
export { expressions } from '../safe-browsing/expressions.ts';
export { type SafeBrowsingReason, SafeBrowsingUrlError } from '../safe-browsing/failure.ts';
export { ExpressionHasher, type ExpressionHasherOptions } from '../safe-browsing/hasher.ts';
export { hashes, prefix } from '../safe-browsing/hashes.ts';
export type { UrlInput } from '../safe-browsing/input.ts';
export type { EntryLineOptions, EntryOptions, ListEntry } from '../safe-browsing/list-entry.ts';
export { listEntries, listEntry } from '../safe-browsing/list-entry.ts';
export { ListError } from '../safe-browsing/lists/error.ts';
export { PrefixSet } from '../safe-browsing/prefix-set/prefix-set.ts';
export type { ExpressionOptions, Mode, Profile, ReadingOptions } from '../safe-browsing/settings.ts';
export { PUBLIC_SUFFIX_LIST, SuffixList } from '../safe-browsing/suffix-list.ts';
