import { md5, sha1 } from '@noble/hashes/legacy.js';
import { mustBeBytes, mustBeOptions, mustBeString, mustBeUrl, wrongKind } from '../../core/argument.ts';
import { asciiLowercase } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { asciiBytes } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import { Failure } from '../../core/url/failure.ts';
import { canonicalizer } from './canonicalize.ts';
import { failure, HashedUriError, mustBeUri, type UriFailure } from './failure.ts';
import { KEEP_FLAGS, type KeepFlag, type VariantOptions } from './reference.ts';

/**
 * A hashed URI, as `parse` and `hash` give it. It does not say which variant it was made by: whoever compares must
 * know, or try both.
 *
 * @example
 * const hashed = hash('http://www.thus.net', { variant: 'N', algorithm: 'md5' });
 * hashed.value; //=> 'be96302a0468481aca954431cf293e05'
 * hashed.toString(); //=> 'hashed:md5=be96302a0468481aca954431cf293e05'
 */
export class HashedUri {
  /** @internal */
  static readonly name = 'HashedUri';
  /** The name of the algorithm in lower case. */
  readonly algorithm: string;
  /** Two lower-case hex digits per octet. */
  readonly value: string;
  /** The parts that were retained, and must be when a candidate is compared: 'frag' before 'query'. */
  readonly keep: readonly KeepFlag[];

  /** @internal Takes parts that `parse` or `hash` vouches for. */
  constructor(algorithm: string, value: string, keep: readonly KeepFlag[]) {
    this.algorithm = algorithm;
    this.value = value;
    this.keep = keep;
  }

  /**
   * The reason why nothing can match: an algorithm that is neither md5, sha1 nor registered (section 4.2), or a value
   * that is not as long as the algorithm's digests (section 4.3 (4)). Empty where all is well.
   */
  get problems(): readonly ('unregistered-algorithm' | 'digest-length')[] {
    const algorithm = ALGORITHMS.get(this.algorithm);
    if (algorithm === undefined) return ['unregistered-algorithm'];
    return this.value.length === 2 * algorithm.byteLength ? [] : ['digest-length'];
  }

  /** @returns the hashed URI in lower case, each flag once, `+frag` first */
  toString(): string {
    return `hashed:${this.algorithm}=${this.value}${this.keep.map((flag) => `+${flag}`).join('')}`;
  }

  /** @returns the same as `toString` */
  toJSON(): string {
    return this.toString();
  }
}

const SCHEME = 'hashed:';
/** Searched for, since matching all of a value takes a stack as long as the value. */
const NON_HEX_DIGIT = /[^0-9a-f]/;

/**
 * Reads a hashed URI, in either case, with flags in any order and any number. An unknown algorithm and a value
 * of a wrong length are well-formed, and `problems` of the result names them.
 *
 * @param text a hashed URI
 * @returns its parts, in lower case
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @throws {HashedUriError} on what the grammar of section 4.1 does not allow
 * @see draft-feather-hashed-uri-03, section 4.1
 * @example
 * parse('hashed:sha256=00').problems; //=> ['unregistered-algorithm']
 */
export function parse(text: string | URL): HashedUri {
  const spelling = mustBeUrl('text', text);
  const parsed = parseHashed(spelling);
  if (parsed instanceof Failure) throw new HashedUriError('hashed URI', spelling, parsed);
  return parsed;
}

/** Reads a hashed URI, or says as a value why the text is none. */
export function parseHashed(text: string): HashedUri | UriFailure {
  const lower = asciiLowercase(text);
  if (!lower.startsWith(SCHEME)) return failure('not-hashed', 0);
  const equals = lower.indexOf('=');
  const algorithm = lower.slice(SCHEME.length, equals === -1 ? lower.length : equals);
  if (equals === -1 || algorithm === '' || /[^a-z0-9.-]/.test(algorithm))
    return failure('algorithm-malformed', SCHEME.length);
  const [value = '', ...flags] = lower.slice(equals + 1).split('+');
  if (value === '' || NON_HEX_DIGIT.test(value)) return failure('value-malformed', equals + 1);
  const isKnown = flags.every((flag) => KEEP_FLAGS.includes(flag as KeepFlag));
  if (!isKnown) return failure('flag-unknown', equals + 1 + value.length);
  return new HashedUri(
    algorithm,
    value,
    KEEP_FLAGS.filter((flag) => flags.includes(flag)),
  );
}

/** Options of `hash`. */
export interface HashOptions extends VariantOptions {
  /** 'md5', 'sha1', or a registered name that begins with 'x-'. */
  readonly algorithm: string;
}

/**
 * The hashed URI of a URI; its flags say what was retained, so a part that was to be kept and is not there has
 * none.
 *
 * It hides a URI only from those who cannot guess it: hashing every likely URI once finds all that are in a list
 * (section 6). And md5 and sha1 are broken for collisions: a URI can be made to match another's hash where
 * one side writes both.
 *
 * @param uri a URI of RFC 2396, absolute unless there is a base, or a `URL`
 * @param options those of `canonicalize`, and the algorithm
 * @returns the hashed URI; `toString` gives its text
 * @throws {HashedUriError} where `uri` or `base` is not a URI, or the algorithm is neither the draft's nor registered
 * @throws {TypeError} on a URI or options of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see draft-feather-hashed-uri-03, section 4.3
 * @example
 * hash('http://a/', { variant: 'N', algorithm: 'md5' }).toString(); //=> 'hashed:md5=d2e30d023bacb13655cf2f69855ddd49'
 */
export function hash(uri: string | URL, options: HashOptions): HashedUri {
  const text = mustBeUrl('uri', uri);
  return mustBeUri(text, hasher(options)(text));
}

/** Checks the options once, for many URIs. @throws as `hash` does on options */
export function hasher(options: HashOptions): (uri: string) => HashedUri | UriFailure {
  const known = ['algorithm', 'variant', 'keep', 'base', 'readings'];
  const { algorithm, ...canonicalizeOptions } = mustBeOptions('options', options, known);
  const name = asciiLowercase(mustBeString('algorithm', algorithm));
  if (!ALGORITHMS.has(name)) throw new HashedUriError('hash algorithm', algorithm, failure('algorithm-unregistered'));
  const canonicalFormOf = canonicalizer(canonicalizeOptions);
  return (uri) => {
    const form = canonicalFormOf(uri);
    return form instanceof Failure ? form : new HashedUri(name, hexDigest(name, form.text), form.keep);
  };
}

interface Algorithm {
  readonly digest: (bytes: Uint8Array) => Uint8Array;
  readonly byteLength: number;
}

/** Section 4.2: the registry by names in lower case, and what registerAlgorithm adds to it. */
const ALGORITHMS = new Map<string, Algorithm>([
  ['md5', { digest: md5, byteLength: 16 }],
  ['sha1', { digest: sha1, byteLength: 20 }],
]);

const PRIVATE_NAME = /^x-[a-z0-9.-]*$/;

/**
 * Registers a private algorithm for `hash`, `parse` and `matches`. Its name is read in either case. Where
 * the algorithm needs whole blocks and has no padding rule, section 4.3 (3) pads with zero bytes: that is
 * up to the callback. It is called once at registration, on no bytes, to learn the length of its digests.
 *
 * @param name `x-` and letters, digits, '.' and '-'
 * @param digest the hash function: from the ASCII bytes of a canonical form to its digest, always of one length
 * @throws {RangeError} where `name` does not begin with `x-`, or names another algorithm already
 * @throws {TypeError} where `name` is not a string, or `digest` gives something else than a Uint8Array with bytes in it
 * @see draft-feather-hashed-uri-03, section 4.2
 * @example
 * registerAlgorithm('x-length', (bytes) => Uint8Array.of(bytes.length));
 * hash('http://h/', { variant: 'N', algorithm: 'x-length' }).toString(); //=> 'hashed:x-length=09'
 */
export function registerAlgorithm(name: `x-${string}`, digest: (bytes: Uint8Array) => Uint8Array): void {
  const key = mustBeString('name', name).toLowerCase();
  if (!PRIVATE_NAME.test(key))
    throw new RangeError(
      `the name of a private algorithm must be x- and letters, digits, '.' or '-', not ${quote(name)}`,
    );
  if (typeof digest !== 'function') throw wrongKind('digest', 'a function', digest);
  const known = ALGORITHMS.get(key);
  if (known !== undefined && known.digest !== digest) throw new RangeError(`${key} names another algorithm already`);
  ALGORITHMS.set(key, { digest, byteLength: checked(key, digest(new Uint8Array(0))).length });
}

/**
 * Returns the digest of a canonical form, which is ASCII, by a known algorithm.
 *
 * @throws {TypeError} where a registered callback gives something other than it gave at registration
 */
export function hexDigest(name: string, canonical: string): string {
  const { digest, byteLength } = ALGORITHMS.get(name)!;
  const result = checked(name, digest(asciiBytes(canonical)));
  if (result.length !== byteLength)
    throw new TypeError(
      `the digest of ${name} has ${result.length} bytes, but had ${byteLength} when it was registered`,
    );
  return hexOfBytes(result);
}

function checked(name: string, result: Uint8Array): Uint8Array {
  if (mustBeBytes(`the digest of ${name}`, result).length > 0) return result;
  throw new TypeError(`the digest of ${name} must be a Uint8Array with bytes in it`);
}
