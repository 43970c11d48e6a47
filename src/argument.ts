// Checks of a caller's arguments, made once at the border: TypeError for the wrong kind, RangeError for the wrong
// value.

export function mustBeString(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw wrongKind(name, 'a string', value);
}

/** A `URL`, or what else shows its URL as text: the declarations name no type of a host. */
export interface UrlObject {
  readonly href: string;
  toString(): string;
}

/**
 * Converts a value as the constructor of `URL` converts its arguments.
 *
 * @throws {TypeError} on a symbol, and on an object without `toString`
 */
export function toText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const hasText = typeof value !== 'symbol' && 'toString' in Object(value);
  return mustBeString(name, hasText ? `${value as string}` : (value as string));
}

/** Checks the tag too: a Uint8Array of another realm (jsdom, a frame, a vm) is not an instance of this realm's. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || kindOf(value) === 'Uint8Array';
}

export function mustBeBytes(name: string, value: Uint8Array): Uint8Array {
  if (isBytes(value)) return value;
  throw wrongKind(name, 'a Uint8Array', value);
}

export function mustBeBoolean(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw wrongKind(name, 'a boolean', value);
}

export function mustBeNumber(name: string, value: number): number {
  if (typeof value === 'number') return value;
  throw wrongKind(name, 'a number', value);
}

export function mustBeArray<T>(name: string, value: readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value;
  throw wrongKind(name, 'an array', value);
}

/** Accepts an object with any keys. */
export function mustBeRecord<T extends object>(name: string, value: T): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrongKind(name, 'an object', value);
}

/** Offsets of rows must be ascending, and the last no more than `byteLength`. */
export function mustBeOffsets(name: string, offsets: Uint32Array, byteLength: number): Uint32Array {
  if (kindOf(offsets) !== 'Uint32Array') throw wrongKind(name, 'a Uint32Array', offsets);
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
export function mustBeList<T>(name: string, value: Iterable<T>): Iterable<T> {
  const source = Object(value);
  if (typeof source[Symbol.iterator] === 'function' && !TEXTS.includes(kindOf(source))) return value;
  throw wrongKind(name, 'a list of URLs', value);
}

export function mustBeOneOf<T extends string | number | boolean>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const given =
    typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' ? kindOf(value) : String(value);
  throw new RangeError(`${name} must be one of ${choices.join(', ')}, got ${given}`);
}

/** `known` are the keys that `options` may have. */
export function mustBeOptions(name: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw wrongKind(name, 'an object', options);
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new RangeError(`${name} has no ${JSON.stringify(key)}, only ${known.join(', ')}`);
  }
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
