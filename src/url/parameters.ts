import { asciiBytes, asciiText } from '../bytes/ascii.ts';
import { COLON, hexDigitValue, NUMBER_SIGN, PERCENT, SLASH, SPACE } from '../bytes/code-points.ts';
import { compareBytes } from '../bytes/compare.ts';
import { textEncoder } from '../bytes/utf8.ts';

// docs/parameters.md defines what this file does, to the bytes of a canonical form, which are ASCII.

/**
 * Lists of parameters that exist only to track; docs/parameters.md has the public source that says so for each. A list
 * never changes: URLs hashed with it would get other hashes. A later one has another name. They leave out what a site
 * may use for content or function, and what browsers strip from some URLs only (`mkt_tok`, without which a page to
 * unsubscribe breaks).
 */
export const TRACKING_LISTS: Readonly<Record<string, string>> = {
  'tracking-2026':
    'utm_campaign utm_content utm_creative_format utm_id utm_marketing_tactic utm_medium utm_source ' +
    'utm_source_platform utm_term __hsfp __hssc __hstc _hsenc __s hsCtaTracking _openstat dclid fbclid gclid ttclid ' +
    'twclid yclid ysclid msclkid gbraid wbraid oly_anon_id oly_enc_id vero_id li_fat_id mc_eid wickedid',
};

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const EQUALS = 0x3d;

/** A name as it is compared: its UTF-8 bytes; a prefix matches every name that begins with it. */
interface DroppedName {
  readonly bytes: Uint8Array;
  readonly isPrefix: boolean;
}

/** Which parameters of a query are dropped, and whether the others are sorted. */
export class ParameterRules {
  /** The names by their first byte: most parameters are kept after a look at one byte. `%` and `+` stand for others. */
  readonly #byFirstByte: readonly (readonly DroppedName[] | undefined)[];
  readonly #isSorted: boolean;
  /** The beginning of a decoded name: one byte more than the longest name to drop. */
  readonly #decoded: Uint8Array;

  /** @param names none of which is empty; a final `*` stands for any end */
  constructor(names: readonly string[], isSorted: boolean) {
    const byFirstByte: DroppedName[][] = Array(256).fill(undefined);
    byFirstByte[PERCENT] = [];
    byFirstByte[PLUS] = [];
    let longest = 0;
    for (const name of names) {
      const isPrefix = name.endsWith('*');
      const bytes = textEncoder().encode(isPrefix ? name.slice(0, -1) : name);
      (byFirstByte[bytes[0]!] ??= []).push({ bytes, isPrefix });
      longest = Math.max(longest, bytes.length);
    }
    this.#byFirstByte = byFirstByte;
    this.#isSorted = isSorted;
    this.#decoded = new Uint8Array(1 + longest);
  }

  /** Returns the canonical form `url` with the rules applied to its query: shorter exactly if something was dropped. */
  applyToText(url: string): string {
    const question = url.indexOf('?');
    if (question === -1) return url;
    const bytes = asciiBytes(url);
    if (!this.affects(bytes, 0, question, url.length)) return url;
    return asciiText(bytes.subarray(0, this.applyToBytes(bytes, question, url.length)));
  }

  /** Whether the rules change the canonical form bytes[start, end), whose first `?` is at `question`. */
  affects(bytes: Uint8Array, start: number, question: number, end: number): boolean {
    return (this.#isSorted || this.#hasDropped(bytes, question + 1, end)) && isQuery(bytes, start, question);
  }

  /** Applies the rules in place to a form that they affect and that ends at `end`, and returns its new end. */
  applyToBytes(bytes: Uint8Array, question: number, end: number): number {
    const query = question + 1;
    const fragment = indexIn(bytes, NUMBER_SIGN, query, end);
    const queryEnd = this.#drop(bytes, query, fragment);
    if (this.#isSorted) sortByName(bytes, query, queryEnd);
    bytes.copyWithin(queryEnd, fragment, end);
    return queryEnd + end - fragment;
  }

  /** Reads on to the end of the fragment, where what it finds is not a parameter. */
  #hasDropped(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      if (this.#isDropped(bytes, at, end)) return true;
      at = indexIn(bytes, AMPERSAND, at, end);
    }
    return false;
  }

  /**
   * Moves the parameters that stay to `start`, each with the byte after it, and returns the end of the last: if none
   * stays, that is where the `?` was.
   */
  #drop(bytes: Uint8Array, start: number, end: number): number {
    let to = start;
    for (let at = start; at <= end; ) {
      const next = indexIn(bytes, AMPERSAND, at, end) + 1;
      if (!this.#isDropped(bytes, at, end)) {
        bytes.copyWithin(to, at, next);
        to += next - at;
      }
      at = next;
    }
    return to - 1;
  }

  /** Whether the parameter that begins at `at` is dropped. */
  #isDropped(bytes: Uint8Array, at: number, end: number): boolean {
    if (at === end || this.#byFirstByte[bytes[at]!] === undefined) return false;
    const decoded = this.#decoded;
    const length = decodeName(bytes, at, end, decoded);
    return length > 0 && this.#byFirstByte[decoded[0]!]?.some((name) => isNamed(decoded, length, name)) === true;
  }
}

/** Compares `length` bytes of a name, or more: as many as tell it from `name`. */
function isNamed(decoded: Uint8Array, length: number, { bytes, isPrefix }: DroppedName): boolean {
  return (
    (isPrefix ? length >= bytes.length : length === bytes.length) && bytes.every((byte, at) => byte === decoded[at])
  );
}

/** Whether the first `?` of a canonical form begins a query: not in an opaque path, nor in a fragment. */
function isQuery(bytes: Uint8Array, start: number, question: number): boolean {
  return (
    bytes[indexIn(bytes, COLON, start, question) + 1] === SLASH &&
    indexIn(bytes, NUMBER_SIGN, start, question) === question
  );
}

/** The first `byte` in [start, end), or `end`. A loop: the host's own search would go on to the end of memory. */
function indexIn(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/**
 * Decodes the name that begins at `start` to `decoded` until that is full, and returns how many bytes it wrote: `+` is a
 * space, an escape its byte, and a `%` without two digits itself.
 */
function decodeName(bytes: Uint8Array, start: number, end: number, decoded: Uint8Array): number {
  let length = 0;
  for (let at = start; at < end && length < decoded.length; at++) {
    const byte = bytes[at]!;
    if (byte === EQUALS || byte === AMPERSAND || byte === NUMBER_SIGN) break;
    const high = byte === PERCENT && at + 2 < end ? hexDigitValue(bytes[at + 1]!) : -1;
    const low = high === -1 ? -1 : hexDigitValue(bytes[at + 2]!);
    decoded[length++] = low === -1 ? (byte === PLUS ? SPACE : byte) : 16 * high + low;
    if (low !== -1) at += 2;
  }
  return length;
}

/**
 * Sorts the parameters of the query [start, end) by the bytes of their decoded names, equal names in the order given.
 * Uses numbers in arrays, not objects: a query may have as many parameters as it has bytes.
 */
function sortByName(bytes: Uint8Array, start: number, end: number): void {
  if (indexIn(bytes, AMPERSAND, start, end) === end) return;
  const query = bytes.slice(start, end);
  const count = query.reduce((sum, byte) => sum + Number(byte === AMPERSAND), 1);
  const starts = new Uint32Array(count + 1);
  const names = new Uint8Array(query.length);
  const nameEnds = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const at = starts[index]!;
    nameEnds[index] = at + decodeName(query, at, query.length, names.subarray(at));
    starts[index + 1] = indexIn(query, AMPERSAND, at, query.length) + 1;
  }
  const compare = (one: number, other: number) =>
    compareBytes(names, starts[one]!, nameEnds[one]!, names, starts[other]!, nameEnds[other]!) || one - other;
  const order = nameEnds.map((_, index) => index);
  if (order.every((index) => index === 0 || compare(index - 1, index) < 0)) return;
  let to = start;
  for (const index of order.sort(compare)) {
    const parameter = query.subarray(starts[index], starts[index + 1]! - 1);
    bytes.set(parameter, to);
    to += parameter.length;
    if (to < end) bytes[to++] = AMPERSAND;
  }
}
