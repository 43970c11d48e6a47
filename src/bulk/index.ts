// What the command imports from src/bulk: blocks of bytes become batches in the kernel's memory.

// Blocks of whole rows, and where a row ends:

export { blocksOfRows, type Cutter, cutterAfter } from './line-blocks.ts';

// Batches, and the rows of them that the kernel leaves to the parser:

export { BATCH_BYTES, copyLines } from './lines.ts';
export { batchesOfRows } from './rows.ts';
export { type Canonicalizing, type Hashing, UrlBatch } from './url-batch.ts';
