/**
 * Safe Browsing and Web Risk: canonical URLs, their expressions, hashes and hash prefixes.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { canonicalize } from './canonicalize.ts';
export { ExpressionColumn } from './column.ts';
export { SafeBrowsingUrlError } from './error.ts';
export type { ExplainedFailure, ExplainedStep, Explanation } from './explain.ts';
export { explain, READINGS, readingsOfExpressions } from './explain.ts';
export { expressions } from './expressions.ts';
export type { SafeBrowsingPlace, SafeBrowsingReason } from './failure.ts';
export type { HashManyOptions } from './hash-many.ts';
export { hashLinesExpressions, hashManyExpressions } from './hash-many.ts';
export { hashes, prefix } from './hashes.ts';
export type { Input, UrlInput } from './input.ts';
export { type ListEntry, listEntry } from './list-entry.ts';
export { PrefixSetError, type PrefixSetReason } from './prefix-set/error.ts';
export { PrefixSet } from './prefix-set/prefix-set.ts';
export type { CanonicalizeOptions, ExpressionOptions, Mode, Profile, Reading } from './settings.ts';
export { PUBLIC_SUFFIX_LIST, type SuffixList, suffixList } from './suffix-list.ts';
