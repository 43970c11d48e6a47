// Finds the host-suffix path-prefix expressions of URLs, as spans: a separate module, for `urlsum/safe-browsing` only,
// and with SIMD only.

import { CARRIAGE_RETURN, COLON, QUOTATION_MARK, SLASH, SPACE } from '../bytes';
import { ROW_CAPACITY } from '../layout';
import { EXPRESSION_LIMIT, ROW_BOUNDS, SPAN_COUNT, SPAN_ENDS } from './layout';
import { addProven } from './proof';
import { addRewritten, afterAnyScheme } from './rewrite';

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
    if (isDivided(line, end) || (!addProven(line, end, sections) && !addRewritten(line, end, sections))) break;
    store<u32>(SPAN_ENDS + (row << 2), load<u32>(SPAN_COUNT));
  }
  return row;
}

/**
 * Whether the line may be in doubt (src/specs/safe-browsing/doubt.ts) although it begins as a URL: it has a space or a
 * control, ends in a quotation mark, or has :// but not after http or https at its start.
 */
function isDivided(line: usize, end: usize): bool {
  if (line == end || load<u8>(end - 1) == QUOTATION_MARK) return true;
  if (afterAnyScheme(line) == 0 && hasScheme(line, end)) return true;
  let at = line, least = i8x16.splat(0x7f);
  for (; at + 16 <= end; at += 16) least = i8x16.min_u(least, v128.load(at));
  const rest = (1 << <i32>(end - at)) - 1;
  const ofRest = i8x16.bitmask(i8x16.le_u(v128.load(at), i8x16.splat(<i8>SPACE))) & rest;
  return ofRest != 0 || v128.any_true(i8x16.le_u(least, i8x16.splat(<i8>SPACE)));
}

function hasScheme(line: usize, end: usize): bool {
  for (let at = line; at < end; ++at) {
    if (load<u8>(at) == COLON && load<u8>(at, 1) == SLASH && load<u8>(at, 2) == SLASH) return true;
  }
  return false;
}
