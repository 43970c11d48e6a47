// Many messages in one call: rows of SPANS in, rows of DIGESTS out.

import { COUNTS, DIGESTS, NO_MESSAGE, ORDER, SPANS } from './layout';
import { sha256 } from './sha256';
import { sha256x4 } from './sha256x4';

/** Messages of this many blocks or more (4 KiB) go one at a time: they are rare, and fours of one length rarer. */
const LONG_BLOCK_COUNT: u32 = 64;

/** The digests of rows [first, end): `width` bytes each, packed, row 0 at DIGESTS. */
export function hash(first: u32, end: u32, width: u32): void {
  if (ASC_FEATURE_SIMD) hashInFours(first, end, width);
  else for (let row = first; row < end; ++row) hashRow(row, width);
}

function hashRow(row: u32, width: u32): void {
  if (lengthOf(row) == NO_MESSAGE) memory.fill(digestOf(row, width), 0, width);
  else sha256(messageOf(row), lengthOf(row), digestOf(row, width), width);
}

/** A counting sort of the rows by block count, then each count four rows at a time. */
function hashInFours(first: u32, end: u32, width: u32): void {
  memory.fill(COUNTS, 0, (LONG_BLOCK_COUNT + 1) << 2);
  for (let row = first; row < end; ++row) {
    const count = COUNTS + (blockCountOf(row) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  let sum: u32 = 0;
  for (let count: usize = COUNTS; count <= COUNTS + (LONG_BLOCK_COUNT << 2); count += 4) {
    const rows = load<u32>(count);
    store<u32>(count, sum);
    sum += rows;
  }
  for (let row = first; row < end; ++row) {
    const next = COUNTS + (blockCountOf(row) << 2);
    const index = load<u32>(next);
    store<u32>(ORDER + (index << 2), row);
    store<u32>(next, index + 1);
  }
  let index: u32 = 0;
  for (let blockCount: u32 = 0; blockCount <= LONG_BLOCK_COUNT; ++blockCount) {
    const stop = load<u32>(COUNTS + (blockCount << 2));
    if (blockCount > 0 && blockCount < LONG_BLOCK_COUNT) {
      for (; index + 1 < stop; index = min(index + 4, stop)) hashFour(index, stop - 1, blockCount, width);
    }
    for (; index < stop; ++index) hashRow(rowAt(index), width);
  }
}

/** Rows index to index + 3 of ORDER; past `last`, the last is done again: two or three rows cost less so than singly. */
function hashFour(index: u32, last: u32, blockCount: u32, width: u32): void {
  const row0 = rowAt(index), row1 = rowAt(index + 1);
  const row2 = rowAt(min(index + 2, last)), row3 = rowAt(min(index + 3, last));
  sha256x4(
    messageOf(row0), messageOf(row1), messageOf(row2), messageOf(row3),
    lengthOf(row0), lengthOf(row1), lengthOf(row2), lengthOf(row3),
    digestOf(row0, width), digestOf(row1, width), digestOf(row2, width), digestOf(row3, width),
    blockCount, width,
  );
}

/** FIPS 180-4 §5.1.1: a byte and eight bytes of padding at least; 0 for a row without a message. */
// @ts-ignore: decorator
@inline function blockCountOf(row: u32): u32 {
  const length = lengthOf(row);
  return length == NO_MESSAGE ? 0 : min(LONG_BLOCK_COUNT, ((length + 8) >> 6) + 1);
}
// @ts-ignore: decorator
@inline function rowAt(index: u32): u32 { return load<u32>(ORDER + (index << 2)); }
// @ts-ignore: decorator
@inline function messageOf(row: u32): usize { return load<u32>(SPANS + (row << 3)); }
// @ts-ignore: decorator
@inline function lengthOf(row: u32): u32 { return load<u32>(SPANS + (row << 3), 4); }
// @ts-ignore: decorator
@inline function digestOf(row: u32, width: u32): usize { return DIGESTS + row * width; }
