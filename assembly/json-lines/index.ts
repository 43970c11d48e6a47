// Finds the strings in a field of JSON lines: a separate module, for the command only, and with SIMD only. It finds
// what `JSON.parse` finds (src/command/read/json-lines.ts), and leaves rare lines to that: those that are not JSON, have no
// such string, have a name that is to be added, are nested deeper than 63, or have names with escapes or non-ASCII
// characters.

import {
  BACKSLASH, CARRIAGE_RETURN, COLON, FULL_STOP, hexValue, isDigit, LINE_FEED, QUOTATION_MARK, SPACE, TAB,
} from '../bytes';
import { copy } from '../text';
import {
  CLOSING_BRACES, ENDS, LINES, NAME_ENDS, NAMES, ROW_CAPACITY, STARTS, STOPPED, VALUE_ENDS, VALUES,
} from './layout';

const PLUS: u32 = 0x2b;
const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const ZERO: u32 = 0x30;
const LEFT_BRACKET: u32 = 0x5b;
const RIGHT_BRACKET: u32 = 0x5d;
const SMALL_U: u32 = 0x75;
const LEFT_BRACE: u32 = 0x7b;
const RIGHT_BRACE: u32 = 0x7d;

const TRUE: u32 = 0x65757274;
const NULL: u32 = 0x6c6c756e;
/** `false` without its first letter. */
const ALSE: u32 = 0x65736c61;

/** The limit on nested objects and arrays, which take a bit each. */
const DEPTH_LIMIT: u32 = 63;

/** States: what may come next. */
const VALUE: u32 = 0;
const VALUE_OR_END: u32 = 1;
const KEY: u32 = 2;
const KEY_OR_END: u32 = 3;
const COMMA_OR_END: u32 = 4;

/** Facts that afterString reports about a string, in the bits above the address after it. */
const HAS_ESCAPE: u64 = 1 << 32;
const IS_BEYOND_ASCII: u64 = 1 << 33;

/**
 * Scans the lines in [line, linesEnd), all of which end in a line feed, until one must be left to JavaScript or there
 * are ROW_CAPACITY rows, and returns the number of rows. `spaceCount` spaces, and text between them, precede the object
 * of a line. The first `nameCount` NAMES are the path to the field, the others are left to JavaScript. STOPPED is set
 * to where the next line begins.
 */
export function scan(line: usize, linesEnd: usize, spaceCount: u32, nameCount: u32, takenCount: u32): u32 {
  let row: usize = 0;
  let valuesEnd = VALUES;
  for (; line < linesEnd && row < ROW_CAPACITY; ++row) {
    const object = objectStart(line, spaceCount), at = row << 2;
    const valueEnd: usize = object == 0 ? 0 : scanObject(object, nameCount, takenCount, valuesEnd, CLOSING_BRACES + at);
    if (valueEnd == 0) break;
    const feed = afterSpace(LINES + load<u32>(at, CLOSING_BRACES) + 1);
    if (load<u8>(feed) != LINE_FEED) break;
    store<u8>(valueEnd, LINE_FEED);
    valuesEnd = valueEnd + 1;
    const hasReturn = load<u8>(feed - 1) == CARRIAGE_RETURN;
    store<u32>(at, line - LINES, STARTS);
    store<u32>(at, feed - <usize>hasReturn - LINES, ENDS);
    store<u32>(at, valueEnd - VALUES, VALUE_ENDS);
    line = feed + 1;
  }
  store<u32>(STOPPED, line);
  return <u32>row;
}

/** Returns the address of an object's opening brace, or 0 if it is not there. */
function objectStart(at: usize, spaceCount: u32): usize {
  if (spaceCount == 0) {
    at = afterSpace(at);
  } else {
    if (load<u8>(at) == SPACE) return 0; // as a CDX header does
    for (; spaceCount > 0; ++at) {
      const byte = <u32>load<u8>(at);
      if (byte == LINE_FEED) return 0;
      if (byte == SPACE) --spaceCount;
    }
  }
  return load<u8>(at) == LEFT_BRACE ? at : 0;
}

// @ts-ignore: decorator
@inline function isSpace(byte: u32): bool {
  return byte == SPACE || byte == TAB || byte == CARRIAGE_RETURN;
}

// @ts-ignore: decorator
@inline function afterSpace(at: usize): usize {
  while (isSpace(load<u8>(at))) ++at;
  return at;
}

/**
 * The state machine of RFC 8259, from the opening brace on. Copies the value to `to` and returns its end, or 0; stores
 * the offset of the closing brace at `brace`.
 */
function scanObject(at: usize, nameCount: u32, takenCount: u32, to: usize, brace: usize): usize {
  let state = VALUE, depth: u32 = 0, pathDepth: u32 = 0;
  let objects: u64 = 0; // bit n: whether depth n is an object
  let isNamed = true;
  let valueStart: usize = 0, value: u64 = 0;
  for (; ; ) {
    at = afterSpace(at);
    const byte = <u32>load<u8>(at);
    if (state == COMMA_OR_END && byte == COMMA) {
      ++at;
      state = (objects >> depth) & 1 ? KEY : VALUE;
    } else if (byte == RIGHT_BRACE || byte == RIGHT_BRACKET) {
      const isFirst = state == KEY_OR_END || state == VALUE_OR_END;
      if (!isFirst && state != COMMA_OR_END) return 0;
      if ((((objects >> depth) & 1) != 0) != (byte == RIGHT_BRACE)) return 0;
      if (--depth == 0) break;
      ++at;
      pathDepth = min(pathDepth, depth);
      state = COMMA_OR_END;
    } else if (state == KEY || state == KEY_OR_END) {
      const start = at + 1;
      const string = byte == QUOTATION_MARK ? afterString(start) : 0;
      if (string == 0) return 0;
      at = <usize>string;
      isNamed = false;
      if (depth == pathDepth) {
        if (string > <u64>u32.MAX_VALUE) return 0;
        isNamed = isName(start, at - 1, depth - 1);
        for (let taken: u32 = 0; depth == 1 && taken < takenCount; ++taken)
          if (isName(start, at - 1, nameCount + taken)) return 0;
      }
      at = afterSpace(at);
      if (load<u8>(at++) != COLON) return 0;
      if (isNamed) valueStart = 0;
      state = VALUE;
    } else if (state == COMMA_OR_END) {
      return 0;
    } else if (byte == LEFT_BRACE || byte == LEFT_BRACKET) {
      if (++depth > DEPTH_LIMIT) return 0;
      const isObject = byte == LEFT_BRACE;
      objects = (objects & ~((<u64>1) << depth)) | ((<u64>isObject) << depth);
      ++at;
      if (isObject && isNamed && pathDepth == depth - 1 && depth <= nameCount) pathDepth = depth;
      state = isObject ? KEY_OR_END : VALUE_OR_END;
      isNamed = false;
    } else {
      const start = at + 1;
      const scalar = byte == QUOTATION_MARK ? afterString(start) : <u64>afterScalar(at, byte);
      if (scalar == 0) return 0;
      at = <usize>scalar;
      if (isNamed && byte == QUOTATION_MARK && depth == pathDepth && depth == nameCount) {
        valueStart = start;
        value = scalar;
      }
      isNamed = false;
      state = COMMA_OR_END;
    }
  }
  if (valueStart == 0) return 0;
  store<u32>(brace, at - LINES);
  const valueEnd = <usize>value - 1;
  if (value & HAS_ESCAPE) return value & IS_BEYOND_ASCII ? 0 : writeUnescaped(valueStart, valueEnd, to);
  copy(valueStart, valueEnd, to);
  return to + (valueEnd - valueStart);
}

/** Whether the key [start, end) is the name at `index` in the path. */
function isName(start: usize, end: usize, index: u32): bool {
  const nameStart = index == 0 ? NAMES : NAMES + load<u16>(NAME_ENDS + ((index - 1) << 1));
  const nameEnd = NAMES + load<u16>(NAME_ENDS + (index << 1));
  if (end - start != nameEnd - nameStart) return false;
  for (let at = nameStart; at < nameEnd; ++at, ++start) if (load<u8>(at) != load<u8>(start)) return false;
  return true;
}

/**
 * Returns the address after a string's closing quotation mark, with flags above it, or 0 if it is not a string, such as
 * one with a line feed.
 */
function afterString(at: usize): u64 {
  const quotes = i8x16.splat(<i8>QUOTATION_MARK), backslashes = i8x16.splat(<i8>BACKSLASH);
  const spaces = i8x16.splat(<i8>SPACE);
  let flags: u64 = 0;
  while (true) {
    const bytes = v128.load(at);
    const stops = v128.or(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)), i8x16.lt_u(bytes, spaces));
    const found = i8x16.bitmask(stops);
    const before = found == 0 ? -1 : (found - 1) & ~found;
    if (i8x16.bitmask(bytes) & before) flags |= IS_BEYOND_ASCII;
    if (found == 0) {
      at += 16;
      continue;
    }
    at += ctz(found);
    const byte = <u32>load<u8>(at);
    if (byte == QUOTATION_MARK) break;
    if (byte != BACKSLASH || (at = afterEscape(at + 1)) == 0) return 0;
    flags |= HAS_ESCAPE;
  }
  return <u64>(at + 1) | flags;
}

/** Returns the address after an escape whose letter is at `at`, or 0. */
function afterEscape(at: usize): usize {
  const letter = <u32>load<u8>(at);
  if (letter == SMALL_U) {
    for (let digit: usize = 1; digit <= 4; ++digit) if (hexValue(load<u8>(at + digit)) == 16) return 0;
    return at + 5;
  }
  return letter == QUOTATION_MARK || letter == BACKSLASH || plainEscape(letter) != 0 ? at + 1 : 0;
}

/** Returns what a letter stands for after a backslash, or 0. */
function plainEscape(letter: u32): u32 {
  switch (letter) {
    case 0x2f: return 0x2f;
    case 0x62: return 0x08;
    case 0x66: return 0x0c;
    case 0x6e: return LINE_FEED;
    case 0x72: return CARRIAGE_RETURN;
    case 0x74: return TAB;
    default: return 0;
  }
}

/** Writes an ASCII string unescaped and returns its end, or 0 if an escape stands for a non-ASCII character. */
function writeUnescaped(at: usize, end: usize, to: usize): usize {
  while (at < end) {
    let byte = <u32>load<u8>(at++);
    if (byte == BACKSLASH) {
      byte = <u32>load<u8>(at++);
      if (byte == SMALL_U) {
        if (load<u16>(at) != 0x3030 || load<u8>(at + 2) - ZERO > 7) return 0;
        byte = (hexValue(load<u8>(at + 2)) << 4) | hexValue(load<u8>(at + 3));
        at += 4;
      } else if (byte != QUOTATION_MARK && byte != BACKSLASH) {
        byte = plainEscape(byte);
      }
    }
    store<u8>(to++, byte);
  }
  return to;
}

/** Returns the address after a number or a literal, or 0 if it is neither. */
function afterScalar(at: usize, first: u32): usize {
  if (first == MINUS || isDigit(first)) return afterNumber(at);
  const letters = load<u32>(at);
  if (letters == TRUE || letters == NULL) return at + 4;
  return first == 0x66 && load<u32>(at + 1) == ALSE ? at + 5 : 0;
}

function afterNumber(at: usize): usize {
  if (load<u8>(at) == MINUS) ++at;
  const first = at;
  at = afterDigits(at);
  if (at == first || (load<u8>(first) == ZERO && at > first + 1)) return 0;
  if (load<u8>(at) == FULL_STOP) {
    const fraction = at + 1;
    at = afterDigits(fraction);
    if (at == fraction) return 0;
  }
  if ((load<u8>(at) | 0x20) != 0x65) return at;
  ++at;
  if (load<u8>(at) == PLUS || load<u8>(at) == MINUS) ++at;
  const exponent = at;
  at = afterDigits(at);
  return at == exponent ? 0 : at;
}

function afterDigits(at: usize): usize {
  while (isDigit(load<u8>(at))) ++at;
  return at;
}
