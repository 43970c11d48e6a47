import { mustBeBytes, mustBeString, toText, wrongKind } from '../argument.ts';
import { bytesOfHex, hexOfBytes, parseHex } from '../bytes/hex.ts';
import type { Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { canonicalize } from '../url/canonicalize.ts';
import { UrlError } from '../url/error.ts';
import { Failure } from '../url/failure.ts';
import { type CanonicalizeOptions, isFragmentExcluded } from '../url/options.ts';
import { digestOfString, digestOfUrl } from './digest.ts';
import { showAs } from './inspect.ts';
import { bytesOfText, bytesOfWords, wordsOfBytes } from './words.ts';

/** One of the three classes. */
interface HashClass<T> {
  readonly byteLength: Width;
  new (bytes: Uint8Array): T;
}

/** What the three hashes have in common: a value that never changes, and its spellings. */
abstract class Hash {
  /**
   * The hash as 64, 32 or 16 lower-case hex digits. It is the only state, in the open: test tools compare hashes by it,
   * and `structuredClone` and `postMessage` carry it over as `{ hex }`, which `fromHex` takes.
   */
  readonly hex: string;

  /**
   * @param bytes 32, 16 or 8 bytes, which are copied
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {RangeError} on another number of bytes
   */
  constructor(bytes: Uint8Array) {
    const { byteLength } = new.target as unknown as HashClass<Hash>;
    if (mustBeBytes('bytes', bytes).length !== byteLength)
      throw new RangeError(`expected ${byteLength} bytes, got ${bytes.length}`);
    showAs(new.target.prototype, abbreviated);
    this.hex = hexOfBytes(bytes, 0, byteLength);
    Object.freeze(this);
  }

  /**
   * The hash of a URL's canonical form.
   *
   * @param this the class of the result
   * @param url what is not a string is converted to one, as `new URL` does
   * @param base what a relative URL is resolved against
   * @param options whether the fragment is left out; by default it is not
   * @throws {UrlError} where `url`, or `base`, is not a URL
   * @throws {TypeError} on what has no string form, such as a symbol, and on options of the wrong kind
   * @throws {RangeError} on an option that does not exist
   * @example
   * UrlHash.of('../b', 'https://example.com/a/c').equals(UrlHash.of('https://example.com/b')); //=> true
   */
  static of<T>(this: HashClass<T>, url: string | URL, base?: string | URL, options?: CanonicalizeOptions): T {
    return new this(digestOf(url, base, options, this.byteLength));
  }

  /**
   * From its bytes.
   *
   * @param this the class of the result
   * @param bytes 32, 16 or 8 bytes, which are copied
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {RangeError} on another number of bytes
   * @example
   * UrlHash.fromBytes(new Uint8Array(32)).hex.length; //=> 64
   */
  static fromBytes<T>(this: HashClass<T>, bytes: Uint8Array): T {
    return new this(bytes);
  }

  /**
   * From its words.
   *
   * @param this the class of the result
   * @param words 4, 2 or 1 of them, as `words` gives them
   * @throws {TypeError} on what is not a list of bigints
   * @throws {RangeError} on another number of words, and on one outside of 0 to 2^64 - 1
   * @example
   * UrlVeryShortHash.fromWords([1n]).hex; //=> '0100000000000000'
   */
  static fromWords<T>(this: HashClass<T>, words: ArrayLike<bigint>): T {
    return new this(bytesOfWords(words, this.byteLength));
  }

  /**
   * From its hex digits.
   *
   * @param this the class of the result
   * @param hex 64, 32 or 16 hex digits, in either case
   * @throws {TypeError} on what is not a string
   * @throws {RangeError} on any other string
   * @example
   * UrlVeryShortHash.fromHex('0100000000000000').words; //=> [1n]
   */
  static fromHex<T>(this: HashClass<T>, hex: string): T {
    return new this(parseHex(mustBeString('hex', hex), this.byteLength));
  }

  /**
   * From its words in decimal.
   *
   * @param this the class of the result
   * @param text what `toString` gives: 4, 2 or 1 decimal words joined by '-'
   * @throws {TypeError} on what is not a string
   * @throws {RangeError} on any other string
   * @example
   * UrlShortHash.parse('1-2').words; //=> [1n, 2n]
   */
  static parse<T>(this: HashClass<T>, text: string): T {
    return new this(bytesOfText(mustBeString('text', text), this.byteLength));
  }

  /** A copy of the first 32, 16 or 8 bytes of the SHA-256. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return bytesOfHex(this.hex);
  }

  /** The bytes as little-endian unsigned 64-bit words: 4, 2 or 1. */
  get words(): readonly bigint[] {
    return wordsOfBytes(this.bytes);
  }

  /** @returns two lower-case hex digits per byte: 64, 32 or 16 */
  toHex(): string {
    return this.hex;
  }

  /** @returns the words in decimal, joined by '-': `Display` of the specification's types */
  toString(): string {
    return this.words.join('-');
  }

  /** @returns what `toString` gives */
  toJSON(): string {
    return this.toString();
  }

  protected isSame(other: Hash): boolean {
    return tagOf(other) === tagOf(this) && other.hex === this.hex;
  }

  protected hasPrefix(name: string, other: Hash): boolean {
    return this.hex.startsWith(mustBeHash(name, other).hex);
  }
}

/** In place of `instanceof`: ESM, CommonJS, slim and other realms each have classes of their own. */
function tagOf(value: unknown): unknown {
  return (value as { readonly [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag];
}

const TAGS: readonly unknown[] = ['UrlHash', 'UrlShortHash', 'UrlVeryShortHash'];

function mustBeHash(name: string, value: Hash): Hash {
  if (TAGS.includes(tagOf(value))) return value;
  throw wrongKind(name, 'a hash', value);
}

function abbreviated(hash: Hash): string {
  return `${tagOf(hash)}(${hash.hex.slice(0, 8)}…)`;
}

function digestOf(
  url: string | URL,
  base: string | URL | undefined,
  options: CanonicalizeOptions | undefined,
  width: Width,
): Uint8Array<ArrayBuffer> {
  if (base !== undefined) return digestOfString(openKernel(), canonicalize(url, base, options), width);
  const excludeFragment = options !== undefined && isFragmentExcluded(options);
  const input = toText(url);
  const digest = digestOfUrl(openKernel(), input, width, excludeFragment);
  if (digest instanceof Failure) throw UrlError.from(input, digest);
  return digest;
}

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
  static readonly byteLength = 32;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlHash';
  }

  /**
   * Are all 32 bytes the same? It does not matter which copy of this package made the other hash: ESM, CommonJS, slim
   * or one of another realm.
   *
   * @param other a hash of this class
   * @returns false, too, for what is not a UrlHash
   */
  equals(other: UrlHash): boolean {
    return this.isSame(other);
  }

  /** @returns the first 16 bytes */
  short(): UrlShortHash {
    return new UrlShortHash(this.bytes.subarray(0, 16));
  }

  /** @returns the first 8 bytes */
  veryShort(): UrlVeryShortHash {
    return new UrlVeryShortHash(this.bytes.subarray(0, 8));
  }

  /**
   * Is `short` what `short()` gives?
   *
   * @param short a hash of any copy of this package
   * @throws {TypeError} on what is not a hash
   */
  startsWith(short: UrlShortHash): boolean {
    return this.hasPrefix('short', short);
  }

  /**
   * Is `veryShort` what `veryShort()` gives?
   *
   * @param veryShort a hash of any copy of this package
   * @throws {TypeError} on what is not a hash
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
  static readonly byteLength = 16;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlShortHash';
  }

  /**
   * Are all 16 bytes the same? It does not matter which copy of this package made the other hash: ESM, CommonJS, slim
   * or one of another realm.
   *
   * @param other a hash of this class
   * @returns false, too, for what is not a UrlShortHash
   */
  equals(other: UrlShortHash): boolean {
    return this.isSame(other);
  }

  /** @returns the first 8 bytes */
  veryShort(): UrlVeryShortHash {
    return new UrlVeryShortHash(this.bytes.subarray(0, 8));
  }

  /**
   * Is `veryShort` what `veryShort()` gives?
   *
   * @param veryShort a hash of any copy of this package
   * @throws {TypeError} on what is not a hash
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
  static readonly byteLength = 8;

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'UrlVeryShortHash';
  }

  /**
   * Are all 8 bytes the same? It does not matter which copy of this package made the other hash: ESM, CommonJS, slim or
   * one of another realm.
   *
   * @param other a hash of this class
   * @returns false, too, for what is not a UrlVeryShortHash
   */
  equals(other: UrlVeryShortHash): boolean {
    return this.isSame(other);
  }
}
