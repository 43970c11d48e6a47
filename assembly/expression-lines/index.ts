// Writes the lines of `urlsum expressions`: a separate module, for the command only, and with SIMD only.

import { TAB } from '../bytes';
import { DIGESTS, SPANS } from '../layout';
import { writeWord } from '../lines/decimal';
import { writeHex } from '../lines/hex';
import { copy } from '../text';
import {
  FIXED_BYTES, LINES_ENDS, SPAN_ENDS, WRITTEN, WRITTEN_BYTES, WRITTEN_LENGTH,
} from './layout';

/**
 * Writes the lines of rows [row, rowCount) to WRITTEN: number, tab, expression, and unless `width` is 0, a tab and the
 * first `shownBytes` of its digest of `width` bytes in hex. Numbers count from `firstNumber`. Returns the row at which
 * it stopped because WRITTEN is full.
 */
export function write(row: u32, rowCount: u32, firstNumber: f64, width: u32, shownBytes: u32, lineEnd: u32): u32 {
  let to: usize = WRITTEN;
  let span: u32 = row == 0 ? 0 : load<u32>(SPAN_ENDS + ((row - 1) << 2));
  for (; row < rowCount; ++row) {
    const spanEnd: u32 = load<u32>(SPAN_ENDS + (row << 2));
    const number = <u64>firstNumber + row;
    const end = writeRow(span, spanEnd, number, width, shownBytes, lineEnd, to);
    if (end == 0) break;
    to = end;
    span = spanEnd;
    store<u32>(LINES_ENDS + (row << 2), to - WRITTEN);
  }
  store<u32>(WRITTEN_LENGTH, to - WRITTEN);
  return row;
}

/** Writes the lines of one row. Returns their end, or 0 if they do not fit. */
function writeRow(span: u32, spanEnd: u32, number: u64, width: u32, shownBytes: u32, lineEnd: u32, to: usize): usize {
  if (span == spanEnd) return to;
  if (to + FIXED_BYTES > WRITTEN + WRITTEN_BYTES) return 0;
  const start = to, numberEnd = writeWord(number, to);
  store<u8>(numberEnd, TAB);
  for (; span < spanEnd; ++span) {
    const text: usize = load<u32>(SPANS + (span << 3)), length: usize = load<u32>(SPANS + (span << 3), 4);
    if (to + length + FIXED_BYTES > WRITTEN + WRITTEN_BYTES) return 0;
    if (to != start) copy(start, numberEnd + 1, to);
    to += numberEnd + 1 - start;
    copy(text, text + length, to);
    to += length;
    if (width != 0) {
      store<u8>(to, TAB);
      writeHex(DIGESTS + span * width, max<u32>(16, width), to + 1);
      to += 1 + (shownBytes << 1);
    }
    store<u8>(to++, lineEnd);
  }
  return to;
}
