/**
 * An index of hashes that were seen, for Node; of bytes, anywhere.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { HashIndexError, type HashIndexReason } from './error.ts';
export { HashIndex } from './hash-index.ts';
