// The host-suffix path-prefix expressions of URLs, as spans: a module of its own, for `urlsum/safe-browsing` alone, and
// with SIMD only.

import { CARRIAGE_RETURN, LINE_FEED } from '../bytes';
import { ROW_CAPACITY } from '../layout';
import { lineEnds } from '../line-ends';
import { EXPRESSION_LIMIT, ROW_BOUNDS, SPAN_COUNT, SPAN_ENDS } from './layout';
import { addProven } from './proof';
import { addRewritten } from './rewrite';

/**
 * Gives a row to each line in [start, end), whose last byte is a line feed, up to ROW_CAPACITY, and returns their
 * number.
 */
export function splitLines(start: usize, end: usize): u32 {
  store<u32>(ROW_BOUNDS, start - 1);
  return min(ROW_CAPACITY, lineEnds(start, end, LINE_FEED, ROW_BOUNDS + 4, ROW_CAPACITY));
}

/**
 * Adds the expressions of the rows [row, rowCount), by the Public Suffix List's sections in the bits of `sections`, or
 * by the last five components where there are none. Returns the row at which it stopped: one that is left to
 * JavaScript, or the first that might not find room in SPANS.
 */
export function expand(row: u32, rowCount: u32, sections: u32): u32 {
  for (; row < rowCount; ++row) {
    if (load<u32>(SPAN_COUNT) > ROW_CAPACITY - EXPRESSION_LIMIT) break;
    const bounds = ROW_BOUNDS + (row << 2);
    const line: usize = load<u32>(bounds) + 1, feed: usize = load<u32>(bounds, 4);
    const end = feed - <usize>(feed > line && load<u8>(feed - 1) == CARRIAGE_RETURN);
    if (!addProven(line, end, sections) && !addRewritten(line, end, sections)) break;
    store<u32>(SPAN_ENDS + (row << 2), load<u32>(SPAN_COUNT));
  }
  return row;
}
