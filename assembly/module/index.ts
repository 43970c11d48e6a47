// What urlsum.wasm exports, which imports nothing: docs/module.md defines it. A host copies a text to where `input` says,
// calls, and reads what the result that is returned says: six words, see `Result`.

import { decodeUtf8 } from '../../src/core/bytes/code-points';
import { SUFFIX_TABLE, SUFFIX_TABLE_BYTES } from 'public-suffix-table';
import { SuffixLookup } from '../../src/specs/safe-browsing/suffix-lookup';
import { readSuffixText } from '../../src/specs/safe-browsing/suffix-trie';
import { NO_GROUP_KEY, SITE_KEY, writeKeyOfKind } from '../../src/specs/sites/group-key';
import { hash } from '../batch';
import {
  DIGESTS, NO_MESSAGE, ROOM_END, ROW_CAPACITY, ROW_ENDS, ROW_STARTS, ROWS, SCANNED_END, SLACK_BYTES, SPANS, TEXT,
} from '../layout';
import { findLines, separateRows } from '../rows';
import { configured, refusal } from './configuration';
import { canonicalizeRows, Form, parseRow, release } from './form';
import { Buffer, bytesAt, MEMORY } from './memory';
import { NO_VALUE, REASONS } from './reasons';
import { SiteRules, siteRulesOf, siteRulesProblem } from './site-rules';

/** Changes where a host that was written for another one would break. */
export function abi(): u32 { return 1; }

const BATCH_BYTES: u32 = 128 << 10;
const LINE_FEED: u32 = 10;
const CARRIAGE_RETURN: u32 = 13;

/** Outputs; the others are the widths of digests. */
const REASON: u32 = 0;
const FORM: u32 = 1;
const SURT: u32 = 4;

let form: Form = new Form();
/** Rules that a profile may name. */
let knownRules: SiteRules | null = null;
let profileText: string = 'url/1+unicode18';

const given: Buffer = new Buffer();
const reasons: Buffer = new Buffer();
const values: Buffer = new Buffer();
const offsets: Buffer = new Buffer();

/** Six words: 0, or 1 for a refusal; rows; addresses of reasons, values and offsets; bytes of values. */
const RESULT: usize = memory.data(24, 4);

/** Returns where a text of `length` bytes is to be copied to, until the next call of `input`. */
export function input(length: u32): usize {
  given.clear();
  const address = given.room(length);
  given.length = length;
  return address;
}

/**
 * Chooses what URLs are brought to and read by: a profile, a base, and a default scheme, which are in the input one after
 * another. What is refused changes nothing.
 */
export function configure(profileLength: u32, baseLength: u32, schemeLength: u32): usize {
  begin();
  const profile = profileLength == 0 ? 'url/1+unicode18' : textAt(given.address, profileLength);
  const base = textAt(given.address + profileLength, baseLength);
  const chosen = configured(profile, base, textAt(given.address + profileLength + baseLength, schemeLength), knownRules);
  if (chosen === null) return refused(refusal());
  form = chosen;
  profileText = profile;
  return result(0);
}

/** Reads rules for sites, `length` bytes in the input, which profiles may name from then on; the value is their id. */
export function siteRules(length: u32): usize {
  begin();
  const read = siteRulesOf(textAt(given.address, length));
  if (read === null) return refused(siteRulesProblem());
  knownRules = read;
  values.appendAscii(read.id);
  return result(0);
}

/** The profile of the forms, as its text. */
export function profile(): usize {
  begin();
  values.appendAscii(profileText);
  return result(0);
}

/** The names of the reasons, from number 1 on, with a line feed after each. */
export function reasonNames(): usize {
  begin();
  for (let index = 0; index < REASONS.length; ++index) {
    values.appendAscii(REASONS[index]);
    values.appendByte(LINE_FEED);
  }
  return result(0);
}

/** The lines of a text of `length` bytes in the input. */
export function lines(length: u32, output: u32): usize {
  begin();
  if (!isOutput(output)) return refused('no such output');
  let rowCount: u32 = 0;
  const end = given.address + length;
  for (let at = given.address; at < end; ) {
    const textEnd = endOfLines(at, end);
    if (<u32>(textEnd - at) > BATCH_BYTES) {
      longRow(at, withoutLineEnd(at, textEnd), output);
      ++rowCount;
      at = textEnd;
    } else {
      const count = copyLines(at, textEnd);
      canonicalized(count, load<u32>(SCANNED_END), output);
      rowCount += count;
      at += <usize>load<u32>(SCANNED_END) - TEXT;
    }
  }
  return result(rowCount);
}

/** Rows, whose offsets in the bytes after them come first in the input: `rowCount` and one more, ascending. */
export function rows(rowCount: u32, byteLength: u32, output: u32): usize {
  begin();
  if (!isOutput(output)) return refused('no such output');
  const bounds = given.address;
  if (!areOffsets(bounds, rowCount, byteLength)) return refused('offsets must ascend, and be within the bytes');
  const bytes = bounds + ((rowCount + 1) << 2);
  for (let first: u32 = 0, next = first; first < rowCount; first = next) {
    const start: u32 = load<u32>(bounds + (first << 2));
    next = first + 1;
    while (next < rowCount && next - first < ROW_CAPACITY && load<u32>(bounds + (next << 2), 4) - start <= BATCH_BYTES) ++next;
    const end: u32 = load<u32>(bounds + (next << 2));
    if (end - start > BATCH_BYTES) {
      longRow(bytes + start, bytes + end, output);
    } else {
      memory.copy(ROWS, bytes + start, end - start);
      memory.copy(ROW_ENDS, bounds + (first << 2) + 4, (next - first) << 2);
      canonicalized(next - first, separateRows(start, next - first), output);
    }
  }
  return result(rowCount);
}

/** One URL of `length` bytes in the input. */
export function one(length: u32, output: u32): usize {
  begin();
  if (!isOutput(output)) return refused('no such output');
  if (length > BATCH_BYTES) {
    longRow(given.address, given.address + length, output);
  } else {
    memory.copy(TEXT, given.address, length);
    store<u8>(TEXT + length, LINE_FEED);
    store<u32>(ROW_STARTS, TEXT);
    store<u32>(ROW_ENDS, TEXT + length);
    canonicalized(1, TEXT + length + 1, output);
  }
  return result(1);
}

function begin(): void {
  reasons.clear();
  values.clear();
  offsets.clear();
}

function result(rowCount: u32): usize {
  store<u32>(RESULT, 0);
  store<u32>(RESULT, rowCount, 4);
  store<u32>(RESULT, <u32>reasons.address, 8);
  store<u32>(RESULT, <u32>values.address, 12);
  store<u32>(RESULT, offsets.length == 0 ? 0 : <u32>offsets.address, 16);
  store<u32>(RESULT, values.length, 20);
  return RESULT;
}

function refused(reason: string): usize {
  begin();
  const text = String.UTF8.encode(reason);
  values.append(changetype<usize>(text), text.byteLength);
  result(0);
  store<u32>(RESULT, 1);
  return RESULT;
}

function isOutput(output: u32): bool {
  if (output >= FORM && output <= SURT) offsets.appendWord(0);
  return output <= SURT || output == 8 || output == 16 || output == 32;
}

function canonicalized(rowCount: u32, room: usize, output: u32): void {
  const reasons = newReasons(rowCount);
  canonicalizeRows(form, rowCount, room, reasons);
  addValues(rowCount, output, reasons);
}

/** Takes a row that is longer than a batch. */
function longRow(start: usize, end: usize, output: u32): void {
  store<u32>(ROOM_END, TEXT);
  const reasons = newReasons(1);
  parseRow(form, 0, start, <u32>(end - start), reasons);
  addValues(1, output, reasons);
}

function newReasons(rowCount: u32): usize {
  const address = reasons.room(rowCount);
  memory.fill(address, 0, rowCount);
  reasons.length += rowCount;
  return address;
}

function addValues(rowCount: u32, output: u32, reasons: usize): void {
  if (output >= 8) {
    hash(0, rowCount, output);
    values.append(DIGESTS, rowCount * output);
  } else if (output >= FORM) {
    for (let row: u32 = 0; row < rowCount; ++row) {
      const length = load<u32>(SPANS + (row << 3), 4);
      if (length != NO_MESSAGE && !addText(output, load<u32>(SPANS + (row << 3)), length)) store<u8>(reasons + row, NO_VALUE);
      offsets.appendWord(values.length);
    }
  }
  release();
}

/** Adds a form, or a part of it; returns whether it has that part. */
function addText(output: u32, form: usize, length: u32): bool {
  if (output == FORM) {
    values.append(form, length);
    return true;
  }
  const suffixes = output == SITE_KEY ? suffixLookup() : null;
  const key = bytesAt(values.room(length), length + SLACK_BYTES); // a SURT is three bytes longer
  const written = writeKeyOfKind(output, MEMORY, <i32>form, <i32>(form + length), key, suffixes);
  if (written != NO_GROUP_KEY) values.length += written;
  return written != NO_GROUP_KEY;
}

let readSuffixes: SuffixLookup | null = null;

/** Returns the Public Suffix List, read when a site is first asked for. */
function suffixLookup(): SuffixLookup {
  const known = readSuffixes;
  if (known !== null) return known;
  const text = textAt(SUFFIX_TABLE, SUFFIX_TABLE_BYTES);
  const feed = text.indexOf('\n');
  const made = new SuffixLookup(readSuffixText(text.slice(feed + 1).trimEnd(), <i32>parseInt(text.slice(0, feed))));
  readSuffixes = made;
  return made;
}

function textAt(at: usize, length: u32): string { return decodeUtf8(bytesAt(at, length)); }

/** Returns the end of the lines from `at` on that a batch has room for, or of the first of them. */
function endOfLines(at: usize, end: usize): usize {
  if (<u32>(end - at) <= BATCH_BYTES) return end;
  let last = at + BATCH_BYTES;
  while (last > at && load<u8>(last - 1) != LINE_FEED) --last;
  if (last > at) return last;
  last = at + BATCH_BYTES;
  while (last < end && load<u8>(last) != LINE_FEED) ++last;
  return min(last + 1, end);
}

function withoutLineEnd(at: usize, end: usize): usize {
  if (load<u8>(end - 1) != LINE_FEED) return end;
  return end - 1 - <usize>(end - 1 > at && load<u8>(end - 2) == CARRIAGE_RETURN);
}

/** Copies lines into the kernel's memory, where the last one gets a line feed if it lacks one, and finds their bounds. */
function copyLines(at: usize, end: usize): u32 {
  const length = <u32>(end - at);
  const isEnded = load<u8>(end - 1) == LINE_FEED;
  memory.copy(TEXT, at, length);
  if (!isEnded) store<u8>(TEXT + length, LINE_FEED);
  const rowCount = findLines(TEXT, TEXT + length + <usize>(!isEnded), LINE_FEED);
  // the added line feed would make a line end of a last carriage return, which is part of its line
  const isLast = <usize>load<u32>(SCANNED_END) > TEXT + length;
  if (isLast && load<u8>(end - 1) == CARRIAGE_RETURN) store<u32>(ROW_ENDS + ((rowCount - 1) << 2), TEXT + length);
  return rowCount;
}

function areOffsets(bounds: usize, rowCount: u32, byteLength: u32): bool {
  for (let row: u32 = 0; row < rowCount; ++row)
    if (load<u32>(bounds + (row << 2)) > load<u32>(bounds + (row << 2), 4)) return false;
  return load<u32>(bounds + (rowCount << 2)) <= byteLength;
}
