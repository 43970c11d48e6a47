/**
 * An index of hashes that were seen: made and read in Node, Deno and Bun; of bytes, read anywhere.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { HashIndexError, type HashIndexReason } from '../hash-index/error.ts';
export { HashIndex } from '../hash-index/hash-index.ts';
export { HashIndexBuilder, type HashIndexBuilderOptions } from '../hash-index/hash-index-builder.ts';
