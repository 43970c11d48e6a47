import { md5, sha1 } from '@noble/hashes/legacy.js';
import { mustBeBytes, mustBeString, wrongKind } from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { asciiBytes } from '../../core/bytes/text.ts';

type Digest = (bytes: Uint8Array) => Uint8Array;

interface Algorithm {
  readonly digest: Digest;
  readonly byteLength: number;
}

/** Section 4.2: the registry, and what registerAlgorithm adds to it. */
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
    throw new RangeError(`a private algorithm is named x- and letters, digits, '.', '-', not ${JSON.stringify(name)}`);
  if (typeof digest !== 'function') throw wrongKind('digest', 'a function', digest);
  const known = ALGORITHMS.get(key);
  if (known !== undefined && known.digest !== digest) throw new RangeError(`${key} names another algorithm already`);
  ALGORITHMS.set(key, { digest, byteLength: checked(key, digest(new Uint8Array(0))).length });
}

/** Looks up an algorithm by its name in lower case. */
export function algorithmNamed(name: string): Algorithm | undefined {
  return ALGORITHMS.get(name);
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
    throw new TypeError(`${name} gave ${result.length} bytes, and ${byteLength} at its registration`);
  return hexOfBytes(result);
}

function checked(name: string, result: Uint8Array): Uint8Array {
  if (mustBeBytes(`the digest of ${name}`, result).length > 0) return result;
  throw new TypeError(`the digest of ${name} must be a Uint8Array with bytes in it`);
}
