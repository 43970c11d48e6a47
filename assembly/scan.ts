// Splits text into lines, a row each, and sorts out the rows that need the parser.

import { CARRIAGE_RETURN, SLASH } from './bytes';
import { PENDING, PENDING_COUNT, REWRITTEN_COUNT, ROOM_END, ROW_CAPACITY, SCANNED_END, SPANS, TEXT_END } from './layout';
import { lineFeeds } from './line-feeds';
import { authorityEnd, isPathAndRest } from './proof';
import { rewrite } from './rewrite';

/**
 * Gives a span to each line in [start, end), whose last byte is a line feed, up to ROW_CAPACITY of them, and
 * returns their number. A line proven canonical is a message where it lies; a bare host gets its slash in
 * place of the line's end. What can be rewritten is written behind `end`. PENDING lists the other rows; before
 * that it lists the line feeds: found first, they let the processor work on several lines at once.
 */
export function scan(start: usize, end: usize): u32 {
  const rowCount = min(ROW_CAPACITY, lineFeeds(start, end, PENDING, ROW_CAPACITY));
  let pendingCount: u32 = 0, rewrittenCount: u32 = 0;
  let at = start, room = end;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const feed: usize = load<u32>(PENDING + (row << 2));
    let lineEnd = feed - <usize>(feed > at && load<u8>(feed - 1) == CARRIAGE_RETURN);
    let message = at;
    const stop = authorityEnd(at);
    if (stop == lineEnd) store<u8>(lineEnd++, SLASH);
    else if (stop == 0 || !isPathAndRest(stop, lineEnd)) {
      const written = room + 3 * (lineEnd - at) < TEXT_END ? rewrite(at, lineEnd, room) : 0;
      if (written != 0) {
        message = room;
        room = lineEnd = written;
        ++rewrittenCount;
      } else store<u32>(PENDING + (pendingCount++ << 2), row);
    }
    store<u32>(SPANS + (row << 3), message);
    store<u32>(SPANS + (row << 3), lineEnd - message, 4);
    at = feed + 1;
  }
  store<u32>(SCANNED_END, at);
  store<u32>(ROOM_END, room);
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(REWRITTEN_COUNT, rewrittenCount);
  return rowCount;
}
