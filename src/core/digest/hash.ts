import { mustBeBytes, mustBeOneOf, mustBeString, mustBeUrl, wrongKind } from '../argument.ts';
import { bytesOfHex, hexOfBytes, parseHex } from '../bytes/hex.ts';
import type { Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { compiledOptions, compiledOptionsIfUrl } from '../url/canonicalize.ts';
import { UrlError } from '../url/failure.ts';
import type { Options } from '../url/options.ts';
import { bytesOfDecimal, bytesOfWords, hexOfUrl, wordsOfBytes } from './digest.ts';

/** One of the three classes. */
interface HashClass<T> {
  /** Bytes of its hashes. */
  readonly width: Width;
  new (bytes: Uint8Array): T;
}

/** The method that `console.log` looks for on a value in Node, Deno and Bun. */
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Digits of a hash that need no check, for the constructor, which makes a hash in half the time of `Object.create`. */
class Digits {
  readonly hex: string;

  constructor(hex: string) {
    this.hex = hex;
  }
}

function digitsOf(bytes: Uint8Array, { width }: HashClass<Hash>): string {
  if (mustBeBytes('bytes', bytes).length !== width)
    throw new RangeError(`bytes must have ${width} bytes, got ${bytes.length}`);
  return hexOfBytes(bytes, 0, width);
}

function withHex<T>(type: HashClass<T>, hex: string): T {
  return new type(new Digits(hex) as unknown as Uint8Array);
}

/** The base of UrlHash, UrlShortHash and UrlVeryShortHash: a value that never changes, and its spellings. */
export abstract class Hash {
  /**
   * The hash as 64, 32 or 16 lower-case hex digits. It is the only state, in the open: test tools compare hashes by it,
   * and `structuredClone` and `postMessage` carry it over as `{ hex }`: `parse(hex)` makes the hash again.
   */
  readonly hex: string;

  /**
   * @param bytes 32, 16 or 8 bytes, which are copied
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {RangeError} on another number of bytes
   */
  constructor(bytes: Uint8Array) {
    this.hex = bytes instanceof Digits ? bytes.hex : digitsOf(bytes, new.target as unknown as HashClass<Hash>);
    Object.freeze(this);
  }

  /**
   * The hash of a URL's canonical form.
   *
   * @param this the class of the result
   * @param url a string or a `URL`
   * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
   * @throws {UrlError} where `url`, or the base, is not a URL
   * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
   * @throws {RangeError} on an option that does not exist
   * @example
   * UrlHash.of('../b', { base: 'https://example.com/a/c' }).equals(UrlHash.of('https://example.com/b')); //=> true
   */
  static of<T>(this: HashClass<T>, url: string | URL, options?: Options): T {
    const input = mustBeUrl('url', url);
    const hex = hexOfUrl(openKernel(), input, this.width, compiledOptions(options));
    if (typeof hex !== 'string') throw UrlError.from(input, hex);
    return withHex(this, hex);
  }

  /**
   * The hash of a URL's canonical form, or null where `of` throws a UrlError.
   *
   * @param this the class of the result
   * @param url a string or a `URL`
   * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
   * @returns null where `url`, or the base, is not a URL
   * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
   * @throws {RangeError} on an option that does not exist
   * @example
   * UrlHash.tryOf('not a url'); //=> null
   */
  static tryOf<T>(this: HashClass<T>, url: string | URL, options?: Options): T | null {
    const input = mustBeUrl('url', url);
    const compiled = compiledOptionsIfUrl(options);
    if (compiled === undefined) return null;
    const hex = hexOfUrl(openKernel(), input, this.width, compiled);
    return typeof hex === 'string' ? withHex(this, hex) : null;
  }

  /**
   * Makes a hash of its bytes.
   *
   * @param this the class of the result
   * @param bytes 32, 16 or 8 bytes, which are copied
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {RangeError} on another number of bytes
   * @example
   * UrlHash.fromBytes(new Uint8Array(32)).hex.length; //=> 64
   */
  static fromBytes<T>(this: HashClass<T>, bytes: Uint8Array): T {
    return new this(bytes);
  }

  /**
   * Makes a hash of its words.
   *
   * @param this the class of the result
   * @param words 4, 2 or 1 of them, as `words` gives them
   * @throws {TypeError} on anything but a list of bigints
   * @throws {RangeError} on another number of words, and on one outside of 0 to 2^64 - 1
   * @example
   * UrlVeryShortHash.fromWords([1n]).hex; //=> '0100000000000000'
   */
  static fromWords<T>(this: HashClass<T>, words: ArrayLike<bigint>): T {
    return new this(bytesOfWords(words, this.width));
  }

  /**
   * Makes a hash of its hex digits.
   *
   * @param this the class of the result
   * @param hex 64, 32 or 16 hex digits, in either case
   * @throws {TypeError} on anything but a string
   * @throws {RangeError} on any other string
   * @example
   * UrlVeryShortHash.parse('0100000000000000').words; //=> [1n]
   */
  static parse<T>(this: HashClass<T>, hex: string): T {
    return new this(parseHex(mustBeString('hex', hex), this.width));
  }

  /**
   * Makes a hash of its words in decimal, as `toDecimal` returns them and the crate of the specification displays them.
   *
   * @param this the class of the result
   * @param text 4, 2 or 1 decimal words joined by '-'
   * @throws {TypeError} on anything but a string
   * @throws {RangeError} on any other string
   * @example
   * UrlShortHash.fromDecimal('1-2').words; //=> [1n, 2n]
   */
  static fromDecimal<T>(this: HashClass<T>, text: string): T {
    return new this(bytesOfDecimal(mustBeString('text', text), this.width));
  }

  /** A copy of the first 32, 16 or 8 bytes of the SHA-256. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return bytesOfHex(this.hex);
  }

  /** The bytes as little-endian unsigned 64-bit words: 4, 2 or 1. */
  get words(): readonly bigint[] {
    return wordsOfBytes(this.bytes);
  }

  /** @returns `hex` */
  toString(): string {
    return this.hex;
  }

  /** @returns `hex` */
  toJSON(): string {
    return this.hex;
  }

  /** @returns the words in decimal, joined by '-': `Display` of the specification's types */
  toDecimal(): string {
    return this.words.join('-');
  }

  /**
   * Are all bytes the same? It does not matter which copy of this package made the other hash, or in which realm.
   *
   * @param other a hash of this class
   * @returns false, too, for what is not one
   */
  equals(other: this): boolean {
    return tagOf(other) === tagOf(this) && other.hex === this.hex;
  }

  /** @internal */
  [INSPECT](): string {
    return `${tagOf(this)}(${this.hex.slice(0, 8)}…)`;
  }

  /** Whether this value begins with another, which `name` names in messages. */
  protected hasPrefix(name: string, other: Hash): boolean {
    if (!TAGS.includes(tagOf(other))) throw wrongKind(name, 'a hash', other);
    return this.hex.startsWith(other.hex);
  }
}

/** Compared in place of `instanceof`: each copy of this package, and each realm, has classes of its own. */
function tagOf(value: unknown): unknown {
  return (value as { readonly [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag];
}

const TAGS: readonly unknown[] = ['UrlHash', 'UrlShortHash', 'UrlVeryShortHash'];

/**
 * The SHA-256 of a URL's canonical form: 32 bytes. Equal URLs have equal hashes.
 *
 * @example
 * UrlHash.of('HTTPS://example.com').equals(UrlHash.of('https://example.com/')); //=> true
 */
export class UrlHash extends Hash {
  /** @internal */
  static override readonly name = 'UrlHash';
  /** Bytes of a hash of this class: 32. */
  static readonly width = 32;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlHash';
  }

  /** @returns the first 16 bytes */
  short(): UrlShortHash {
    return withHex(UrlShortHash, this.hex.slice(0, 32));
  }

  /** @returns the first 8 bytes */
  veryShort(): UrlVeryShortHash {
    return withHex(UrlVeryShortHash, this.hex.slice(0, 16));
  }

  /**
   * Whether `form` equals `short()` or `veryShort()`.
   *
   * @param form a hash of any copy of this package
   * @throws {TypeError} on anything but a hash
   */
  startsWith(form: UrlShortHash | UrlVeryShortHash): boolean {
    return this.hasPrefix('form', form);
  }

  /**
   * Whether `veryShort` equals `veryShort()`. The name is url-hash's.
   *
   * @param veryShort a hash of any copy of this package
   * @throws {TypeError} on anything but a hash
   */
  startsWithJust(veryShort: UrlVeryShortHash): boolean {
    return this.hasPrefix('veryShort', veryShort);
  }
}

/**
 * The first two words of a UrlHash: 16 bytes.
 *
 * @example
 * UrlHash.of('https://example.com/').startsWith(UrlShortHash.of('https://example.com')); //=> true
 */
export class UrlShortHash extends Hash {
  /** @internal */
  static override readonly name = 'UrlShortHash';
  /** Bytes of a hash of this class: 16. */
  static readonly width = 16;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlShortHash';
  }

  /** @returns the first 8 bytes */
  veryShort(): UrlVeryShortHash {
    return withHex(UrlVeryShortHash, this.hex.slice(0, 16));
  }

  /**
   * Whether `veryShort` equals `veryShort()`.
   *
   * @param veryShort a hash of any copy of this package
   * @throws {TypeError} on anything but a hash
   */
  startsWith(veryShort: UrlVeryShortHash): boolean {
    return this.hasPrefix('veryShort', veryShort);
  }
}

/**
 * The first word of a UrlHash: 8 bytes.
 *
 * @example
 * UrlHash.of('https://example.com/').startsWithJust(UrlVeryShortHash.of('https://example.com')); //=> true
 */
export class UrlVeryShortHash extends Hash {
  /** @internal */
  static override readonly name = 'UrlVeryShortHash';
  /** Bytes of a hash of this class: 8. */
  static readonly width = 8;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlVeryShortHash';
  }
}

/** The class of hashes of a width in bytes. */
export type HashOfWidth<W extends Width> = W extends 32 ? UrlHash : W extends 16 ? UrlShortHash : UrlVeryShortHash;

export function hashOfWidth<W extends Width>(hex: string, width: W): HashOfWidth<W> {
  const type = width === 32 ? UrlHash : width === 16 ? UrlShortHash : UrlVeryShortHash;
  return withHex<Hash>(type, hex) as HashOfWidth<W>;
}

const WIDTHS: readonly Width[] = [8, 16, 32];

export function mustBeWidth<W extends Width>(width: W): W {
  return mustBeOneOf('width', width, WIDTHS as readonly W[]);
}
