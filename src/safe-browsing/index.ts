// What the command imports from src/safe-browsing: canonical URLs, their expressions and hashes. Those of lists
// are in lists/index.ts.

// How URLs are read:

export { type Profile, READINGS, type Reading, type Settings } from './settings.ts';
export { BUNDLED_LIST, profileName, SuffixList } from './suffix-list.ts';

// One URL:

export { canonicalForm } from './canonicalize.ts';
export { expressions } from './expressions.ts';
export { type SafeBrowsingFailure, SafeBrowsingUrlError } from './failure.ts';
export { HASH_BYTES, hashes, SHORTEST_PREFIX } from './hashes.ts';

// Batches of lines:

export { type ExpressionBatch, ExpressionReader } from './batch.ts';
export { ExpressionHasher } from './hasher.ts';
export { afterByteOrderMark } from './input.ts';

// What hashes are looked up in, and the lines that it is made of:

export { EXCEPTION, type LeftOutKind, type ReadLine, type Refusal, readUrlValue } from './block-list.ts';
export { type EntryInput, type EntryLimit, EntryReader, lineReader } from './list-entry.ts';
export type { PrefixSet } from './prefix-set/prefix-set.ts';
