import { decodeLine } from '../../core/bytes/text.ts';
import { Failure } from '../../core/url/failure.ts';
import { canonicalizer } from '../../specs/hashed-uri/canonical-form.ts';
import { HashedUriError, type UriFailure } from '../../specs/hashed-uri/error.ts';
import { type HashedUri, type HashOptions, hasher, parseHashed } from '../../specs/hashed-uri/hashed-uri.ts';
import type { VariantOptions } from '../../specs/hashed-uri/reference.ts';
import type { HashedUriSet } from '../../specs/hashed-uri/set.ts';
import { addTo } from './results.ts';
import type { Form } from './texts.ts';

/** Makes the text that a hashed URI is the hash of. */
export function canonicalUriForm(options: VariantOptions): Form {
  const canonicalFormOf = canonicalizer(options);
  return formOfUris((uri) => {
    const form = canonicalFormOf(uri);
    return form instanceof Failure ? form : form.text;
  });
}

export function hashedUriForm(options: HashOptions): Form {
  return formOfUris(hasher(options));
}

/**
 * Tells whether a URI is in a list. If part of the list cannot be compared, the lack of a match proves nothing. Matches
 * are counted.
 */
export function matchForm(list: HashedUriSet, withUri: boolean): Form {
  const noMatch = list.unsupported.length > 0 ? 'unsupported' : 'no-match';
  return formOfUris((uri, counts) => {
    const found = list.findMatching(uri);
    if (found instanceof Failure) return found;
    const verdict = found.length > 0 ? 'match' : noMatch;
    if (found.length > 0) addTo(counts, 'matched');
    return withUri ? `${verdict}  ${uri}` : verdict;
  });
}

/** `resultOf` returns a text, a value with a text, or a failure. */
function formOfUris(resultOf: (uri: string, counts: Record<string, number>) => string | HashedUri | UriFailure): Form {
  return (value, counts) => {
    const uri = decodeLine(value);
    const result = resultOf(uri, counts);
    return result instanceof Failure ? new HashedUriError('URI', uri, result) : String(result);
  };
}

/** Adds each hashed URI to a list. The texts are of no use. */
export function addingForm(list: HashedUriSet): Form {
  return (value) => {
    const line = decodeLine(value);
    const hashed = parseHashed(line);
    if (hashed instanceof Failure) return new HashedUriError('hashed URI', line, hashed);
    list.add(hashed);
    return '';
  };
}
