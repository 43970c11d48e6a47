// Checks of a caller's arguments, made once at the border: TypeError for the wrong kind, RangeError for the wrong
// value.

import { quote, withoutUnseen } from './quote.ts';

export function mustBeString(name: string, value: string): string {
  return mustBeOfKind('string', name, value);
}

function mustBeOfKind<T>(kind: string, name: string, value: T): T {
  if (kindOf(value) === kind) return value;
  throw wrongKind(name, `a ${kind}`, value);
}

/**
 * Returns the text of a URL that is given as a string or as a `URL` object.
 *
 * @throws {TypeError} on any other value
 */
export function mustBeUrl(name: string, value: string | URL): string {
  if (typeof value === 'string') return value;
  const text = textOfUrlObject(value);
  if (text !== undefined) return text;
  throw wrongKind(name, 'a string or a URL', value);
}

/**
 * Returns the text of a `URL` object, or undefined for any other value. An object is one where `href` is a string and
 * equals `String(value)`: so is Next's `request.nextUrl`, and the result of Node's `url.parse` is not.
 */
export function textOfUrlObject(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { href } = value as { readonly href?: unknown };
  return typeof href === 'string' && typeof value.toString === 'function' && `${value}` === href ? href : undefined;
}

/**
 * Returns a URL of Safe Browsing as text, or as its bytes: the pages canonicalize any.
 *
 * @throws {TypeError} on any other value
 */
export function mustBeUrlOrBytes(name: string, value: string | URL | Uint8Array): string | Uint8Array {
  if (typeof value === 'string') return value;
  if (isBytes(value)) return mustBeBytes(name, value);
  const text = textOfUrlObject(value);
  if (text !== undefined) return text;
  throw wrongKind(name, 'a string, a URL or a Uint8Array', value);
}

/** Checks the tag too: a Uint8Array of another realm (jsdom, a frame, a vm) is not an instance of this realm's. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || kindOf(value) === 'Uint8Array';
}

/** Refuses detached bytes, too, whose memory was transferred to another thread: their length reads as 0. */
export function mustBeBytes(name: string, value: Uint8Array): Uint8Array {
  if (!isBytes(value)) throw wrongKind(name, 'a Uint8Array', value);
  if (value.length === 0) mustBeAttached(name, value);
  return value;
}

/** Tries, since `detached` is newer than what runs here: only a view without its memory, or outside of it, throws. */
function mustBeAttached(name: string, view: Uint8Array | Uint32Array): void {
  try {
    Uint8Array.prototype.slice.call(view); // that of a Buffer throws on none
  } catch (cause) {
    throw new TypeError(`${name} must be in memory, got what was transferred or detached`, { cause });
  }
}

export function mustBeBoolean(name: string, value: boolean): boolean {
  return mustBeOfKind('boolean', name, value);
}

/** Returns a number that is refused, or what stands in its place, as a message shows it. */
export function shownNumber(given: unknown): string {
  return withoutUnseen(String(given));
}

export function mustBeNumber(name: string, value: number): number {
  return mustBeOfKind('number', name, value);
}

export function mustBeNumbers(name: string, value: Uint32Array): Uint32Array {
  return mustBeOfKind('Uint32Array', name, value);
}

export function mustBeArray<T>(name: string, value: readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value;
  throw wrongKind(name, 'an array', value);
}

/** Whether an object has a member of its own: `in` also finds what somebody has added to Object.prototype. */
export function hasOwn<T extends object, K extends PropertyKey>(
  object: T,
  name: K,
): object is Extract<T, { readonly [P in K]: unknown }> {
  return Object.hasOwn(object, name);
}

/**
 * Returns the own properties of objects, of the last that has each, in one without a prototype. Options are such objects
 * from the border on to the last reader: `{ …own }` and the rest of a destructuring would have the prototype of all
 * objects again, which somebody may have added a name to.
 */
export function ownProperties<T extends object>(...objects: readonly Partial<T>[]): T {
  return Object.assign(Object.create(null), ...objects);
}

/**
 * Returns a copy of an object with any keys: own properties only, and without a prototype, so that nothing inherited is
 * read. A Map, a Date and an array are not one.
 */
export function mustBeRecord<T extends object>(name: string, value: T): T {
  if (kindOf(value) === 'Object') return ownProperties(value);
  throw wrongKind(name, 'an object', value);
}

/** Offsets of rows must be ascending, and the last no more than `byteLength`. */
export function mustBeOffsets(name: string, offsets: Uint32Array, byteLength: number): Uint32Array {
  if (mustBeNumbers(name, offsets).length === 0) mustBeAttached(name, offsets);
  for (let index = 1; index < offsets.length; index++) {
    if (offsets[index]! < offsets[index - 1]!)
      throw new RangeError(
        `${name} must be ascending, got ${offsets[index]} after ${offsets[index - 1]} at index ${index}`,
      );
  }
  const last = offsets.length - 1;
  if (offsets[last]! > byteLength)
    throw new RangeError(`${name} must not exceed the ${byteLength} bytes, got ${offsets[last]} at index ${last}`);
  return offsets;
}

const TEXTS = ['String', 'Uint8Array'];

/** Refuses a single text, which can be iterated over too, but as a list of its characters or bytes. */
export function mustBeList<T>(name: string, value: Iterable<T>, expected = 'a list of URLs'): Iterable<T> {
  const source = Object(value);
  if (typeof source[Symbol.iterator] === 'function' && !TEXTS.includes(kindOf(source))) return value;
  throw wrongKind(name, expected, value);
}

/** Takes a list for a stream, but not a single text. */
export function mustBeStream<T>(name: string, value: AsyncIterable<T>, expected: string): AsyncIterable<T> {
  const source = Object(value);
  const iterate = source[Symbol.asyncIterator] ?? source[Symbol.iterator];
  if (typeof iterate === 'function' && !TEXTS.includes(kindOf(source))) return value;
  throw wrongKind(name, expected, value);
}

export function mustBeOneOf<T extends string | number | boolean>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const given = typeof value === 'string' ? quote(value) : typeof value === 'object' ? kindOf(value) : String(value);
  throw new RangeError(`${name} must be one of ${choices.join(', ')}, got ${given}`);
}

/** Refuses a URL in the place of options that have a base, and says where it belongs. */
export function mustNotBeBase(name: string, options: object): void {
  const isUrl = typeof options === 'string' || textOfUrlObject(options) !== undefined;
  if (isUrl) throw wrongKind(name, 'an object, such as { base: … }', options);
}

/** Checks as `mustBeRecord` does, and that `known` has all keys; one that is undefined counts as left out. */
export function mustBeOptions<T extends object>(name: string, options: T, known: readonly string[]): T {
  if (known.includes('base')) mustNotBeBase(name, options);
  const own = mustBeRecord(name, options);
  for (const key of Object.keys(own) as (keyof T & string)[]) {
    if (!known.includes(key)) throw new RangeError(`${name} has no ${quote(key)}, only ${known.join(', ')}`);
    if (own[key] === undefined) delete own[key];
  }
  return own;
}

/** `expected` comes with its article: a string. */
export function wrongKind(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${name} must be ${expected}, got ${kindOf(value)}`);
}

/** Names the kind of a value for messages: `null`, its `typeof`, or the tag of an object: `Array`, `Uint16Array`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
}
