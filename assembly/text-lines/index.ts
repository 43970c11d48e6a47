// The lines of `urlsum --format text`, `hex`, `u64`, `tsv` and `ndjson`: a module of its own, for the command alone,
// and with SIMD only.

import { copy, copyPlain, endOf } from '../text';
import { writeWord } from './decimal';
import { writeHex } from './hex';
import {
  END, HEX, LINE, LITERAL, PLACES, PLAIN_FORM, PLAIN_LINE, QUOTED_WORDS, STOPPED, TEMPLATE, WORDS,
} from './layout';

const LINE_FEED: u32 = 0x0a;
const CARRIAGE_RETURN: u32 = 0x0d;
const HYPHEN: u32 = 0x2d;
/** `","`, from the least significant byte on. */
const QUOTE_COMMA_QUOTE: u32 = 0x222c22;

/**
 * Writes up to `rows` rows to `to` as the template has it, and returns their end: digests of `width` bytes from
 * `digest` on; lines from `line` on, which lie before `linesEnd` and end in `lineEnd`; and from `form` on their
 * canonical forms, each with a line feed after it, before `formsEnd`. Stops early at a row with something to escape.
 * STOPPED has where the next line begins, how many rows are still to come, and where the next form begins.
 */
export function write(
  rows: u32, digest: usize, width: u32,
  line: usize, linesEnd: usize, lineEnd: u32, form: usize, formsEnd: usize, to: usize,
): usize {
  for (; rows > 0 && line < linesEnd && form < formsEnd; --rows, digest += width) {
    const feed = endOf(line, lineEnd);
    const hasReturn = lineEnd == LINE_FEED && feed > line && load<u8>(feed - 1) == CARRIAGE_RETURN;
    const end = writeRow(digest, width, line, feed - <usize>hasReturn, form, to);
    if (end == 0) break;
    store<u8>(end, lineEnd);
    to = end + 1;
    line = feed + 1;
    form = formEnd;
  }
  store<u32>(STOPPED, line, 0);
  store<u32>(STOPPED, rows, 4);
  store<u32>(STOPPED, form, 8);
  return to;
}

/**
 * Writes `text` to `to`, up to the last of the `rows` places in it, with the fields of a row as the template has them
 * at each place; returns the end.
 */
export function insert(rows: u32, digest: usize, width: u32, text: usize, to: usize): usize {
  for (let at = PLACES; rows > 0; --rows, digest += width, at += 4) {
    const place: usize = load<u32>(at);
    copy(text, place, to);
    to = writeRow(digest, width, place, place, 0, to + place - text);
    text = place;
  }
  return to;
}

/** Where the form after that of the last row begins. */
let formEnd: usize = 0;

/** One row without its line end; returns its end, or 0 where the line or the form has something to escape. */
function writeRow(digest: usize, width: u32, line: usize, lineEnd: usize, form: usize, to: usize): usize {
  let at = TEMPLATE;
  formEnd = form;
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
    } else if (field == PLAIN_FORM) {
      const end = endOf(form, LINE_FEED);
      if (!copyPlain(form, end, to)) return 0;
      to += end - form;
      formEnd = end + 1;
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

/** The words of a digest, with `separatorLength` bytes of `separator` between two. */
function writeWords(digest: usize, width: u32, separator: u32, separatorLength: usize, to: usize): usize {
  to = writeWord(load<u64>(digest), to);
  for (const end = digest + width; (digest += 8) < end; ) {
    store<u32>(to, separator);
    to = writeWord(load<u64>(digest), to + separatorLength);
  }
  return to;
}
