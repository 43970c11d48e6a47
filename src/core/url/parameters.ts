// docs/parameters.md defines what this file does, to the bytes of a canonical form, which are ASCII.

import { hexDigitValue, moved, PERCENT, positionOf, QUESTION_MARK, SPACE } from '../bytes/code-points.ts';
import { escapedByte } from './percent.ts';

/**
 * Parameters that exist only to track; docs/parameters.md has the public source that says so for each. The list leaves out
 * what a site may use for content or function, and what browsers strip from some URLs only (`mkt_tok`, without which a
 * page to unsubscribe breaks).
 */
export const TRACKING_2026: string =
  'utm_campaign utm_content utm_creative_format utm_id utm_marketing_tactic utm_medium utm_source ' +
  'utm_source_platform utm_term __hsfp __hssc __hstc _hsenc __s hsCtaTracking _openstat dclid fbclid gclid ttclid ' +
  'twclid yclid ysclid msclkid gbraid wbraid oly_anon_id oly_enc_id vero_id li_fat_id mc_eid wickedid';

const AMPERSAND: i32 = 0x26;
const PLUS: i32 = 0x2b;
const EQUALS: i32 = 0x3d;

/** A name as it is compared: its UTF-8 bytes; a prefix matches every name that begins with it. */
class ComparedName {
  readonly bytes: Uint8Array;
  readonly isPrefix: bool;
  /** 0x20 for a name of lower-case letters that is compared without ASCII case, otherwise 0. */
  readonly caseBit: i32;

  /** @param name escaped, with a final `*` for a prefix */
  constructor(name: string, caseBit: i32) {
    const end = name.endsWith('*') ? name.length - 1 : name.length;
    const bytes = new Uint8Array(end);
    let length = 0;
    for (let at = 0; at < end; length++) {
      const byte = escapedByte(name, at);
      bytes[length] = (byte === -1 ? name.charCodeAt(at) : byte) as u8;
      at += byte === -1 ? 1 : 3;
    }
    this.bytes = bytes.subarray(0, length);
    this.isPrefix = end < name.length;
    this.caseBit = caseBit;
  }
}

/** Which parameters of a query stay: all but those of its names, or only those. */
export class ParameterFilter {
  private readonly dropsNamed: bool;
  /** The names by their first byte: most parameters are decided by a look at one byte. `%` and `+` may spell any. */
  private readonly byFirstByte: ComparedName[][];

  /**
   * @param dropsNamed whether the named parameters go; otherwise the others go
   * @param names escaped, none of them empty; a final `*` stands for any end
   * @param caseBit 0x20 if they are lower-case letters and compared without ASCII case
   */
  constructor(dropsNamed: bool, names: string[], caseBit: i32) {
    const byFirstByte: ComparedName[][] = [];
    const all: ComparedName[] = [];
    for (let byte = 0; byte < 256; byte++) byFirstByte.push(byte === PERCENT || byte === PLUS ? all : []);
    for (let index = 0; index < names.length; index++) {
      const name = new ComparedName(names[index]!, caseBit);
      const first: i32 = name.bytes[0]!;
      all.push(name);
      if (first !== PERCENT && first !== PLUS) byFirstByte[first]!.push(name);
      if ((first & ~caseBit) !== first) byFirstByte[first & ~caseBit]!.push(name);
    }
    this.dropsNamed = dropsNamed;
    this.byFirstByte = byFirstByte;
  }

  /** Whether the parameter that begins at `at` is dropped. */
  drops(bytes: Uint8Array, at: i32, end: i32): bool {
    return this.isNamed(bytes, at, end) === this.dropsNamed;
  }

  private isNamed(bytes: Uint8Array, at: i32, end: i32): bool {
    if (at >= end) return false;
    const names = this.byFirstByte[bytes[at]!]!;
    for (let index = 0; index < names.length; index++) if (hasName(bytes, at, end, names[index]!)) return true;
    return false;
  }
}

/**
 * Which parameters of a query stay, those that every filter lets stay, whether they are sorted, and an empty query
 * goes.
 */
export class ParameterRules {
  private readonly filters: ParameterFilter[];
  private readonly isSorted: bool;
  private readonly dropsEmpty: bool;
  /** Whether the query that `write` was given last lost a parameter. */
  hasDropped: bool = false;

  constructor(filters: ParameterFilter[], isSorted: bool, dropsEmpty: bool) {
    this.filters = filters;
    this.isSorted = isSorted;
    this.dropsEmpty = dropsEmpty;
  }

  /** Whether the rules change the query [start, end), which begins with its `?`. */
  affects(bytes: Uint8Array, start: i32, end: i32): bool {
    if (this.isSorted && !isInOrder(bytes, start + 1, end)) return true;
    if (this.dropsEmpty && end === start + 1) return true;
    for (let at = start; at < end; at = positionOf(AMPERSAND, bytes, at + 1, end)) {
      if (this.isDropped(bytes, at + 1, end)) return true;
    }
    return false;
  }

  /**
   * Writes what stays of the query [start, end) to `to`, at `start`, before it or after `end`, and returns its end;
   * nothing, not even the `?`, if no parameter stays.
   */
  write(bytes: Uint8Array, start: i32, end: i32, to: i32): i32 {
    let newEnd = to;
    this.hasDropped = false;
    for (let at = start, next = at; at < end; at = next) {
      next = positionOf(AMPERSAND, bytes, at + 1, end);
      if (this.isDropped(bytes, at + 1, end)) {
        this.hasDropped = true;
        continue;
      }
      bytes[newEnd] = (newEnd === to ? QUESTION_MARK : AMPERSAND) as u8;
      newEnd = moved(bytes, at + 1, next, newEnd + 1);
    }
    if (this.isSorted) sortByName(bytes, to + 1, newEnd);
    return this.dropsEmpty && newEnd === to + 1 ? to : newEnd;
  }

  /** Whether no filter drops a parameter, and the order stays: only an empty query may change. */
  get keepsAll(): bool {
    return this.filters.length === 0 && !this.isSorted;
  }

  private isDropped(bytes: Uint8Array, at: i32, end: i32): bool {
    for (let index = 0; index < this.filters.length; index++)
      if (this.filters[index]!.drops(bytes, at, end)) return true;
    return false;
  }
}

/** Whether the parameter that begins at `start` has a name, or one that begins with a prefix. */
function hasName(bytes: Uint8Array, start: i32, end: i32, compared: ComparedName): bool {
  const name = compared.bytes;
  let at = start;
  for (let index = 0; index < name.length; index++) {
    if ((nameByte(bytes, at, end) | compared.caseBit) !== (name[index]! as i32)) return false;
    at += nameStep(bytes, at, end);
  }
  return compared.isPrefix || nameByte(bytes, at, end) === -1;
}

/**
 * Returns the byte of a name that is spelled at `at`, or -1 after its end: `+` is a space, an escape its byte, and a `%`
 * without two digits itself.
 */
function nameByte(bytes: Uint8Array, at: i32, end: i32): i32 {
  const byte: i32 = at < end ? bytes[at]! : EQUALS;
  if (byte === EQUALS || byte === AMPERSAND) return -1;
  if (byte === PLUS) return SPACE;
  return isEscape(bytes, at, end) ? 16 * hexDigitValue(bytes[at + 1]!) + hexDigitValue(bytes[at + 2]!) : byte;
}

/** Returns the length of the spelling at `at`: 3 for an escape, 1 otherwise. */
function nameStep(bytes: Uint8Array, at: i32, end: i32): i32 {
  return isEscape(bytes, at, end) ? 3 : 1;
}

function isEscape(bytes: Uint8Array, at: i32, end: i32): bool {
  if (bytes[at] !== PERCENT || at + 2 >= end) return false;
  return hexDigitValue(bytes[at + 1]!) !== -1 && hexDigitValue(bytes[at + 2]!) !== -1;
}

/** Compares the names that begin at `one` and at `other`, in the query that ends at `end`, by their decoded bytes. */
function compareNames(bytes: Uint8Array, one: i32, other: i32, end: i32): i32 {
  let left = one;
  let right = other;
  let byte = nameByte(bytes, left, end);
  while (byte !== -1 && byte === nameByte(bytes, right, end)) {
    left += nameStep(bytes, left, end);
    right += nameStep(bytes, right, end);
    byte = nameByte(bytes, left, end);
  }
  return byte - nameByte(bytes, right, end);
}

/** Whether the names of a query are in order. */
function isInOrder(bytes: Uint8Array, start: i32, end: i32): bool {
  let before = start;
  let at = positionOf(AMPERSAND, bytes, before, end) + 1;
  while (at <= end && compareNames(bytes, before, at, end) <= 0) {
    before = at;
    at = positionOf(AMPERSAND, bytes, before, end) + 1;
  }
  return at > end;
}

/** Sorts the parameters of the query [start, end) by the bytes of their decoded names, equal names in the order given. */
function sortByName(bytes: Uint8Array, start: i32, end: i32): void {
  if (isInOrder(bytes, start, end)) return;
  const query = bytes.slice(start, end);
  const starts: i32[] = [0];
  for (let at = 0; at < query.length; at++) if (query[at] === AMPERSAND) starts.push(at + 1);
  sortStarts(query, starts, 0, starts.length);
  let to = start;
  for (let index = 0; index < starts.length; index++) {
    for (let from = starts[index]!; from < query.length && query[from] !== AMPERSAND; from++)
      bytes[to++] = query[from]!;
    if (to < end) bytes[to++] = AMPERSAND as u8;
  }
}

/** Sorts [from, end) by merging, which keeps the order of equal names: a comparison for `sort` would hold the query. */
function sortStarts(query: Uint8Array, starts: i32[], from: i32, end: i32): void {
  if (end - from < 2) return;
  const half = (from + end) >> 1;
  sortStarts(query, starts, from, half);
  sortStarts(query, starts, half, end);
  if (compareNames(query, starts[half - 1]!, starts[half]!, query.length) <= 0) return;
  const left = starts.slice(from, half);
  let right = half;
  for (let at = from, next = 0; next < left.length; at++) {
    const takesLeft = right === end || compareNames(query, left[next]!, starts[right]!, query.length) <= 0;
    starts[at] = takesLeft ? left[next++]! : starts[right++]!;
  }
}
