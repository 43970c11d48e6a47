// What the command imports from src/hash-index: sets of hashes, in memory and in files.

// In memory:

export { bytesPerHash, HashTable } from './hash-table.ts';

// An index, how it is made and merged:

export { HashIndexError } from './error.ts';
export { HashIndex } from './hash-index.ts';
export { IndexBuilder } from './index-builder.ts';
export { MAGIC, PROFILE_LIMIT_BYTES } from './layout.ts';
export {
  encodeManifest,
  folderOf,
  isManifest,
  MANIFEST_MAGIC,
  type Manifest,
  type SegmentEntry,
  segmentsToMerge,
  sha256Of,
} from './manifest.ts';
export { mergedIndex } from './merge.ts';
export type { Segment } from './segment.ts';

// Sorted pages, of an index or of any file:

export { type PageReader, SortedPages } from './sorted-pages.ts';
