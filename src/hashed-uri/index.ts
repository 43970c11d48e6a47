// What the command imports from src/hashed-uri: canonical URIs, their hashes, and sets of them.

export { canonicalizer } from './canonicalize.ts';
export { HashedUriError, type UriFailure } from './error.ts';
export { type HashedUri, type HashOptions, hasher, parse, parseHashed } from './hashed-uri.ts';
export { DEFAULT_READINGS, type KeepFlag, type Readings, type VariantOptions } from './options.ts';
export { HashedUriSet } from './set.ts';
