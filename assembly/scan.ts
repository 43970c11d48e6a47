// Splits text into lines, a row each, and finds the rows that need the parser.

import { CARRIAGE_RETURN, LINE_FEED } from './bytes';
import {
  PENDING, PENDING_COUNT, REWRITTEN_COUNT, ROOM_END, ROW_CAPACITY, ROW_ENDS, ROW_STARTS, ROWS, SCANNED_END, SPANS, TEXT,
  TEXT_END,
} from './layout';
import { lineFeeds } from './line-feeds';
import { mark, MARKED_BYTES } from './marks';
import { provenEnd } from './proof';
import { endInPlace, rewrite } from './rewrite';

/**
 * Gives a span to each line in [start, end), whose last byte is a line feed, up to ROW_CAPACITY of them and
 * MARKED_BYTES, and returns their number. The line feeds are found first, so that the processor works on several lines at once.
 */
export function scan(start: usize, end: usize, excludeFragment: bool): u32 {
  const rowCount = min(ROW_CAPACITY, lineFeeds(start, min(end, TEXT + MARKED_BYTES), PENDING, ROW_CAPACITY));
  classifyRows(start, end, rowCount, excludeFragment);
  return rowCount;
}

/**
 * The same for rows that lie at ROWS without line ends, and may hold line feeds. PENDING has the offset of each row's
 * end, where the first row begins at the offset `start`.
 */
export function scanRows(start: u32, rowCount: u32, excludeFragment: bool): void {
  classifyRows(TEXT, separateRows(start, rowCount), rowCount, excludeFragment);
}

/** Moves the rows to TEXT with a line feed after each, whose addresses it leaves in PENDING, and returns their end. */
function separateRows(start: u32, rowCount: u32): usize {
  let from = ROWS, to = TEXT;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const end: u32 = load<u32>(PENDING + (row << 2));
    const feed = to + (end - start);
    for (; to < feed; from += 16, to += 16) {
      store<u64>(to, load<u64>(from));
      store<u64>(to, load<u64>(from, 8), 8);
    }
    from -= to - feed;
    store<u8>(feed, LINE_FEED);
    store<u32>(PENDING + (row << 2), feed);
    to = feed + 1;
    start = end;
  }
  return to;
}

/**
 * Gives each row its span and its bounds. PENDING has the address of each row's line feed, and in the end lists the
 * rows that need the parser. A canonical line is a message where it lies; what can be rewritten is written after `end`.
 */
function classifyRows(start: usize, end: usize, rowCount: u32, excludeFragment: bool): void {
  let pendingCount: u32 = 0, rewrittenCount: u32 = 0;
  let line = start, room = end, marked = TEXT;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const feed: usize = load<u32>(PENDING + (row << 2));
    if (ASC_FEATURE_SIMD && feed >= marked) marked = mark(marked, feed, end, excludeFragment);
    const lineEnd = feed - <usize>(feed > line && load<u8>(feed - 1) == CARRIAGE_RETURN);
    store<u32>(ROW_STARTS + (row << 2), line);
    store<u32>(ROW_ENDS + (row << 2), lineEnd);
    let message = line;
    let messageEnd = provenEnd(line, lineEnd, excludeFragment);
    if (messageEnd == 0) {
      let formEnd: usize = 0;
      if (room + 3 * (lineEnd - line) < TEXT_END) formEnd = rewrite(line, lineEnd, room, excludeFragment);
      if (formEnd == 0) {
        messageEnd = lineEnd;
        store<u32>(PENDING + (pendingCount++ << 2), row);
      } else if ((messageEnd = endInPlace(line, lineEnd, room, formEnd, excludeFragment)) == 0) {
        message = room;
        messageEnd = room = formEnd;
        ++rewrittenCount;
      }
    }
    store<u32>(SPANS + (row << 3), message);
    store<u32>(SPANS + (row << 3), messageEnd - message, 4);
    line = feed + 1;
  }
  store<u32>(SCANNED_END, line);
  store<u32>(ROOM_END, room);
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(REWRITTEN_COUNT, rewrittenCount);
}
