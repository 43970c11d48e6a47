// Splits text into lines, a row each, and sorts out the rows that need the parser.

import { CARRIAGE_RETURN, LINE_FEED, SLASH } from './bytes';
import { lineFeed } from './classify';
import { PENDING, PENDING_COUNT, REWRITTEN_COUNT, ROOM_END, ROW_CAPACITY, SCANNED_END, SPANS, TEXT_END } from './layout';
import { authorityEnd, isLineEnd, pathEnd } from './proof';
import { rewrite } from './rewrite';

/**
 * Gives a span to each line in [at, end), whose last byte is a line feed, up to ROW_CAPACITY of them, and
 * returns their number. A line proven canonical is a message where it lies; a bare host gets its slash in
 * place of the line's end. What can be rewritten is written behind `end`. PENDING lists the other rows.
 */
export function scan(at: usize, end: usize): u32 {
  let row: u32 = 0;
  let pendingCount: u32 = 0, rewrittenCount: u32 = 0;
  let room = end;
  for (; at < end && row < ROW_CAPACITY; ++row) {
    let stop = authorityEnd(at);
    const isBareHost = stop != 0 && isLineEnd(stop);
    if (stop != 0 && !isBareHost) stop = pathEnd(stop);
    const isProven = stop != 0;
    if (!isProven) stop = lineEnd(at);
    const next = stop + (load<u8>(stop) == LINE_FEED ? 1 : 2);
    if (isBareHost) store<u8>(stop++, SLASH);
    let message = at;
    if (!isProven) {
      const written = room + 3 * (stop - at) < TEXT_END ? rewrite(at, stop, room) : 0;
      if (written != 0) {
        message = room;
        room = stop = written;
        ++rewrittenCount;
      } else store<u32>(PENDING + (pendingCount++ << 2), row);
    }
    store<u32>(SPANS + (row << 3), message);
    store<u32>(SPANS + (row << 3), stop - message, 4);
    at = next;
  }
  store<u32>(SCANNED_END, at);
  store<u32>(ROOM_END, room);
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(REWRITTEN_COUNT, rewrittenCount);
  return row;
}

/** The LF, or the CR and LF, that ends the line at `at`. */
function lineEnd(at: usize): usize {
  const feed = lineFeed(at);
  return feed > at && load<u8>(feed - 1) == CARRIAGE_RETURN ? feed - 1 : feed;
}
