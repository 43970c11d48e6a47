// Finds the host-suffix path-prefix expressions of URLs, as spans: a separate module, for `urlsum/safe-browsing` only,
// and with SIMD only.

import { CARRIAGE_RETURN, LINE_FEED } from '../bytes';
import { ROW_CAPACITY } from '../layout';
import { lineEnds } from '../line-ends';
import { EXPRESSION_LIMIT, ROW_BOUNDS, SPAN_COUNT, SPAN_ENDS } from './layout';
import { addProven } from './proof';
import { addRewritten } from './rewrite';

/**
 * Makes each line in [start, end), whose last byte is a line feed, a row, up to ROW_CAPACITY rows. Returns their
 * number.
 */
export function splitLines(start: usize, end: usize): u32 {
  store<u32>(ROW_BOUNDS, start - 1);
  return min(ROW_CAPACITY, lineEnds(start, end, LINE_FEED, ROW_BOUNDS + 4, ROW_CAPACITY));
}

/**
 * Adds the expressions of rows [row, rowCount), by the sections of the Public Suffix List in the bits of `sections`, or
 * by the last five components if there are none. Returns the row at which it stopped: one that is left to JavaScript,
 * or the first that might not fit in SPANS.
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
