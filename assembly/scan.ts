// Finds the lines of a text, a row each, and the rows that need the parser.

import { CARRIAGE_RETURN, LINE_FEED, NUMBER_SIGN, SLASH } from './bytes';
import {
  PENDING, PENDING_COUNT, REWRITTEN_COUNT, ROOM_END, ROW_CAPACITY, ROW_ENDS, ROW_STARTS, ROWS, SCANNED_END, SPANS, TEXT,
  TEXT_END,
} from './layout';
import { lineEnds } from './line-ends';
import { authorityEnd, canonicalEnd } from './proof';
import { rewrite } from './rewrite';

/**
 * Gives a row to each line in [start, end), whose last byte is `lineEnd`, up to ROW_CAPACITY of them, and returns their
 * number: its bounds, without LF or CR LF, or another `lineEnd`. SCANNED_END has where the next line begins.
 */
export function findLines(start: usize, end: usize, lineEnd: u32): u32 {
  const rowCount = min(ROW_CAPACITY, lineEnds(start, end, lineEnd, PENDING, ROW_CAPACITY));
  let line = start;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const at: usize = load<u32>(PENDING + (row << 2));
    const hasReturn = lineEnd == LINE_FEED && at > line && load<u8>(at - 1) == CARRIAGE_RETURN;
    store<u32>(ROW_STARTS + (row << 2), line);
    store<u32>(ROW_ENDS + (row << 2), at - <usize>hasReturn);
    line = at + 1;
  }
  store<u32>(SCANNED_END, line);
  return rowCount;
}

/**
 * Gives bounds to rows that lie at ROWS one directly after another: moves them to TEXT with a line feed after each, and
 * returns their end. PENDING has the offset of each row's end, where the first row begins at the offset `start`.
 */
export function separateRows(start: u32, rowCount: u32): usize {
  let from = ROWS, to = TEXT;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const end: u32 = load<u32>(PENDING + (row << 2));
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

/**
 * Gives each row its message: the row itself where it is canonical, or what it can be rewritten to, which is written
 * from `room` on. PENDING lists the rows that need the parser. After each row lies a byte that no URL has: a bare host
 * gets its slash there.
 */
export function classifyRows(rowCount: u32, room: usize, excludeFragment: bool): void {
  let pendingCount: u32 = 0, rewrittenCount: u32 = 0;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const line: usize = load<u32>(ROW_STARTS + (row << 2));
    const lineEnd: usize = load<u32>(ROW_ENDS + (row << 2));
    let message = line;
    let messageEnd = provenEnd(line, lineEnd, excludeFragment);
    if (messageEnd == 0) {
      if (room + 3 * (lineEnd - line) < TEXT_END) messageEnd = rewrite(line, lineEnd, room, excludeFragment);
      if (messageEnd != 0) {
        message = room;
        room = messageEnd;
        ++rewrittenCount;
      } else {
        messageEnd = lineEnd;
        store<u32>(PENDING + (pendingCount++ << 2), row);
      }
    }
    store<u32>(SPANS + (row << 3), message);
    store<u32>(SPANS + (row << 3), messageEnd - message, 4);
  }
  store<u32>(ROOM_END, room);
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(REWRITTEN_COUNT, rewrittenCount);
}

/**
 * Where the message ends in a line that is canonical, or 0. A bare host gets a slash in place of the byte after the
 * line; one before a fragment is left to be rewritten, since the line itself may come out.
 */
// @ts-ignore: decorator
@inline function provenEnd(line: usize, end: usize, excludeFragment: bool): usize {
  const host = authorityEnd(line);
  if (host == 0) return 0;
  if (host == end) {
    store<u8>(host, SLASH);
    return host + 1;
  }
  const rest = canonicalEnd(host, excludeFragment);
  return rest == end || (excludeFragment && load<u8>(rest) == NUMBER_SIGN) ? rest : 0;
}
