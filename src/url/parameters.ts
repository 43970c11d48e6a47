import { asciiBytes } from '../bytes/ascii.ts';
import { COLON, hexDigitValue, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH, SPACE } from '../bytes/code-points.ts';

// docs/parameters.md is the definition of what this file does, to the bytes of a canonical form, which are ASCII.

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const EQUALS = 0x3d;

/** A name as it is compared: its UTF-8 bytes; a prefix matches every name that begins with them. */
interface DroppedName {
  readonly bytes: Uint8Array;
  readonly isPrefix: boolean;
}

/** The bounds of a parameter: its name ends at its first `=`, or with it. */
interface Parameter {
  readonly start: number;
  readonly end: number;
}

/** A query that the rules change: where it is, without its `?`, and what stays of it, in the new order. */
interface ChangedQuery {
  readonly start: number;
  readonly end: number;
  readonly kept: readonly Parameter[];
}

/** Which parameters of a query are dropped, and whether the others are sorted. */
export class ParameterRules {
  /** The names by their first byte: most parameters are kept after a look at one byte. */
  readonly #byFirstByte: readonly (readonly DroppedName[])[];
  readonly #isSorted: boolean;
  /** The beginning of a decoded name: one byte more than the longest name to drop. */
  readonly #decoded: Uint8Array;
  /** URLs from which something was dropped, for `--stats`. */
  changedCount = 0;

  /** `names`: UTF-8 bytes, not empty. */
  constructor(names: readonly DroppedName[], isSorted: boolean) {
    this.#byFirstByte = Array.from({ length: 256 }, (_, byte) => names.filter(({ bytes }) => bytes[0] === byte));
    this.#isSorted = isSorted;
    this.#decoded = new Uint8Array(1 + Math.max(0, ...names.map(({ bytes }) => bytes.length)));
  }

  /** The canonical form `url` with its query as the rules leave it. */
  applyToText(url: string): string {
    if (!url.includes('?')) return url;
    const query = this.#changedQuery(asciiBytes(url), 0, url.length);
    if (query === undefined) return url;
    const before = url.slice(0, query.kept.length === 0 ? query.start - 1 : query.start);
    return before + query.kept.map(({ start, end }) => url.slice(start, end)).join('&') + url.slice(query.end);
  }

  /** The same in place for the canonical form bytes[start, end), whose new end it returns. */
  applyToBytes(bytes: Uint8Array, start: number, end: number): number {
    const query = this.#changedQuery(bytes, start, end);
    if (query === undefined) return end;
    const given = bytes.slice(query.start, end);
    let to = query.kept.length === 0 ? query.start - 1 : query.start;
    for (const [index, parameter] of query.kept.entries()) {
      if (index > 0) bytes[to++] = AMPERSAND;
      bytes.set(given.subarray(parameter.start - query.start, parameter.end - query.start), to);
      to += parameter.end - parameter.start;
    }
    bytes.set(given.subarray(query.end - query.start), to);
    return to + (end - query.end);
  }

  #changedQuery(bytes: Uint8Array, start: number, end: number): ChangedQuery | undefined {
    const query = queryOf(bytes, start, end);
    if (query === undefined || (!this.#isSorted && !this.#hasDropped(bytes, query.start, query.end))) return undefined;
    const parameters = parametersOf(bytes, query);
    const kept = parameters.filter(({ start: at, end: to }) => !this.#isDropped(bytes, at, to));
    const isDropped = kept.length < parameters.length;
    if (isDropped) this.changedCount++;
    const isReordered = this.#isSorted && sortByName(bytes, kept);
    return isDropped || isReordered ? { ...query, kept } : undefined;
  }

  /** Without an object per parameter: most queries hold nothing to drop. */
  #hasDropped(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; ) {
      const parameterEnd = indexIn(bytes, AMPERSAND, at, end);
      if (this.#isDropped(bytes, at, parameterEnd)) return true;
      at = parameterEnd + 1;
    }
    return false;
  }

  #isDropped(bytes: Uint8Array, start: number, end: number): boolean {
    const first = bytes[start]!;
    if (start === end || (first !== PERCENT && first !== PLUS && this.#byFirstByte[first]!.length === 0)) return false;
    const decoded = this.#decoded;
    const length = decodeName(bytes, start, end, decoded);
    if (length === 0) return false;
    for (const name of this.#byFirstByte[decoded[0]!]!) if (isNamed(decoded, length, name)) return true;
    return false;
  }
}

/** `length` bytes of the name, or more: as many as tell it from `name`. */
function isNamed(decoded: Uint8Array, length: number, { bytes, isPrefix }: DroppedName): boolean {
  if (isPrefix ? length < bytes.length : length !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== decoded[at]) return false;
  return true;
}

/** Where the query is, without its `?`; undefined where there is none, and of a URL with an opaque path. */
function queryOf(bytes: Uint8Array, start: number, end: number): Parameter | undefined {
  const schemeEnd = indexIn(bytes, COLON, start, end);
  if (bytes[schemeEnd + 1] !== SLASH) return undefined;
  const fragment = indexIn(bytes, NUMBER_SIGN, schemeEnd, end);
  const question = indexIn(bytes, QUESTION_MARK, schemeEnd, fragment);
  return question === fragment ? undefined : { start: question + 1, end: fragment };
}

/** Where `byte` is first in [start, end), or `end`. A loop: the host's own search would go on to the end of memory. */
function indexIn(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/** A query without `&` is one parameter, an empty one too. */
function parametersOf(bytes: Uint8Array, query: Parameter): Parameter[] {
  const parameters: Parameter[] = [];
  let start = query.start;
  for (let at = query.start; at < query.end; at++) {
    if (bytes[at] !== AMPERSAND) continue;
    parameters.push({ start, end: at });
    start = at + 1;
  }
  parameters.push({ start, end: query.end });
  return parameters;
}

/**
 * Decodes a parameter's name to `decoded` until that is full, and returns how many bytes it wrote: `+` is a space, an
 * escape its byte, and a `%` without two digits itself.
 */
function decodeName(bytes: Uint8Array, start: number, end: number, decoded: Uint8Array): number {
  let length = 0;
  for (let at = start; at < end && bytes[at] !== EQUALS && length < decoded.length; at++) {
    const byte = bytes[at]!;
    const escaped = byte === PERCENT && at + 2 < end ? escapedByte(bytes[at + 1]!, bytes[at + 2]!) : -1;
    decoded[length++] = escaped === -1 ? (byte === PLUS ? SPACE : byte) : escaped;
    if (escaped !== -1) at += 2;
  }
  return length;
}

/** The value of two hex digits, or -1 where they are not both digits. */
function escapedByte(high: number, low: number): number {
  const [highValue, lowValue] = [hexDigitValue(high), hexDigitValue(low)];
  return highValue === -1 || lowValue === -1 ? -1 : 16 * highValue + lowValue;
}

/** Sorts parameters by the bytes of their decoded names, equal names in the order given. Has the order changed? */
function sortByName(bytes: Uint8Array, parameters: Parameter[]): boolean {
  if (parameters.length < 2) return false;
  const named = parameters.map((parameter) => ({ parameter, name: nameOf(bytes, parameter) }));
  if (named.every(({ name }, index) => index === 0 || named[index - 1]!.name <= name)) return false;
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)); // stable, since ECMAScript 2019
  for (const [index, { parameter }] of named.entries()) parameters[index] = parameter;
  return true;
}

/** A unit per byte, so that `<` compares bytes. */
function nameOf(bytes: Uint8Array, { start, end }: Parameter): string {
  const decoded = new Uint8Array(end - start);
  const length = decodeName(bytes, start, end, decoded);
  let name = '';
  for (let at = 0; at < length; at++) name += String.fromCharCode(decoded[at]!);
  return name;
}
