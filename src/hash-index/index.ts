/** An index of hashes that were seen, for Node; of bytes, anywhere. */
export { HashIndexError, type HashIndexReason } from './error.ts';
export { HashIndex } from './hash-index.ts';
