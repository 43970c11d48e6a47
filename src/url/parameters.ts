import { hexDigitValue, PERCENT, positionOf, SPACE } from '../bytes/code-points.ts';
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
interface ComparedName {
  readonly bytes: Uint8Array;
  readonly isPrefix: boolean;
}

/** Which parameters of a query stay: all but those of its names, or only those. */
export class ParameterFilter {
  readonly #dropsNamed: boolean;
  /** The names by their first byte: most parameters are decided by a look at one byte. `%` and `+` stand for others. */
  readonly #byFirstByte: readonly (readonly ComparedName[] | undefined)[];
  /** The beginning of a decoded name: one byte more than the longest name. */
  readonly #decoded: Uint8Array;

  /**
   * @param verb what is done with the named parameters; the others are not
   * @param names none of which is empty; a final `*` stands for any end
   */
  constructor(verb: 'keep' | 'drop', names: readonly string[]) {
    const byFirstByte: ComparedName[][] = Array(256).fill(undefined);
    byFirstByte[PERCENT] = [];
    byFirstByte[PLUS] = [];
    let longest = 0;
    for (const name of names) {
      const isPrefix = name.endsWith('*');
      const bytes = textEncoder().encode(isPrefix ? name.slice(0, -1) : name);
      (byFirstByte[bytes[0]!] ??= []).push({ bytes, isPrefix });
      longest = Math.max(longest, bytes.length);
    }
    this.#dropsNamed = verb === 'drop';
    this.#byFirstByte = byFirstByte;
    this.#decoded = new Uint8Array(1 + longest);
  }

  /** Whether the parameter that begins at `at` is dropped. */
  drops(bytes: Uint8Array, at: number, end: number): boolean {
    return this.#isNamed(bytes, at, end) === this.#dropsNamed;
  }

  #isNamed(bytes: Uint8Array, at: number, end: number): boolean {
    if (at === end || this.#byFirstByte[bytes[at]!] === undefined) return false;
    const nameEnd = plainNameEnd(bytes, at, end);
    if (nameEnd !== -1) return this.#has(bytes, at, nameEnd);
    return this.#has(this.#decoded, 0, decodeName(bytes, at, end, this.#decoded));
  }

  #has(bytes: Uint8Array, start: number, end: number): boolean {
    const names = start === end ? undefined : this.#byFirstByte[bytes[start]!];
    if (names !== undefined) for (const name of names) if (isNamed(bytes, start, end, name)) return true;
    return false;
  }
}

/** Which parameters of a query stay, those that every filter lets stay, and whether they are sorted. */
export class ParameterRules {
  readonly #filters: readonly ParameterFilter[];
  readonly #isSorted: boolean;

  constructor(filters: readonly ParameterFilter[], isSorted: boolean) {
    this.#filters = filters;
    this.#isSorted = isSorted;
  }

  /** Whether the rules change the query [start, end). */
  affects(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isSorted && !isInOrder(bytes, start, end)) return true;
    for (let at = start; at <= end; at = positionOf(AMPERSAND, bytes, at, end) + 1) {
      if (this.#isDropped(bytes, at, end)) return true;
    }
    return false;
  }

  /**
   * Writes what stays of the query [start, end) to `to`, at `start`, before it or after `end`, and returns its end; -1
   * if no parameter stays.
   */
  write(bytes: Uint8Array, start: number, end: number, to: number): number {
    let writtenEnd = -1;
    for (let at = start; at <= end; ) {
      const next = positionOf(AMPERSAND, bytes, at, end);
      if (!this.#isDropped(bytes, at, end)) {
        if (writtenEnd !== -1) bytes[writtenEnd] = AMPERSAND;
        const from = writtenEnd === -1 ? to : writtenEnd + 1;
        writtenEnd = moved(bytes, at, next, from);
      }
      at = next + 1;
    }
    if (this.#isSorted && writtenEnd !== -1) sortByName(bytes, to, writtenEnd);
    return writtenEnd;
  }

  #isDropped(bytes: Uint8Array, at: number, end: number): boolean {
    for (const filter of this.#filters) if (filter.drops(bytes, at, end)) return true;
    return false;
  }
}

/** Whether the bytes [start, end) are a name, or begin with a prefix. */
function isNamed(own: Uint8Array, start: number, end: number, { bytes, isPrefix }: ComparedName): boolean {
  const { length } = bytes;
  if (isPrefix ? end - start < length : end - start !== length) return false;
  for (let index = 0; index < length; index++) if (own[start + index] !== bytes[index]) return false;
  return true;
}

/** More are moved sooner by the host. */
const LOOPED_BYTES = 32;

/** Moves bytes [start, end) to `to`, which is not between them, and returns their new end. */
export function moved(bytes: Uint8Array, start: number, end: number, to: number): number {
  if (start === to) return end;
  if (end - start > LOOPED_BYTES) bytes.copyWithin(to, start, end);
  else for (let at = start, next = to; at < end; at++, next++) bytes[next] = bytes[at]!;
  return to + end - start;
}

/** Returns where the name that begins at `start` ends, or -1 if a byte in it stands for another. */
function plainNameEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === EQUALS || byte === AMPERSAND) return at;
    if (byte === PERCENT || byte === PLUS) return -1;
  }
  return end;
}

/** Decodes the name that begins at `start` to `decoded` until that is full, and returns how many bytes it wrote. */
function decodeName(bytes: Uint8Array, start: number, end: number, decoded: Uint8Array): number {
  let length = 0;
  for (let at = start; length < decoded.length; at += nameStep(bytes, at, end)) {
    const byte = nameByte(bytes, at, end);
    if (byte === -1) break;
    decoded[length++] = byte;
  }
  return length;
}

/**
 * Returns the byte of a name that is spelled at `at`, or -1 after its end: `+` is a space, an escape its byte, and a `%`
 * without two digits itself.
 */
function nameByte(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at]! : EQUALS;
  if (byte === EQUALS || byte === AMPERSAND) return -1;
  if (byte === PLUS) return SPACE;
  return isEscape(bytes, at, end) ? 16 * hexDigitValue(bytes[at + 1]!) + hexDigitValue(bytes[at + 2]!) : byte;
}

/** By how many bytes the byte at `at` is spelled. */
function nameStep(bytes: Uint8Array, at: number, end: number): number {
  return isEscape(bytes, at, end) ? 3 : 1;
}

function isEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[at] !== PERCENT || at + 2 >= end) return false;
  return hexDigitValue(bytes[at + 1]!) !== -1 && hexDigitValue(bytes[at + 2]!) !== -1;
}

/** Compares the names that begin at `one` and at `other`, in the query that ends at `end`, by their decoded bytes. */
function compareNames(bytes: Uint8Array, one: number, other: number, end: number): number {
  for (let left = one, right = other; ; ) {
    const byte = nameByte(bytes, left, end);
    const difference = byte - nameByte(bytes, right, end);
    if (difference !== 0 || byte === -1) return difference;
    left += nameStep(bytes, left, end);
    right += nameStep(bytes, right, end);
  }
}

/** Whether the names of a query are in order. */
function isInOrder(bytes: Uint8Array, start: number, end: number): boolean {
  for (let before = start; ; ) {
    const at = positionOf(AMPERSAND, bytes, before, end) + 1;
    if (at > end) return true;
    if (compareNames(bytes, before, at, end) > 0) return false;
    before = at;
  }
}

/** Sorts the parameters of the query [start, end) by the bytes of their decoded names, equal names in the order given. */
function sortByName(bytes: Uint8Array, start: number, end: number): void {
  if (isInOrder(bytes, start, end)) return;
  const query = bytes.slice(start, end);
  const { length } = query;
  const starts = [0];
  for (let at = 0; at < length; at++) if (query[at] === AMPERSAND) starts.push(at + 1);
  let to = start;
  for (const at of starts.sort((one, other) => compareNames(query, one, other, length))) {
    for (let from = at; from < length && query[from] !== AMPERSAND; from++) bytes[to++] = query[from]!;
    if (to < end) bytes[to++] = AMPERSAND;
  }
}
