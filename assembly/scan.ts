// Splits text into lines, a row each, and sorts out the rows that need the parser.

import { lineFeed } from './classify';
import { PENDING, PENDING_COUNT, ROW_CAPACITY, SCANNED_END, SPANS } from './layout';
import { authorityEnd, isLineEnd, pathEnd } from './proof';

/**
 * Gives a span to each line in [at, end), whose last byte is a line feed, up to ROW_CAPACITY of them, and
 * returns their number. SCANNED_END says where it stopped; PENDING lists the rows that are not proven.
 * A bare host gets its slash in place of the line's end.
 */
export function scan(at: usize, end: usize): u32 {
  let row: u32 = 0;
  let pendingCount: u32 = 0;
  for (; at < end && row < ROW_CAPACITY; ++row) {
    let stop = authorityEnd(at);
    const isBareHost = stop != 0 && isLineEnd(stop);
    if (stop != 0 && !isBareHost) stop = pathEnd(stop);
    if (stop == 0) {
      store<u32>(PENDING + (pendingCount++ << 2), row);
      const feed = lineFeed(at);
      stop = feed > at && load<u8>(feed - 1) == 0x0d ? feed - 1 : feed;
    }
    const next = stop + (load<u8>(stop) == 0x0a ? 1 : 2);
    if (isBareHost) store<u8>(stop++, 0x2f);
    store<u32>(SPANS + (row << 3), at);
    store<u32>(SPANS + (row << 3), stop - at, 4);
    at = next;
  }
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(SCANNED_END, at);
  return row;
}
