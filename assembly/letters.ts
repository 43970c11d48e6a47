// ToASCII of UTS #46 for domains all of whose code points are in memory: JavaScript, which has the tables, adds each
// code point at its first sight, with what the rules for domains ask of it. https://www.unicode.org/reports/tr46/#ToASCII

import { FULL_STOP } from './bytes';
import {
  BIDI, BIDI_A, BIDI_E, BIDI_L, BIDI_N, BIDI_O, BIDI_R, LABEL, LETTER_CODE, LETTER_COUNT, LETTER_IGNORED, LETTER_MARK,
  LETTER_REORDERS, LETTER_VERSION_SHIFT, LETTERS, UNICODE_VERSION,
} from './layout';
import { encodePunycode } from './punycode';
import { codePointAt, sequenceLength } from './text';

// The second results of readLabel, about the label that it read: where its code points end, their bits and their bidi
// classes together, whether it is valid beside one that is written from right to left, and whether no other follows.
let labelEnd: usize = 0;
let labelCodes: u32 = 0;
let labelBidi: u32 = 0;
let hasValidBidi: bool = false;
let isLast: bool = false;

/**
 * Writes the ASCII form of the domain [at, end) and returns its end; 0 where memory lacks a code point, and where the
 * tables decide: a domain that is not valid, a label in Punycode, and what Normalization Form C might change.
 */
export function domainToAscii(at: usize, end: usize, to: usize): usize {
  let bidi: u32 = 0, areValid = true;
  do {
    at = readLabel(at, end);
    if (at == 0) return 0;
    bidi |= labelBidi;
    areValid = areValid && hasValidBidi;
    to = writeLabel(to);
    if (to == 0) return 0;
    if (!isLast) store<u8>(to++, FULL_STOP);
  } while (!isLast);
  return (bidi & (BIDI_R | BIDI_A)) != 0 && !areValid ? 0 : to;
}

/** Reads a label to LABEL, and returns the address after it and its full stop, or 0. */
function readLabel(at: usize, end: usize): usize {
  const version = load<u32>(UNICODE_VERSION);
  let to = LABEL, bits: u32 = 0, first: u32 = 0, last: u32 = 0, before: u32 = 0;
  isLast = true;
  while (at < end) {
    const length = sequenceLength(at, end);
    const code = length == 0 ? LETTER_COUNT : codePointAt(at, length);
    if (code >= LETTER_COUNT) return 0;
    const letter = load<u32>(LETTERS + (code << 2)), mapped = letter & LETTER_CODE;
    at += length;
    if (letter >> LETTER_VERSION_SHIFT != version) return 0;
    if ((letter & LETTER_IGNORED) != 0) continue;
    if (mapped == FULL_STOP) {
      isLast = false;
      break;
    }
    // NFC keeps a mark that no other precedes; one that may compose is not in memory
    const isBeginning = to == LABEL;
    if (mapped == 0 || (letter & before & LETTER_REORDERS) != 0 || (isBeginning && (letter & LETTER_MARK) != 0)) return 0;
    store<u32>(to, mapped);
    to += 4;
    bits |= letter;
    before = letter;
    if (isBeginning) first = letter;
    if ((letter & BIDI_N) == 0) last = letter;
  }
  labelEnd = to;
  labelCodes = bits & LETTER_CODE;
  labelBidi = bits & BIDI;
  hasValidBidi = to == LABEL || isValidBidi(first, last, bits);
  return at;
}

/** Rules 2 to 6 of https://www.rfc-editor.org/rfc/rfc5893#section-2, of the classes of a label's letters. */
function isValidBidi(first: u32, last: u32, all: u32): bool {
  const strong = first & (BIDI_L | BIDI_R);
  const number = (first & BIDI_R) != 0 && (all & BIDI_A) != 0 ? BIDI_A : BIDI_E;
  const others = all & BIDI & ~(strong | number | BIDI_N | BIDI_O);
  return strong != 0 && others == 0 && (last & (strong | number)) != 0;
}

/** Writes the label in LABEL as DNS has it and returns its end, or 0 if it is in Punycode already. */
function writeLabel(to: usize): usize {
  if (labelEnd - LABEL >= 16 && load<u64>(LABEL) == 0x6e00000078 && load<u64>(LABEL, 8) == 0x2d0000002d) return 0; // xn--
  if (labelCodes > 0x7f) {
    store<u32>(to, 0x2d2d6e78);
    return encodePunycode(LABEL, labelEnd, to + 4);
  }
  for (let at = LABEL; at < labelEnd; at += 4) store<u8>(to++, load<u8>(at));
  return to;
}
