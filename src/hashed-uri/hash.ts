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

export interface HashOptions extends CanonicalizeOptions {
  /** 'md5', 'sha1', or a registered name that begins with 'x-'. */
  readonly algorithm: string;
}

/**
 * The hashed URI of a URI; its flags say what was retained, so a part that was to be kept and is not there has
 * none.
 *
 * It hides a URI only from who cannot guess it: hashing every likely URI once finds all that are in a list
 * (section 6). And md5 and sha1 are broken for collisions: a URI can be made to match another's hash where
 * one side writes both.
 *
 * @throws {HashedUriError} where `uri` or `base` is not a URI, or the algorithm is neither the draft's nor registered
 * @throws {RangeError} on an option, or a value of one, that there is not
 * @see draft-feather-hashed-uri-03, section 4.3
 * @example
 * hash('http://www.thus.net#end', { variant: 'N', algorithm: 'sha1', keep: ['frag'] }).toString();
 * //=> 'hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag'
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
