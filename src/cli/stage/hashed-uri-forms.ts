import { decodeLine } from '../../bytes/utf8.ts';
import { hexDigest } from '../../hashed-uri/algorithm.ts';
import { canonicalizer } from '../../hashed-uri/canonicalize.ts';
import { Failure, HashedUriError } from '../../hashed-uri/error.ts';
import { HashedUri } from '../../hashed-uri/hashed-uri.ts';
import type { CanonicalizeOptions } from '../../hashed-uri/options.ts';
import type { HashedUriSet } from '../../hashed-uri/set.ts';
import type { Form } from './texts.ts';

/** The text that a hashed URI is the hash of. */
export function canonicalUriForm(options: CanonicalizeOptions): Form {
  const canonicalFormOf = canonicalizer(options);
  return (value) => {
    const uri = decodeLine(value);
    const form = canonicalFormOf(uri);
    return form instanceof Failure ? new HashedUriError('URI', uri, form) : form.text;
  };
}

export function hashedUriForm(options: CanonicalizeOptions, algorithm: string): Form {
  const canonicalFormOf = canonicalizer(options);
  return (value) => {
    const uri = decodeLine(value);
    const form = canonicalFormOf(uri);
    if (form instanceof Failure) return new HashedUriError('URI', uri, form);
    return new HashedUri(algorithm, hexDigest(algorithm, form.text), form.keep).toString();
  };
}

/**
 * Whether a URI is in a list; where part of the list cannot be compared, the lack of a match proves nothing. `count`
 * sums up matches.
 */
export function matchForm(list: HashedUriSet, withUri: boolean): Form {
  const noMatch = list.unsupported.length > 0 ? 'unsupported' : 'no-match';
  return (value, counts) => {
    const uri = decodeLine(value);
    const found = list.findMatching(uri);
    if (found instanceof Failure) return new HashedUriError('URI', uri, found);
    const verdict = found.length > 0 ? 'match' : noMatch;
    if (found.length > 0) counts['matched'] = (counts['matched'] ?? 0) + 1;
    return withUri ? `${verdict}  ${uri}` : verdict;
  };
}
