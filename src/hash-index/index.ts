/**
 * An index of hashes that were seen: made and read in Node, Deno and Bun; of bytes, read anywhere.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { HashIndexError, type HashIndexReason } from './error.ts';
export { HashIndex } from './hash-index.ts';
export { HashIndexBuilder, type HashIndexBuilderOptions } from './hash-index-builder.ts';
