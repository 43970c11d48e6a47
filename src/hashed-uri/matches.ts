import type { HashedUri } from './hashed-uri.ts';
import { HashedUriSet, type MatchOptions } from './set.ts';

/**
 * Is `candidate` the URI that `hashed` was made from? The flags say what of it is retained.
 *
 * @param candidate a URI of RFC 2396, absolute unless there is a base
 * @param hashed a hashed URI, or its text
 * @param options the variant it was made by, the base, and how what the draft leaves open is read
 * @returns 'unsupported' where the hashed URI has `problems`, so that whether it matches cannot be told
 * @throws {HashedUriError} where `candidate` or `base` is not a URI, or `hashed` is not a hashed URI
 * @throws {TypeError} on an argument of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * matches('HTTP://www.Thus.net', 'hashed:md5=be96302a0468481aca954431cf293e05', { variant: 'N' }); //=> 'match'
 */
export function matches(
  candidate: string,
  hashed: HashedUri | string,
  options: MatchOptions,
): 'match' | 'no-match' | 'unsupported' {
  const set = new HashedUriSet([hashed], options);
  const isMatch = set.has(candidate);
  if (set.unsupported.length > 0) return 'unsupported';
  return isMatch ? 'match' : 'no-match';
}
