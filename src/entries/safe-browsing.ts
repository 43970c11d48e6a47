/**
 * Safe Browsing and Web Risk: canonical forms, their expressions, hashes and hash prefixes.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { PrefixSet } from '../service/lists/prefix-set.ts';
export { ListError } from '../service/lists/sorted-prefixes.ts';
export type { LeftOutKind } from '../specs/safe-browsing/block-list.ts';
export { canonicalize } from '../specs/safe-browsing/canonicalize.ts';
export { expressions, hashes } from '../specs/safe-browsing/expressions.ts';
export { type SafeBrowsingReason, SafeBrowsingUrlError } from '../specs/safe-browsing/failure.ts';
export { prefix } from '../specs/safe-browsing/hash-prefix.ts';
export { ExpressionColumn, ExpressionHasher, type ExpressionHasherOptions } from '../specs/safe-browsing/hasher.ts';
export type { Profile } from '../specs/safe-browsing/host.ts';
export {
  type EntryLineOptions,
  type EntryOptions,
  type ListEntry,
  listEntries,
  listEntry,
} from '../specs/safe-browsing/list-entry.ts';
export type { ExpressionOptions, Mode, ReadingOptions } from '../specs/safe-browsing/settings.ts';
export { PUBLIC_SUFFIX_LIST, SuffixList } from '../specs/safe-browsing/suffix-list.ts';
export type { UrlInput } from '../specs/safe-browsing/url-bytes.ts';
