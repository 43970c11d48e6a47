// Many messages in one call: rows of SPANS in, rows of DIGESTS out.

import { BUCKET_BYTES, BUCKETS, DIGESTS, LONG_BLOCK_COUNT, NO_MESSAGE, SPANS } from './layout';
import { sha256 } from './sha256';
import { sha256x4 } from './sha256x4';

/**
 * Hashes rows [first, end): digests of `width` bytes each, packed, row 0 at DIGESTS. Takes four rows of one block count
 * at a time: each row waits in the bucket of its count until three more arrive. Two or three left over at the end are
 * hashed with the last one repeated, a single one alone.
 */
export function hash(first: u32, end: u32, width: u32): void {
  memory.fill(BUCKETS, 0, BUCKET_BYTES * LONG_BLOCK_COUNT);
  for (let row = first; row < end; ++row) {
    const blockCount = blockCountOf(row);
    if (blockCount == 0 || blockCount == LONG_BLOCK_COUNT) hashRow(row, width);
    else addToBucket(BUCKETS + blockCount * BUCKET_BYTES, row, blockCount, width);
  }
  for (let blockCount: u32 = 1; blockCount < LONG_BLOCK_COUNT; ++blockCount) {
    const bucket = BUCKETS + blockCount * BUCKET_BYTES;
    const rows = load<u32>(bucket);
    if (rows == 1) hashRow(load<u32>(bucket, 4), width);
    else if (rows > 1) hashFour(bucket, rows, blockCount, width);
  }
}

function hashRow(row: u32, width: u32): void {
  if (lengthOf(row) == NO_MESSAGE) memory.fill(digestOf(row, width), 0, width);
  else sha256(messageOf(row), lengthOf(row), digestOf(row, width), width);
}

// @ts-ignore: decorator
@inline function addToBucket(bucket: usize, row: u32, blockCount: u32, width: u32): void {
  const rows = load<u32>(bucket) + 1;
  store<u32>(bucket + (rows << 2), row);
  if (rows == 4) hashFour(bucket, rows, blockCount, width);
  store<u32>(bucket, rows & 3);
}

/** Hashes the first `rows` rows of a bucket, two to four; the last stands in for missing ones. */
function hashFour(bucket: usize, rows: u32, blockCount: u32, width: u32): void {
  const row0 = load<u32>(bucket, 4), row1 = load<u32>(bucket, 8);
  const row2 = rows > 2 ? load<u32>(bucket, 12) : row1, row3 = rows > 3 ? load<u32>(bucket, 16) : row2;
  sha256x4(
    messageOf(row0), messageOf(row1), messageOf(row2), messageOf(row3),
    lengthOf(row0), lengthOf(row1), lengthOf(row2), lengthOf(row3),
    digestOf(row0, width), digestOf(row1, width), digestOf(row2, width), digestOf(row3, width),
    blockCount, width,
  );
}

/** FIPS 180-4 §5.1.1: padding takes at least a byte and eight bytes. Returns 0 for a row without a message. */
// @ts-ignore: decorator
@inline function blockCountOf(row: u32): u32 {
  const length = lengthOf(row);
  return length == NO_MESSAGE ? 0 : min(LONG_BLOCK_COUNT, ((length + 8) >> 6) + 1);
}
// @ts-ignore: decorator
@inline function messageOf(row: u32): usize { return load<u32>(SPANS + (row << 3)); }
// @ts-ignore: decorator
@inline function lengthOf(row: u32): u32 { return load<u32>(SPANS + (row << 3), 4); }
// @ts-ignore: decorator
@inline function digestOf(row: u32, width: u32): usize { return DIGESTS + row * width; }
