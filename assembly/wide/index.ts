// `hash` of batch.ts for V8's vectors of 256 bits: a module of one function, which works in the memory of the SIMD
// kernel and with the constants there.

import { BUCKET_BYTES, BUCKETS, DIGESTS, LONG_BLOCK_COUNT, NO_MESSAGE, SPANS } from '../layout';
import { sha256x8 } from './sha256x8';

/**
 * Hashes rows [first, end): digests of `width` bytes each, packed, row 0 at DIGESTS. Takes eight rows of one block
 * count at a time: each waits in the bucket of its count until seven more arrive, and at the end a bucket is filled up
 * with its last row. `base` is SCHEDULE8.
 *
 * @returns the row at which it stopped: `end`, or one of LONG_BLOCK_COUNT blocks or more, which is left to the caller
 */
export function hash(first: u32, end: u32, width: u32, base: usize): u32 {
  let row = first, emptied: u32 = 0;
  for (let bucket = BUCKETS; bucket < BUCKETS + BUCKET_BYTES * LONG_BLOCK_COUNT; bucket += BUCKET_BYTES)
    store<u32>(bucket, 0);
  do {
    let blockCount: u32 = 0;
    // until eight of one block count wait
    for (; row < end; ++row) {
      const length = load<u32>(SPANS + (row << 3), 4);
      if (length == NO_MESSAGE) {
        for (let at: u32 = 0; at < width; at += 8) store<u64>(DIGESTS + row * width + at, 0);
        continue;
      }
      const count = (length + 8 >> 6) + 1;
      if (count >= LONG_BLOCK_COUNT) { end = row; break; }
      const bucket = BUCKETS + count * BUCKET_BYTES, waiting = load<u32>(bucket);
      store<u16>(bucket + (waiting << 1), row, 4);
      store<u32>(bucket, waiting + 1 & 7);
      if (waiting == 7) { blockCount = count; ++row; break; }
    }
    // then what is left over
    while (blockCount == 0) {
      if (++emptied == LONG_BLOCK_COUNT) return end;
      const bucket = BUCKETS + emptied * BUCKET_BYTES, waiting = load<u32>(bucket);
      if (waiting == 0) continue;
      const last = load<u16>(bucket + (waiting << 1), 2);
      for (let at = waiting; at < 8; ++at) store<u16>(bucket + (at << 1), last, 4);
      blockCount = emptied;
    }
    sha256x8(BUCKETS + blockCount * BUCKET_BYTES + 4, blockCount, width, base);
  } while (true);
  return end; // never reached, but the compiler asks for it
}
