import { mustBeOptions, mustBeString } from '../argument.ts';
import { asciiBytes } from '../bytes/ascii.ts';
import { asciiLowercase } from '../bytes/code-points.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { algorithmNamed, digestOf } from './algorithm.ts';
import { canonicalFormOf } from './canonicalize.ts';
import { HashedUriError } from './error.ts';
import { Failure } from './failure.ts';
import { HashedUri } from './hashed-uri.ts';
import type { CanonicalizeOptions } from './options.ts';

/** What `hash` takes. */
export interface HashOptions extends CanonicalizeOptions {
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
 * @param uri a URI of RFC 2396, absolute unless there is a base
 * @param options those of `canonicalize`, and the algorithm
 * @returns the hashed URI; `toString` gives its text
 * @throws {HashedUriError} where `uri` or `base` is not a URI, or the algorithm is neither the draft's nor registered
 * @throws {TypeError} on a URI or options of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see draft-feather-hashed-uri-03, section 4.3
 * @example
 * hash('http://a/', { variant: 'N', algorithm: 'md5' }).toString(); //=> 'hashed:md5=d2e30d023bacb13655cf2f69855ddd49'
 */
export function hash(uri: string, options: HashOptions): HashedUri {
  mustBeOptions('options', options, ['algorithm', 'variant', 'keep', 'base', 'readings']);
  const { algorithm, ...canonicalizeOptions } = options;
  const name = asciiLowercase(mustBeString('algorithm', algorithm));
  if (algorithmNamed(name) === undefined)
    throw new HashedUriError('hash algorithm', algorithm, new Failure('algorithm-unregistered'));
  const { text, keep } = canonicalFormOf(uri, canonicalizeOptions);
  return new HashedUri(name, hexDigest(name, text), keep);
}

/** The digest of a canonical form, which is ASCII, by an algorithm that is known. */
export function hexDigest(algorithm: string, canonical: string): string {
  const digest = digestOf(algorithm, algorithmNamed(algorithm)!, asciiBytes(canonical));
  return hexOfBytes(digest, 0, digest.length);
}
