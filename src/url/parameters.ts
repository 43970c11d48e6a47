import { hexDigitValue, PERCENT, SPACE } from '../bytes/code-points.ts';
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

  /** @param names none of which is empty; a final `*` stands for any end */
  private constructor(names: readonly string[], dropsNamed: boolean) {
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
    this.#dropsNamed = dropsNamed;
    this.#byFirstByte = byFirstByte;
    this.#decoded = new Uint8Array(1 + longest);
  }

  static dropping(names: readonly string[]): ParameterFilter {
    return new ParameterFilter(names, true);
  }

  static keeping(names: readonly string[]): ParameterFilter {
    return new ParameterFilter(names, false);
  }

  /** Whether the parameter that begins at `at` is dropped. */
  drops(bytes: Uint8Array, at: number, end: number): boolean {
    return this.#isNamed(bytes, at, end) === this.#dropsNamed;
  }

  #isNamed(bytes: Uint8Array, at: number, end: number): boolean {
    if (at === end || this.#byFirstByte[bytes[at]!] === undefined) return false;
    const decoded = this.#decoded;
    const length = decodeName(bytes, at, end, decoded);
    return length > 0 && this.#byFirstByte[decoded[0]!]?.some((name) => isNamed(decoded, length, name)) === true;
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

  /** Whether the rules change the query [start, end); of one that is to be sorted, they may not if it has escapes. */
  affects(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isSorted && !isInOrder(bytes, start, end)) return true;
    for (let at = start; at <= end; at = indexIn(bytes, AMPERSAND, at, end) + 1) {
      if (this.#isDropped(bytes, at, end)) return true;
    }
    return false;
  }

  /**
   * Writes what stays of the query [start, end) to `to`, which is not after `start`, and returns its end; -1 if no
   * parameter stays.
   */
  write(bytes: Uint8Array, start: number, end: number, to: number): number {
    let writtenEnd = -1;
    for (let at = start; at <= end; ) {
      const next = indexIn(bytes, AMPERSAND, at, end);
      if (!this.#isDropped(bytes, at, end)) {
        if (writtenEnd !== -1) bytes[writtenEnd] = AMPERSAND;
        const from = writtenEnd === -1 ? to : writtenEnd + 1;
        if (from !== at) bytes.copyWithin(from, at, next);
        writtenEnd = from + next - at;
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

/** Compares `length` bytes of a name, or more: as many as tell it from `name`. */
function isNamed(decoded: Uint8Array, length: number, { bytes, isPrefix }: ComparedName): boolean {
  return (
    (isPrefix ? length >= bytes.length : length === bytes.length) && bytes.every((byte, at) => byte === decoded[at])
  );
}

/** The first `byte` in [start, end), or `end`. A loop: the host's own search would go on to the end of memory. */
export function indexIn(bytes: Uint8Array, byte: number, start: number, end: number): number {
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
    if (byte === EQUALS || byte === AMPERSAND) break;
    const high = byte === PERCENT && at + 2 < end ? hexDigitValue(bytes[at + 1]!) : -1;
    const low = high === -1 ? -1 : hexDigitValue(bytes[at + 2]!);
    decoded[length++] = low === -1 ? (byte === PLUS ? SPACE : byte) : 16 * high + low;
    if (low !== -1) at += 2;
  }
  return length;
}

/** Whether the names of a query are in order as they are spelled, and none has to be decoded. */
function isInOrder(bytes: Uint8Array, start: number, end: number): boolean {
  let before = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === PERCENT || byte === PLUS) return false;
    if (byte !== EQUALS && byte !== AMPERSAND) continue;
    const next = indexIn(bytes, AMPERSAND, at, end) + 1;
    if (next > end) return true;
    if (!isOrdered(bytes, before, next, end)) return false;
    before = next;
    at = next - 1;
  }
  return true;
}

/** Whether the name at `one` is not after that at `other`; each is ended by `=`, `&` or the end. */
function isOrdered(bytes: Uint8Array, one: number, other: number, end: number): boolean {
  for (let index = 0; ; index++) {
    const left = nameByte(bytes, one + index, end);
    const right = nameByte(bytes, other + index, end);
    if (left !== right) return left < right;
    if (left === -1) return true;
  }
}

/** The byte of a name, or -1 after its end. */
function nameByte(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at]! : EQUALS;
  return byte === EQUALS || byte === AMPERSAND ? -1 : byte;
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
