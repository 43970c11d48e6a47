/**
 * An index of hashes that were seen: made and read in Node, Deno and Bun; of bytes, read anywhere.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { HashIndex } from '../store/hash-index/hash-index.ts';
export { HashIndexBuilder, type HashIndexBuilderOptions } from '../store/hash-index/hash-index-builder.ts';
export { HashIndexError, type HashIndexReason } from '../store/hash-index/layout.ts';
