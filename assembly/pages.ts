// Folds the messages of pages, and lists those with parameters for JavaScript: docs/parameters.md, from escapes to Path.
// Most lines of a run with rules for sites touch none of them, and most folds move a few bytes: 30 ns per line here, where
// JavaScript takes 180 to 360.

import {
  AMPERSAND, AT, COLON, equal, escape, FULL_STOP, hexValue, isDigit, isLetter, NUMBER_SIGN, PERCENT, QUESTION_MARK, SEMICOLON, SLASH,
} from './bytes';
import {
  FOLD_EMPTY_QUERY, FOLD_ESCAPES, FOLD_HTTPS, FOLD_INDEX, FOLD_SESSION, FOLD_SLASH, FOLD_WWW, HOST_BITS_BYTES,
  LIST_QUERIES, LIST_SITES, LIST_UNSORTED, LISTED, LISTED_COUNT, NO_RULE, ROOM_END, RULE_BYTES, RULE_FOLDS, RULE_LISTS,
  RULE_NUMBER, SITES, SLOTS, SPANS, TEXT_END, UNKNOWN_RULE,
} from './layout';
import { afterScheme } from './scheme';

/**
 * Folds a message as `folds` and its rule say, in the room from ROOM_END on if it moves. Lists it if it has a query of
 * which `lists` or the rule says so: the row, the rule, and where path and query end. A listed message is a copy in the
 * room, so that JavaScript may write there. Rare folds are among `folds` only for a row that has any of their marks. Returns
 * false for a message that it cannot fold: it has a user, an IPv6 address, a long host, no room, a `%` among escapes that
 * are folded, a session or an empty query after them, or parameters but no host.
 */
export function foldPage(row: u32, message: usize, end: usize, folds: u32, lists: u32): bool {
  let host = afterScheme(message);
  if (host == 0) return (lists & LIST_PARAMETERS) == 0 || partEnd(message, end, QUESTION_MARK) == end;
  if ((folds & FOLD_ESCAPES) != 0) {
    const room: usize = load<u32>(ROOM_END);
    if (room + (end - message) + 80 > TEXT_END) return false;
    end = copied(message, end, room);
    host += room - message;
    message = room;
    end = foldEscapes(partEnd(host, end, SLASH), end);
    if (end == 0) return false;
    store<u8>(end, 0); // the byte after a row that rareMark asks for
    if (rareMark(host, end, folds & ~FOLD_ESCAPES) != end) return false;
    storeMessage(row, message, end);
    store<u32>(ROOM_END, end);
    if (((folds & ~RARE_FOLDS) | lists) == 0) return true;
  }
  let ends: u64 = 0, dots: u64 = 0, shift: u64 = 0;
  do {
    const one = v128.load(host + <usize>shift), two = v128.load(host + <usize>shift, 16);
    ends |= <u64>bits32(mayEnd(one), mayEnd(two)) << shift;
    dots |= <u64>bits32(equal(one, FULL_STOP), equal(two, FULL_STOP)) << shift;
    shift += 32;
  } while (ends == 0 && shift < 64);
  dots &= (ends & (0 - ends)) - 1;
  const hostEnd = host + <usize>ctz(ends); // or its 64th byte, which does not end it
  let path = hostEnd;
  if (load<u8>(path) == COLON) while (isDigit(load<u8>(++path))) {}
  if (load<u8>(path) != SLASH) return false; // it is a user, or an IPv6 address

  let rule = NO_RULE, limit = path + 1;
  if ((lists & LIST_SITES) != 0) {
    const found = ruleOf(host, hostEnd, path, dots, end);
    if (found == UNKNOWN_RULE) return false;
    if (found != NO_RULE) {
      rule = load<u16>(found, RULE_NUMBER);
      folds |= load<u8>(found, RULE_FOLDS);
      lists |= load<u8>(found, RULE_LISTS);
      limit = path + <usize>load<u32>(found);
    }
  }

  let pathEnd = end;
  if (((folds & (FOLD_INDEX | FOLD_SLASH)) | (lists & LIST_PARAMETERS)) != 0) pathEnd = partEnd(path, end, QUESTION_MARK);
  const keptEnd = foldedEnd(pathEnd, limit, folds);
  const kept = (folds & FOLD_WWW) != 0 ? withoutWww(host, hostEnd, dots) : host;
  const isUpgraded = (folds / FOLD_HTTPS) & <u32>(host - message == 7) & <u32>(hostEnd == path);
  // where the beginning is folded, all move: which do is a branch that mispredicts; and what has a query, which may be
  // listed
  if ((folds & (FOLD_HTTPS | FOLD_WWW)) != 0 || pathEnd != end) {
    const room: usize = load<u32>(ROOM_END);
    if (room + (end - host) + 80 > TEXT_END) return false;
    store<u64>(room, isUpgraded != 0 ? HTTPS : load<u64>(message));
    const movedEnd = copied(kept, keptEnd, room + (host - message) + <usize>isUpgraded);
    end = pathEnd == end ? movedEnd : copied(pathEnd, end, movedEnd);
    pathEnd = movedEnd;
    message = room;
    store<u32>(ROOM_END, end);
  } else {
    end = pathEnd = keptEnd;
  }
  storeMessage(row, message, end);
  if ((lists & LIST_PARAMETERS) != 0) listQuery(row, rule, pathEnd, end, lists);
  return true;
}

const HTTPS: u64 = 0x2f2f3a7370747468; // https://
const LIST_PARAMETERS: u32 = LIST_QUERIES | LIST_UNSORTED;
/**
 * They change one row in 300, which one look over a batch finds. Sessions and empty queries are left to the parser; escapes,
 * of which some sites have many, are not.
 */
export const RARE_FOLDS: u32 = FOLD_ESCAPES | FOLD_SESSION | FOLD_EMPTY_QUERY;

function storeMessage(row: u32, message: usize, end: usize): void {
  store<u32>(SPANS + (row << 3), message);
  store<u32>(SPANS + (row << 3), end - message, 4);
}

/** Lists a message if it has a query, of two parameters if it is for their order alone. */
// @ts-ignore: decorator
@inline function listQuery(row: u32, rule: u32, pathEnd: usize, end: usize, lists: u32): void {
  if (pathEnd >= end || load<u8>(pathEnd) != QUESTION_MARK) return;
  if ((lists & LIST_QUERIES) == 0 && load<u8>(partEnd(pathEnd, end, AMPERSAND)) != AMPERSAND) return;
  const count = load<u32>(LISTED_COUNT);
  const listed = LISTED + (count << 4);
  store<u32>(listed, row);
  store<u32>(listed, rule, 4);
  store<u32>(listed, pathEnd, 8);
  store<u32>(listed, partEnd(pathEnd, end, NUMBER_SIGN), 12);
  store<u32>(LISTED_COUNT, count + 1);
}

/**
 * Returns the address of the first byte in [at, end) that a rare fold may change, of those in `folds`, or `end`.
 * After a row is a byte that no query has.
 */
export function rareMark(at: usize, end: usize, folds: u32): usize {
  const hasNames = (folds & FOLD_SESSION) != 0, dropsEmpty = (folds & FOLD_EMPTY_QUERY) != 0;
  const hasEscapes = (folds & FOLD_ESCAPES) != 0;
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    const marks = v128.or(either(bytes, QUESTION_MARK, PERCENT), either(bytes, AMPERSAND, SEMICOLON));
    for (let bits = i8x16.bitmask(marks); bits != 0; bits &= bits - 1) {
      const mark = at + <usize>ctz(bits);
      if (mark >= end) return end;
      const byte: u32 = load<u8>(mark);
      if (byte == PERCENT ? hasEscapes && isFoldedEscape(mark) : hasNames && maySession(mark + 1)) return mark;
      if (dropsEmpty && byte == QUESTION_MARK && load<u8>(mark, 1) <= NUMBER_SIGN) return mark;
    }
  }
  return end;
}

/** Whether a digit after a `%` is in lower case, or both spell an unreserved character. */
function isFoldedEscape(at: usize): bool {
  const first: u32 = load<u8>(at, 1), second: u32 = load<u8>(at, 2);
  return first > 0x60 || second > 0x60 || isUnreserved((hexValue(first) << 4) | hexValue(second));
}

/**
 * Spells the escapes of [at, end), in place, as `foldedEscapes` of src/core/url/folds.ts does, and returns the new
 * end; 0 where a `%` begins none, which an unescaped digit may follow.
 */
function foldEscapes(at: usize, end: usize): usize {
  let to = at;
  for (; at < end; ++at, ++to) {
    let byte: u32 = load<u8>(at);
    if (byte == PERCENT) {
      byte = (hexAt(at + 1) << 4) | hexAt(at + 2);
      if (byte > 0xff || at + 2 >= end) return 0;
      at += 2;
      if (!isUnreserved(byte)) {
        escape(byte, to);
        to += 2;
        continue;
      }
    }
    store<u8>(to, byte);
  }
  return to;
}

/** Returns the value of a hex digit, or 0x100 for another byte. */
function hexAt(at: usize): u32 {
  const value = hexValue(load<u8>(at));
  return value | ((value & 16) << 4);
}

function isUnreserved(byte: u32): bool {
  return isLetter(byte | 0x20) || isDigit(byte) || byte - 0x2d < 2 || byte == 0x5f || byte == 0x7e;
}

/** Whether a name may be on the list session-2026: by its first two bytes in any case, or as one of them is an escape. */
function maySession(name: usize): bool {
  const first: u32 = load<u8>(name), second: u32 = load<u8>(name, 1);
  if (first == PERCENT) return (second & 0xfc) == 0x34; // of a letter
  const pair = first | (second << 8) | 0x2020;
  return pair == 0x736a || pair == 0x6870 || pair == 0x7361 || pair == 0x6663 || second == PERCENT; // js ph as cf
}

/** Copies 64 bytes at a time, which most parts do not have, up to 63 more than asked for, and returns the end. */
function copied(at: usize, end: usize, to: usize): usize {
  const toEnd = to + end - at;
  do {
    v128.store(to, v128.load(at));
    v128.store(to, v128.load(at, 16), 16);
    v128.store(to, v128.load(at, 32), 32);
    v128.store(to, v128.load(at, 48), 48);
    at += 64;
    to += 64;
  } while (at < end);
  return toEnd;
}

/** Returns where the first `mark` or `#` is between `at` and `end`; `end` if there is none. */
export function partEnd(at: usize, end: usize, mark: u32): usize {
  let bits: u64;
  do {
    bits = <u64>bits32(marked(at, mark), marked(at + 16, mark));
    bits |= <u64>bits32(marked(at + 32, mark), marked(at + 48, mark)) << 32;
    at += 64;
  } while (bits == 0 && at < end); // near ends take no branch, since lines differ
  return min(at - 64 + <usize>ctz(bits), end);
}

/** Returns the end of a path without final slashes and index files, as `foldedPath` of src/core/url/folds.ts does. */
function foldedEnd(end: usize, limit: usize, folds: u32): usize {
  let before: usize;
  do {
    before = end;
    if ((folds & FOLD_SLASH) != 0) while (end > limit && load<u8>(end - 1) == SLASH) --end;
    if ((folds & FOLD_INDEX) != 0) end -= indexFileLength(end, limit);
  } while (end != before);
  return end;
}

/** Returns the length of the last segment before `end` if it is on the list index-2026 and not before `limit`, or 0. */
function indexFileLength(end: usize, limit: usize): u32 {
  const length: u32 = clz(i8x16.bitmask(equal(v128.load(end - 16), SLASH))) - 16; // 16 if none of them is a slash
  const name = end - length;
  const word = load<u64>(name);
  const isIndex = <u32>((word & 0xffffffffffff) == INDEX);
  if (((isIndex | <u32>((word | 0x20) == DEFAULT)) & <u32>(length - 8 <= 4)) == 0) return 0; // one branch: lines differ
  const rest = load<u64>(name, 6) & (((<u64>1) << ((<u64>length - 6) << 3)) - 1); // six bytes at most
  const type = isIndex != 0 ? rest : rest >> 16;
  const isListed = type == 0x6d7468 || (isIndex != 0 ? isIndexType(type) : type == 0x707361 || type == 0x78707361);
  return isListed && name >= limit ? length : 0; // htm; asp, aspx
}

// Names and types of files as little-endian words.
const INDEX: u64 = 0x2e7865646e69; // index.
const DEFAULT: u64 = 0x2e746c7561666564; // default.

function isIndexType(type: u64): bool {
  return type == 0x6c6d7468 || type == 0x706870 || type == 0x696763 || type == 0x6c70 // html php cgi pl
    || type == 0x6c6d746878 || type == 0x70736a; // xhtml jsp
}

/** Returns where the host begins without its leading `www` labels, as long as two labels that are not empty remain. */
function withoutWww(host: usize, end: usize, dots: u64): usize {
  let at = host, isWww: u32;
  do {
    const left = end - at - 4;
    const named = ~(dots >> <u64>(at + 4 - host)) & (((<u64>1) << left) - 1);
    isWww = <u32>(load<u32>(at) == WWW) & <u32>(popcnt(named & ~(named << 1)) > 1);
    at += <usize>(isWww << 2);
  } while ((isWww & <u32>(load<u32>(at) == WWW)) != 0);
  return at;
}

const WWW: u32 = 0x2e777777;

/**
 * Returns the address of the rule for a page, NO_RULE, or UNKNOWN_RULE: src/core/sites/host-table.ts lays them out. Of the
 * rules that fit, that with the longest host, then the longest path. Few lines have a host whose last two labels are
 * those of a HOST: the others cost one hash.
 */
// @ts-ignore: decorator
@inline function ruleOf(host: usize, hostEnd: usize, path: usize, dots: u64, end: usize): usize {
  const others = dots & ~((<u64>1) << (63 - clz(dots))); // without the last
  if (!mayHaveRules(hashOf(host + <usize>(64 - clz(others)), hostEnd))) return NO_RULE;
  if (load<u32>(SITES, HOST_BITS_BYTES) == 0) return UNKNOWN_RULE;
  let starts = (dots << 1) | 1;
  do {
    const name = host + <usize>ctz(starts);
    const hash = hashOf(name, hostEnd);
    const rule = mayHaveRules(hash) ? ruleOfName(hash, name, hostEnd, path, end) : NO_RULE;
    if (rule != NO_RULE) return rule;
    starts &= starts - 1;
  } while (starts != 0);
  return ruleOfName(0, hostEnd, hostEnd, path, end); // of every site: the host ''
}

// @ts-ignore: decorator
@inline function mayHaveRules(hash: u32): bool {
  const bit = hash >> BIT_SHIFT;
  return ((<u32>load<u8>(SITES + (bit >> 3)) >> (bit & 7)) & 1) != 0;
}

function ruleOfName(hash: u32, name: usize, nameEnd: usize, path: usize, end: usize): usize {
  const mask = load<u32>(SITES, HOST_BITS_BYTES);
  let at = hash ^ (hash >> 15);
  let slot: usize, host: usize;
  while ((host = load<u32>((slot = <usize>(at & mask) << 3), SITES + SLOTS + 4)) != 0) {
    const text = host + 8 + <usize>load<u32>(host, 4);
    if (load<u32>(slot, SITES + SLOTS) == hash && <usize>load<u32>(host) == nameEnd - name && isText(name, nameEnd, text))
      return ruleIn(host + 8, text, text + (nameEnd - name), path, end);
    ++at;
  }
  return NO_RULE;
}

/** Returns the first of the rules [rule, rulesEnd) whose path, one after another from `text` on, begins the page's. */
function ruleIn(rule: usize, rulesEnd: usize, text: usize, path: usize, end: usize): usize {
  for (; rule < rulesEnd; rule += RULE_BYTES) {
    const length = <usize>load<u32>(rule);
    if (length <= end - path && isText(path, path + length, text)) return rule;
    text += length;
  }
  return NO_RULE;
}

/** Whether the bytes [at, end) are those from `text` on. */
function isText(at: usize, end: usize, text: usize): bool {
  for (; at < end; at += 16, text += 16) {
    const others: u32 = i8x16.bitmask(i8x16.ne(v128.load(at), v128.load(text)));
    if (others != 0) return <usize>ctz(others) >= end - at;
  }
  return true;
}

/** Hashes the first eight bytes of a name, its last four and its length, as src/core/sites/host-table.ts does. */
function hashOf(at: usize, end: usize): u32 {
  const length = <u32>(end - at);
  let first = load<u64>(at);
  if (length < 8) first &= ((<u64>1) << (length << 3)) - 1;
  const last: u32 = length < 4 ? 0 : load<u32>(end - 4);
  const hash = (<u32>first * 0x9e3779b1) ^ (<u32>(first >> 32) * 0x85ebca77) ^ (last * 0xc2b2ae3d) ^ length;
  return (hash ^ (hash >> 15)) * 0x2c1b3c6d;
}

/** The shift of a hash of 32 bits that leaves the number of a bit. */
const BIT_SHIFT: u32 = 32 - (3 + 31 - clz(HOST_BITS_BYTES));

// @ts-ignore: decorator
@inline function either(bytes: v128, one: u32, other: u32): v128 {
  return v128.or(equal(bytes, one), equal(bytes, other));
}

/** Finds what ends a host: a path, a port, or that it is a user. */
// @ts-ignore: decorator
@inline function mayEnd(bytes: v128): v128 { return v128.or(either(bytes, SLASH, COLON), equal(bytes, AT)); }

// @ts-ignore: decorator
@inline function marked(at: usize, mark: u32): v128 { return either(v128.load(at), mark, NUMBER_SIGN); }

// @ts-ignore: decorator
@inline function bits32(low: v128, high: v128): u32 { return i8x16.bitmask(low) | (i8x16.bitmask(high) << 16); }
