// Folds the messages of pages, and lists those that JavaScript must look at: docs/parameters.md, 2 to 6, as far as a
// look at the host and at the ends of the path goes. Most lines of a run with rules for sites touch none of them, and
// most folds move a few bytes: 30 ns per line here, where JavaScript takes 180 to 260.

import { outside, ROW_BIT } from './byte-set';
import { FULL_STOP, NUMBER_SIGN, QUESTION_MARK, SLASH } from './bytes';
import { HOST } from './host';
import {
  FOLD_HTTPS, FOLD_INDEX, FOLD_SLASH, FOLD_WWW, LIST_QUERIES, LIST_SITES, LISTED, LISTED_COUNT, PENDING, PENDING_COUNT,
  ROOM_END, SITES, SITES_BYTES, SPANS, TEXT_END,
} from './layout';
import { afterScheme } from './scheme';

/**
 * Folds each message as `asked`, or lists it: its row, the beginning of the longest name in its host that may have rules,
 * or 0, and where its path and its query end. Listed are messages whose host may have rules, those with a query if
 * asked, and those that may be folded but not here. Rows that need the parser are left out; their forms come from there.
 */
export function foldPages(rowCount: u32, asked: u32): void {
  const pendingCount = load<u32>(PENDING_COUNT);
  let nextPending: u32 = 0;
  let listed = LISTED;
  for (let row: u32 = 0; row < rowCount; ++row) {
    if (nextPending < pendingCount && load<u32>(PENDING + (nextPending << 2)) == row) {
      ++nextPending;
      continue;
    }
    const message: usize = load<u32>(SPANS + (row << 3));
    const end = message + <usize>load<u32>(SPANS + (row << 3), 4);
    const name = foldPage(row, message, end, asked);
    if (name == FOLDED) continue;
    const pathEnd = partEnd(message, end, QUESTION_MARK);
    store<u32>(listed, row);
    store<u32>(listed, name, 4);
    store<u32>(listed, pathEnd, 8);
    store<u32>(listed, load<u8>(pathEnd) == QUESTION_MARK ? partEnd(pathEnd, end, NUMBER_SIGN) : pathEnd, 12);
    listed += 16;
  }
  store<u32>(LISTED_COUNT, (listed - LISTED) >> 4);
}

/** What foldPage returns for a message that need not be listed. */
const FOLDED: usize = 1;

/** Folds a message, or returns the name in its host that may have rules, or 0: then it must be listed. */
function foldPage(row: u32, message: usize, end: usize, asked: u32): usize {
  const host = afterScheme(message);
  if (host == 0) return <usize>((asked & LIST_QUERIES) == 0 || partEnd(message, end, QUESTION_MARK) == end);
  const names = v128.load(HOST), rowBit = v128.load(ROW_BIT);
  let others = <u64>bits32(outside(v128.load(host), names, rowBit), outside(v128.load(host, 16), names, rowBit));
  let dots = <u64>bits32(equal(host, FULL_STOP), equal(host + 16, FULL_STOP));
  if (others == 0) {
    others = <u64>bits32(outside(v128.load(host, 32), names, rowBit), outside(v128.load(host, 48), names, rowBit)) << 32;
    dots |= <u64>bits32(equal(host + 32, FULL_STOP), equal(host + 48, FULL_STOP)) << 32;
  }
  const path = host + <usize>ctz(others);
  if (others == 0 || load<u8>(path) != SLASH) return 0; // a user, a port, an address, or a long host
  dots &= ((<u64>1) << (path - host)) - 1;
  if ((asked & LIST_SITES) != 0) {
    const name = nameWithRules(host, path, dots, end, asked);
    if (name != 0) return name;
  }

  let pathEnd = end;
  if ((asked & (FOLD_INDEX | FOLD_SLASH | LIST_QUERIES)) != 0) {
    pathEnd = partEnd(path, end, QUESTION_MARK);
    if ((asked & LIST_QUERIES) != 0 && pathEnd < end && load<u8>(pathEnd) == QUESTION_MARK) return 0;
  }
  let keptEnd = pathEnd;
  if ((asked & FOLD_SLASH) != 0) while (load<u8>(keptEnd - 1) == SLASH && keptEnd - 1 > path) --keptEnd;
  if ((asked & FOLD_INDEX) != 0 && mayBeIndexFile(keptEnd)) return 0;
  const kept = (asked & FOLD_WWW) != 0 ? withoutWww(host, path, dots) : host;
  const isUpgraded = (asked & FOLD_HTTPS) != 0 && host - message == 7;
  if (isUpgraded || kept != host || (keptEnd != pathEnd && pathEnd != end))
    return <usize>moveTo(row, kept, keptEnd, pathEnd, end, isUpgraded || host - message == 8);
  if (keptEnd != pathEnd) store<u32>(SPANS + (row << 3), keptEnd - message, 4);
  return FOLDED;
}

/** Writes the message without what is folded to the room, or returns false if that is full. */
function moveTo(row: u32, host: usize, keptEnd: usize, pathEnd: usize, end: usize, isHttps: bool): bool {
  const room: usize = load<u32>(ROOM_END);
  if (room + (end - host) + 32 > TEXT_END) return false;
  store<u64>(room, isHttps ? 0x2f2f3a7370747468 : 0x002f2f3a70747468);
  let to = room + 7 + <usize>isHttps;
  to = copied(host, keptEnd, to);
  if (pathEnd != end) to = copied(pathEnd, end, to);
  store<u32>(SPANS + (row << 3), room);
  store<u32>(SPANS + (row << 3), to - room, 4);
  store<u32>(ROOM_END, to);
  return true;
}

/** Copies 16 bytes at a time, up to 15 more than asked for, and returns the end. */
function copied(at: usize, end: usize, to: usize): usize {
  const toEnd = to + end - at;
  for (; at < end; at += 16, to += 16) v128.store(to, v128.load(at));
  return toEnd;
}

/** Returns where the first `?` or `#`, or the first `#`, is between `at` and `end`; `end` if there is none. */
function partEnd(at: usize, end: usize, mark: u32): usize {
  for (; at < end; at += 32) {
    const bits = bits32(either(at, mark), either(at + 16, mark));
    if (bits != 0) return min(at + <usize>ctz(bits), end);
  }
  return end;
}

/** Whether the last segment before `end` is like the names of the list index-2026: `index.` or `default.` and 2 to 5 more. */
function mayBeIndexFile(end: usize): bool {
  const slashes = i8x16.bitmask(equal(end - 16, SLASH));
  const length: u32 = clz(slashes) - 16; // 16 where there is no slash
  if (length - 8 > 4) return false;
  const first: u32 = load<u8>(end - length) | 0x20;
  return load<u8>(end - length + (first == 0x69 ? 5 : 7)) == FULL_STOP && (first == 0x69 || first == 0x64);
}

/** Returns where the host begins without its leading `www` labels, as long as two labels that are not empty remain. */
function withoutWww(host: usize, end: usize, dots: u64): usize {
  let at = host;
  while (load<u32>(at) == 0x2e777777) {
    const left = end - at - 4;
    const named = ~(dots >> <u64>(at + 4 - host)) & (((<u64>1) << left) - 1);
    if (popcnt(named & ~(named << 1)) < 2) break;
    at += 4;
  }
  return at;
}

/**
 * Returns the longest of the host and its parent domains that has rules, or a hash as one that has; 0 if there is none,
 * or their rules are all for parameters and there is no query.
 */
function nameWithRules(host: usize, path: usize, dots: u64, end: usize, asked: u32): usize {
  let starts = (dots << 1) | 1;
  let name: usize = 0;
  let hasFolds: u32 = 0;
  do {
    const at = host + <usize>ctz(starts);
    const bit = hashOf(at, path) >> HASH_SHIFT;
    const folds = (<u32>load<u8>(SITES + (bit >> 3)) >> (bit & 7)) & 1;
    const parameters = (<u32>load<u8>(SITES + (bit >> 3), SITES_BYTES) >> (bit & 7)) & 1;
    if ((folds | parameters) != 0 && name == 0) name = at;
    hasFolds |= folds;
    starts &= starts - 1;
  } while (starts != 0);
  if (name == 0 || hasFolds != 0 || (asked & (FOLD_INDEX | FOLD_SLASH)) != 0) return name; // a PATH limits these
  const pathEnd = partEnd(path, end, QUESTION_MARK);
  return pathEnd < end && load<u8>(pathEnd) == QUESTION_MARK ? name : 0;
}

/** Hashes the first eight bytes of a name, its last four and its length, as src/url/host-hash.ts does. */
// @ts-ignore: decorator
@inline function hashOf(at: usize, end: usize): u32 {
  const length = <u32>(end - at);
  let first = load<u64>(at);
  if (length < 8) first &= ((<u64>1) << (length << 3)) - 1;
  const last: u32 = length < 4 ? 0 : load<u32>(end - 4);
  const hash = (<u32>first * 0x9e3779b1) ^ (<u32>(first >> 32) * 0x85ebca77) ^ (last * 0xc2b2ae3d) ^ (length * 0x27d4eb2f);
  return (hash ^ (hash >> 15)) * 0x2c1b3c6d;
}

/** What is left of 32 bits is a number of a bit in SITES. */
const HASH_SHIFT: u32 = 32 - (3 + 31 - clz(SITES_BYTES));

// @ts-ignore: decorator
@inline function equal(at: usize, byte: u32): v128 { return i8x16.eq(v128.load(at), i8x16.splat(<i8>byte)); }

// @ts-ignore: decorator
@inline function either(at: usize, mark: u32): v128 { return v128.or(equal(at, mark), equal(at, NUMBER_SIGN)); }

// @ts-ignore: decorator
@inline function bits32(low: v128, high: v128): u32 { return i8x16.bitmask(low) | (i8x16.bitmask(high) << 16); }
