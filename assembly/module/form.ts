// The canonical forms of rows: the kernel's where it proves or rewrites them, and the parser's for the others.

import { decodeUtf8 } from '../../src/core/bytes/code-points';
import { addLetters } from '../../src/core/kernel/letters';
import { toAscii } from '../../src/core/url/idna';
import { parseUrl } from '../../src/core/url/parser';
import { serialize, UrlRecord } from '../../src/core/url/record';
import { addDomain } from '../domains';
import {
  LEAVE_HOSTS, NO_MESSAGE, PENDING, PENDING_COUNT, ROOM_END, ROW_ENDS, ROW_STARTS, SLACK_BYTES, SPANS,
  TEXT_END, UNICODE_VERSION,
} from '../layout';
import { classifyRows, rewriteRow } from '../scan';
import { bytesAt, KNOWN_LETTERS, writeAscii } from './memory';
import { PageRules } from './pages';
import { LENGTH_LIMIT, reasonNumber } from './reasons';

/** The options that URLs are read by, and the form that they are brought to. */
export class Form {
  unicode: i32 = 18;
  excludeFragment: bool = false;
  base: UrlRecord | null = null;
  defaultScheme: string = '';
  /** Rules for the serialization; null for none. */
  rules: PageRules | null = null;
}

/** The longest URL in bytes: of each, what the parser makes of it has room in 2 GiB. One-letter labels take the most. */
const URL_LIMIT: u32 = 4 << 20;

/** Forms of the batch that have no room in TEXT. */
let longForms: usize[] = [];
/** Bytes that were parsed since garbage was collected. */
let parsedBytes: u32 = 0;
const COLLECTED_AFTER: u32 = 1 << 18;
/** Counted for each URL beside its bytes: a short one leaves some 1,500 bytes of garbage. */
const PARSE_BYTES: u32 = 256;

/** Ends a batch. No function that runs may hold an object, since the collector does not see it. */
export function release(): void {
  for (let index = 0; index < longForms.length; ++index) heap.free(longForms[index]);
  longForms.length = 0;
  if (parsedBytes < COLLECTED_AFTER) return;
  parsedBytes = 0;
  __collect();
}

/**
 * Gives rows whose bounds are in memory, which is free from `room` on, their messages, and writes the reasons of those
 * that are not URLs to `reasons`, a byte each, which come as zeros.
 */
export function canonicalizeRows(form: Form, rowCount: u32, room: usize, reasons: usize): void {
  const rules = form.rules;
  const leavesHosts: u32 = form.defaultScheme != '' ? LEAVE_HOSTS : 0;
  if (rules !== null) rules.loadSites();
  store<u32>(UNICODE_VERSION, form.unicode);
  if (rules === null) {
    classifyRows(rowCount, room, form.excludeFragment, 0, 0, leavesHosts);
  } else {
    classifyRows(rowCount, room, form.excludeFragment, rules.folds, rules.lists, rules.leaves | leavesHosts);
    rules.applyToListed();
  }
  const pendingCount = load<u32>(PENDING_COUNT);
  for (let index: u32 = 0; index < pendingCount; ++index) {
    const row: u32 = load<u32>(PENDING + (index << 2));
    const start: u32 = load<u32>(ROW_STARTS + (row << 2)), end: u32 = load<u32>(ROW_ENDS + (row << 2));
    const domain: u32 = load<u32>(SPANS + (row << 3));
    const isDomain = domain > start && domain < end;
    if (isDomain && takesDomain(form, row, domain, domain + load<u32>(SPANS + (row << 3), 4))) continue;
    parseRow(form, row, start, end - start, reasons);
  }
}

/**
 * Adds a pending row's domain, and its letters, to those that the kernel knows, and has it rewrite the row, unless the
 * form has rules.
 */
function takesDomain(form: Form, row: u32, domain: usize, end: usize): bool {
  // an earlier row may have added this domain already, or its letters
  if (form.rules === null && rewriteRow(row, form.excludeFragment)) return true;
  parsedBytes += <u32>(end - domain) + PARSE_BYTES;
  const text = decodeUtf8(bytesAt(domain, <u32>(end - domain)));
  addLetters(KNOWN_LETTERS, text, form.unicode);
  const ascii = toAscii(text, form.unicode);
  const room: usize = load<u32>(ROOM_END);
  if (room + ascii.length > TEXT_END) return false;
  writeAscii(ascii, room);
  addDomain(domain, end, room, room + ascii.length);
  return form.rules === null && rewriteRow(row, form.excludeFragment);
}

/** Gives a row of any length the message that the parser finds. */
export function parseRow(form: Form, row: u32, at: usize, length: u32, reasons: usize): void {
  parsedBytes += length + PARSE_BYTES;
  setSpan(row, 0, NO_MESSAGE);
  if (length > URL_LIMIT) {
    store<u8>(reasons + row, LENGTH_LIMIT);
    return;
  }
  const text = decodeUtf8(bytesAt(at, length));
  const url = parseUrl(text, form.base, form.defaultScheme, form.unicode, null);
  if (url.reason != '') {
    store<u8>(reasons + row, reasonNumber(url.reason));
    return;
  }
  const serialized = serialize(url, form.excludeFragment);
  const rules = form.rules;
  place(row, rules === null ? serialized : rules.applyToText(serialized));
}

function place(row: u32, form: string): void {
  const length: u32 = form.length;
  let address: usize = load<u32>(ROOM_END);
  if (address + length <= TEXT_END) {
    store<u32>(ROOM_END, <u32>address + length);
  } else {
    address = heap.alloc(length + SLACK_BYTES);
    longForms.push(address);
  }
  writeAscii(form, address);
  setSpan(row, address, length);
}

function setSpan(row: u32, address: usize, length: u32): void {
  store<u32>(SPANS + (row << 3), <u32>address);
  store<u32>(SPANS + (row << 3), length, 4);
}
