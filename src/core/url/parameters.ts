// docs/parameters.md defines what this file does, to the bytes of a canonical form, which are ASCII.

import { mustBeString } from '../argument.ts';
import { hexDigitValue, moved, PERCENT, positionOf, QUESTION_MARK, SPACE } from '../bytes/code-points.ts';
import { asciiBytes, asciiText, textEncoder } from '../bytes/text.ts';
import { quote } from '../quote.ts';

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
  /** 0x20 for a name of lower-case letters that is compared without ASCII case, otherwise 0. */
  readonly caseBit: number;
}

/** Which parameters of a query stay: all but those of its names, or only those. */
export class ParameterFilter {
  readonly #dropsNamed: boolean;
  /** The names by their first byte: most parameters are decided by a look at one byte. `%` and `+` may spell any. */
  readonly #byFirstByte: readonly (readonly ComparedName[] | undefined)[];

  /**
   * @param verb what is done with the named parameters; the others are not
   * @param names escaped, none of them empty; a final `*` stands for any end
   * @param caseBit 0x20 if they are lower-case letters and compared without ASCII case
   */
  constructor(verb: 'keep' | 'drop', names: readonly string[], caseBit = 0) {
    const byFirstByte: ComparedName[][] = Array(256).fill(undefined);
    const all = names.map((name) => comparedName(name, caseBit));
    for (const name of all)
      for (const first of new Set([name.bytes[0]!, name.bytes[0]! & ~caseBit])) (byFirstByte[first] ??= []).push(name);
    byFirstByte[PERCENT] = all;
    byFirstByte[PLUS] = all;
    this.#dropsNamed = verb === 'drop';
    this.#byFirstByte = byFirstByte;
  }

  /** Whether the parameter that begins at `at` is dropped. */
  drops(bytes: Uint8Array, at: number, end: number): boolean {
    return this.#isNamed(bytes, at, end) === this.#dropsNamed;
  }

  #isNamed(bytes: Uint8Array, at: number, end: number): boolean {
    const names = at < end ? this.#byFirstByte[bytes[at]!] : undefined;
    if (names !== undefined) for (const name of names) if (hasName(bytes, at, end, name)) return true;
    return false;
  }
}

/**
 * Which parameters of a query stay, those that every filter lets stay, whether they are sorted, and an empty query
 * goes.
 */
export class ParameterRules {
  readonly #filters: readonly ParameterFilter[];
  readonly #isSorted: boolean;
  readonly #dropsEmpty: boolean;
  /** Whether the query that `write` or `applyToText` was given last lost a parameter. */
  hasDropped = false;

  constructor(filters: readonly ParameterFilter[], isSorted: boolean, dropsEmpty: boolean) {
    this.#filters = filters;
    this.#isSorted = isSorted;
    this.#dropsEmpty = dropsEmpty;
  }

  /** Whether the rules change the query [start, end), which begins with its `?`. */
  affects(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isSorted && !isInOrder(bytes, start + 1, end)) return true;
    if (this.#dropsEmpty && end === start + 1) return true;
    for (let at = start; at < end; at = positionOf(AMPERSAND, bytes, at + 1, end)) {
      if (this.#isDropped(bytes, at + 1, end)) return true;
    }
    return false;
  }

  /**
   * Writes what stays of the query [start, end) to `to`, at `start`, before it or after `end`, and returns its end;
   * nothing, not even the `?`, if no parameter stays.
   */
  write(bytes: Uint8Array, start: number, end: number, to: number): number {
    let newEnd = to;
    this.hasDropped = false;
    for (let at = start, next = at; at < end; at = next) {
      next = positionOf(AMPERSAND, bytes, at + 1, end);
      if (this.#isDropped(bytes, at + 1, end)) {
        this.hasDropped = true;
        continue;
      }
      bytes[newEnd] = newEnd === to ? QUESTION_MARK : AMPERSAND;
      newEnd = moved(bytes, at + 1, next, newEnd + 1);
    }
    if (this.#isSorted) sortByName(bytes, to + 1, newEnd);
    return this.#dropsEmpty && newEnd === to + 1 ? to : newEnd;
  }

  /** Returns what stays of a query, which is '' or begins with its `?`. */
  applyToText(query: string): string {
    this.hasDropped = false;
    if (this.#filters.length === 0 && !this.#isSorted) return this.#dropsEmpty && query === '?' ? '' : query;
    const bytes = asciiBytes(query);
    const { length } = bytes;
    return this.affects(bytes, 0, length) ? asciiText(bytes.subarray(0, this.write(bytes, 0, length, 0))) : query;
  }

  #isDropped(bytes: Uint8Array, at: number, end: number): boolean {
    for (const filter of this.#filters) if (filter.drops(bytes, at, end)) return true;
    return false;
  }
}

function comparedName(name: string, caseBit: number): ComparedName {
  const isPrefix = name.endsWith('*');
  return { bytes: textEncoder().encode(unescapedName(isPrefix ? name.slice(0, -1) : name)), isPrefix, caseBit };
}

/** Whether the parameter that begins at `start` has a name, or one that begins with a prefix. */
function hasName(bytes: Uint8Array, start: number, end: number, compared: ComparedName): boolean {
  const { bytes: name, isPrefix, caseBit } = compared;
  let at = start;
  for (let index = 0; index < name.length; index++) {
    if ((nameByte(bytes, at, end) | caseBit) !== name[index]) return false;
    at += nameStep(bytes, at, end);
  }
  return isPrefix || nameByte(bytes, at, end) === -1;
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

/** Returns the length of the spelling at `at`: 3 for an escape, 1 otherwise. */
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

// Names of parameters as options, profiles and site rules have them; docs/parameters.md defines how they are compared.

/** Says what a name must and is not, or returns undefined for one that can be a name. */
export function nameProblem(name: string): string | undefined {
  if (!/^[^*]+\*?$/.test(name)) return "be a name, with '*' only at its end";
  return !/\p{Surrogate}/u.test(name) ? undefined : 'not hold a lone surrogate';
}

/** @throws {TypeError | RangeError} where an option's value is not a name */
export function mustBeName(argument: string, name: string): void {
  const problem = nameProblem(mustBeString(argument, name));
  if (problem !== undefined) throw new RangeError(`${argument} must ${problem}, got ${quote(name)}`);
}

/** Returns each name once, in the order of their UTF-8 bytes, which is the order of code points. */
export function sortedNames(names: readonly string[]): string[] {
  const bytesOf = (name: string) => asciiText(textEncoder().encode(name));
  return [...new Set(names)].sort((one, other) => (bytesOf(one) < bytesOf(other) ? -1 : 1));
}

/** Escapes a name: encodeURIComponent leaves `!'()` and any `*` besides letters, digits and `-._~`. */
export function escapedName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()]|\*(?!$)/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes a name; a malformed one becomes '', which is not a name. */
export function unescapedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
