import { hexOfBytes, parseHex } from '../bytes/hex.ts';
import { openKernel } from '../kernel/open.ts';
import { canonicalize } from '../url/canonicalize.ts';
import { UrlError } from '../url/error.ts';
import { Failure } from '../url/failure.ts';
import { type CanonicalizeOptions, isFragmentExcluded } from '../url/options.ts';
import { digestOfString, digestOfUrl } from './digest.ts';
import { bytesOfText, bytesOfWords, wordsOfBytes } from './words.ts';

interface HashClass<T> {
  readonly byteLength: number;
  new (bytes: Uint8Array<ArrayBuffer>): T;
}

/** What the three hashes have in common: bytes that never change, and their spellings. */
abstract class Hash {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  /** Takes over `bytes`; the static functions copy. @throws {RangeError} where the length differs */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const { byteLength } = new.target as unknown as HashClass<Hash>;
    if (bytes.length !== byteLength) throw new RangeError(`expected ${byteLength} bytes, got ${bytes.length}`);
    this.#bytes = bytes;
  }

  /** A copy of 32, 16 or 8 bytes. @throws {RangeError} where the length differs */
  static fromBytes<T>(this: HashClass<T>, bytes: Uint8Array): T {
    return new this(Uint8Array.from(bytes));
  }

  /** From 4, 2 or 1 words. @throws {RangeError} where their number differs or one is outside 0 … 2^64 - 1 */
  static fromWords<T>(this: HashClass<T>, words: ArrayLike<bigint>): T {
    return new this(bytesOfWords(words, this.byteLength));
  }

  /** From 64, 32 or 16 hex digits. @throws {RangeError} on anything else */
  static fromHex<T>(this: HashClass<T>, hex: string): T {
    return new this(parseHex(hex, this.byteLength));
  }

  /** From what `toString` gives. @throws {RangeError} on anything else */
  static parse<T>(this: HashClass<T>, text: string): T {
    return new this(bytesOfText(text, this.byteLength));
  }

  /** A copy of the first 32, 16 or 8 bytes of the SHA-256. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice();
  }

  /** The bytes as little-endian unsigned 64-bit words: 4, 2 or 1. */
  get words(): readonly bigint[] {
    return wordsOfBytes(this.#bytes);
  }

  /** Two lower-case hex digits a byte: 64, 32 or 16. */
  toHex(): string {
    return hexOfBytes(this.#bytes, 0, this.#bytes.length);
  }

  /** The words in decimal, joined by '-': `Display` of the specification's types. */
  toString(): string {
    return this.words.join('-');
  }

  /** What toString gives. */
  toJSON(): string {
    return this.toString();
  }

  protected hasPrefix(other: Hash): boolean {
    return other.#bytes.every((byte, at) => byte === this.#bytes[at]);
  }

  protected prefix(byteLength: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, byteLength);
  }
}

/** The SHA-256 of a URL's canonical form: 32 bytes. */
export class UrlHash extends Hash {
  static readonly byteLength = 32;

  /**
   * @throws {UrlError} where `url`, or `base`, is not a URL
   * @throws {TypeError} on options of the wrong kind @throws {RangeError} on an option that does not exist
   */
  static of(url: string | URL, base?: string | URL, options?: CanonicalizeOptions): UrlHash {
    const input = String(url);
    const digest =
      base === undefined
        ? digestOfUrl(openKernel(), input, 32, options !== undefined && isFragmentExcluded(options))
        : digestOfString(openKernel(), canonicalize(input, base, options), 32);
    if (digest instanceof Failure) throw new UrlError(input, digest);
    return new UrlHash(digest);
  }

  /** Are all 32 bytes the same? */
  equals(other: UrlHash): boolean {
    return other instanceof UrlHash && this.hasPrefix(other);
  }

  /** The first 16 bytes. */
  short(): UrlShortHash {
    return new UrlShortHash(this.prefix(16));
  }

  /** The first 8 bytes. */
  veryShort(): UrlVeryShortHash {
    return new UrlVeryShortHash(this.prefix(8));
  }

  /** Is `short` what short() gives? */
  startsWith(short: UrlShortHash): boolean {
    return this.hasPrefix(short);
  }

  /** Is `veryShort` what veryShort() gives? */
  startsWithJust(veryShort: UrlVeryShortHash): boolean {
    return this.hasPrefix(veryShort);
  }
}

/** The first two words of a UrlHash: 16 bytes. */
export class UrlShortHash extends Hash {
  static readonly byteLength = 16;

  /**
   * @throws {UrlError} where `url`, or `base`, is not a URL
   * @throws {TypeError} on options of the wrong kind @throws {RangeError} on an option that does not exist
   */
  static of(url: string | URL, base?: string | URL, options?: CanonicalizeOptions): UrlShortHash {
    return UrlHash.of(url, base, options).short();
  }

  /** Are all 16 bytes the same? */
  equals(other: UrlShortHash): boolean {
    return other instanceof UrlShortHash && this.hasPrefix(other);
  }

  /** The first 8 bytes. */
  veryShort(): UrlVeryShortHash {
    return new UrlVeryShortHash(this.prefix(8));
  }

  /** Is `veryShort` what veryShort() gives? */
  startsWith(veryShort: UrlVeryShortHash): boolean {
    return this.hasPrefix(veryShort);
  }
}

/** The first word of a UrlHash: 8 bytes. */
export class UrlVeryShortHash extends Hash {
  static readonly byteLength = 8;

  /**
   * @throws {UrlError} where `url`, or `base`, is not a URL
   * @throws {TypeError} on options of the wrong kind @throws {RangeError} on an option that does not exist
   */
  static of(url: string | URL, base?: string | URL, options?: CanonicalizeOptions): UrlVeryShortHash {
    return UrlHash.of(url, base, options).veryShort();
  }

  /** Are all 8 bytes the same? */
  equals(other: UrlVeryShortHash): boolean {
    return other instanceof UrlVeryShortHash && this.hasPrefix(other);
  }
}
