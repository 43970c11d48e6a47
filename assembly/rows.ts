// Finds where the rows of a batch begin and end.

import { CARRIAGE_RETURN, LINE_FEED } from './bytes';
import { ROW_CAPACITY, ROW_ENDS, ROW_STARTS, ROWS, SCANNED_END, TEXT } from './layout';
import { lineEnds } from './line-ends';

/**
 * Makes each line in [start, end), whose last byte is `lineEnd`, a row, up to ROW_CAPACITY rows, and returns their
 * number. Their bounds exclude LF or CR LF, or another `lineEnd`. SCANNED_END is set to where the next line begins.
 */
export function findLines(start: usize, end: usize, lineEnd: u32): u32 {
  const rowCount = min(ROW_CAPACITY, lineEnds(start, end, lineEnd, ROW_ENDS, ROW_CAPACITY));
  let line = start;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const at: usize = load<u32>(ROW_ENDS + (row << 2));
    const hasReturn = lineEnd == LINE_FEED && at > line && load<u8>(at - 1) == CARRIAGE_RETURN;
    store<u32>(ROW_STARTS + (row << 2), line);
    store<u32>(ROW_ENDS + (row << 2), at - <usize>hasReturn);
    line = at + 1;
  }
  store<u32>(SCANNED_END, line);
  return rowCount;
}

/**
 * Moves rows that are at ROWS, one directly after another, to TEXT with a line feed after each, sets their bounds, and
 * returns their end. ROW_ENDS comes with the offset of each row's end, where the first row begins at the offset `start`.
 */
export function separateRows(start: u32, rowCount: u32): usize {
  let from = ROWS, to = TEXT;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const end: u32 = load<u32>(ROW_ENDS + (row << 2));
    const rowEnd = to + (end - start);
    store<u32>(ROW_STARTS + (row << 2), to);
    store<u32>(ROW_ENDS + (row << 2), rowEnd);
    for (; to < rowEnd; from += 16, to += 16) {
      store<u64>(to, load<u64>(from));
      store<u64>(to, load<u64>(from, 8), 8);
    }
    from -= to - rowEnd;
    store<u8>(rowEnd, LINE_FEED);
    to = rowEnd + 1;
    start = end;
  }
  return to;
}
