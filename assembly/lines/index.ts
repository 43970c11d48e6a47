// Writes the lines of `urlsum --format text`, `hex`, `u64`, `tsv` and `ndjson`, and of `urlsum --check`: a separate
// module, for the command only, in the kernel's memory and with SIMD only.

import { DIGESTS, NO_MESSAGE, ROW_ENDS, ROW_STARTS, SPANS } from '../layout';
import { copy, copyPlain, copyPrintable } from '../text';
import { writeWord } from './decimal';
import { writeHex } from './hex';
import {
  END, FIXED_BYTES, HEX, KEPT, LINE, LITERAL, PLAIN_FORM, PLAIN_LINE, PRINTABLE_LINE, QUOTED_WORDS, STOPPED,
  TEMPLATE, WORDS, WRITTEN, WRITTEN_END,
} from './layout';

const HYPHEN: u32 = 0x2d;
/** `","`, the least significant byte first. */
const QUOTE_COMMA_QUOTE: u32 = 0x222c22;

/**
 * Writes the rows KEPT[index] to KEPT[count - 1] to WRITTEN by the template, with `lineEndByte` after each, and returns
 * their end. Digests have `width` bytes each. Stops at a row, which STOPPED names, that does not fit, has no message or
 * has something to escape.
 */
export function write(index: u32, count: u32, width: u32, lineEndByte: u32): usize {
  let to = WRITTEN;
  for (; index < count; ++index) {
    const row: usize = load<u32>(KEPT + (index << 2));
    const line: usize = load<u32>(ROW_STARTS + (row << 2)), end: usize = load<u32>(ROW_ENDS + (row << 2));
    const form: usize = load<u32>(SPANS + (row << 3)), formLength: u32 = load<u32>(SPANS + (row << 3), 4);
    if (formLength == NO_MESSAGE || to + FIXED_BYTES + (end - line) + formLength > WRITTEN_END) break;
    const written = writeRow(DIGESTS + row * width, width, line, end, form, form + formLength, to);
    if (written == 0) break;
    store<u8>(written, lineEndByte);
    to = written + 1;
  }
  store<u32>(STOPPED, index);
  return to;
}

/**
 * Writes a row without its line end. Returns its end, or 0 if the form is empty, as one from another thread is, or the
 * line or the form has something to escape.
 */
function writeRow(
  digest: usize, width: u32, line: usize, lineEnd: usize, form: usize, formEnd: usize, to: usize,
): usize {
  let at = TEMPLATE;
  for (let field = load<u8>(at++); field != END; field = load<u8>(at++)) {
    if (field == LITERAL) {
      const length: usize = load<u8>(at++);
      copy(at, at + length, to);
      at += length;
      to += length;
    } else if (field == LINE) {
      copy(line, lineEnd, to);
      to += lineEnd - line;
    } else if (field == PLAIN_LINE) {
      if (!copyPlain(line, lineEnd, to)) return 0;
      to += lineEnd - line;
    } else if (field == PRINTABLE_LINE) {
      if (!copyPrintable(line, lineEnd, to)) return 0;
      to += lineEnd - line;
    } else if (field == PLAIN_FORM) {
      if (form == formEnd || !copyPlain(form, formEnd, to)) return 0;
      to += formEnd - form;
    } else if (field == HEX) {
      to = writeHex(digest, width, to);
    } else {
      to = field == WORDS
        ? writeWords(digest, width, HYPHEN, 1, to)
        : writeWords(digest, width, QUOTE_COMMA_QUOTE, 3, to);
    }
  }
  return to;
}

/** Writes the words of a digest, with `separatorLength` bytes of `separator` between them. */
function writeWords(digest: usize, width: u32, separator: u32, separatorLength: usize, to: usize): usize {
  to = writeWord(load<u64>(digest), to);
  for (const end = digest + width; (digest += 8) < end; ) {
    store<u32>(to, separator);
    to = writeWord(load<u64>(digest), to + separatorLength);
  }
  return to;
}
