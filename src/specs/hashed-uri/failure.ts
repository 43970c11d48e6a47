import { UrlsumError } from '../../core/error.ts';
import { quote } from '../../core/quote.ts';
import { Failure } from '../../core/url/failure.ts';

/** The reason why a text is not a URI or a hashed URI, or a name not that of an algorithm. */
export type HashedUriReason =
  | 'scheme-missing'
  | 'scheme-malformed'
  | 'character-excluded'
  | 'escape-malformed'
  | 'ipv6-malformed'
  | 'base-opaque'
  | 'not-hashed'
  | 'algorithm-malformed'
  | 'algorithm-unregistered'
  | 'value-malformed'
  | 'flag-unknown';

/** The part of the text in which the failure lies. */
export type HashedUriPlace = 'scheme' | 'character' | 'escape' | 'host' | 'base' | 'algorithm' | 'value' | 'flag';

const FAILURES: Readonly<Record<HashedUriReason, readonly [place: HashedUriPlace, sentence: string]>> = {
  'scheme-missing': ['scheme', 'it is relative and no base URI makes it absolute'],
  'scheme-malformed': ['scheme', 'what stands before the first colon is not a scheme (RFC 2396 section 3.1)'],
  'character-excluded': ['character', 'it holds a character that no URI may hold (RFC 2396 section 2.4.3)'],
  'escape-malformed': ['escape', 'a percent sign is not followed by two hex digits (RFC 2396 section 2.4.1)'],
  'ipv6-malformed': ['host', 'the brackets do not hold an IPv6 address (RFC 2732)'],
  'base-opaque': ['base', 'nothing but a fragment can be relative to an opaque URI'],
  'not-hashed': ['scheme', "it does not begin with 'hashed:'"],
  'algorithm-malformed': ['algorithm', "letters, digits, '.' and '-' must stand between 'hashed:' and '='"],
  'algorithm-unregistered': ['algorithm', 'neither the draft nor registerAlgorithm knows it'],
  'value-malformed': ['value', "nothing but hex digits may follow '='"],
  'flag-unknown': ['flag', "only '+frag' and '+query' may follow the value"],
};

export type UriFailure = Failure<HashedUriReason, HashedUriPlace>;

export function failure(reason: HashedUriReason, position?: number): UriFailure {
  return new Failure(reason, ...FAILURES[reason], position);
}

/** The input is not a URI, a hashed URI or the name of an algorithm; `place` says which part, `reason` why. */
export class HashedUriError extends UrlsumError<'ERR_INVALID_HASHED_URI', HashedUriReason, string, HashedUriPlace> {
  /** @internal */
  static override readonly name = 'HashedUriError';

  /** @internal */
  constructor(
    kind: 'URI' | 'hashed URI' | 'hash algorithm',
    input: string,
    { reason, place, sentence, position }: UriFailure,
  ) {
    const at = position === undefined ? '' : ` at ${position}`;
    super('ERR_INVALID_HASHED_URI', `not a ${kind}: ${quote(input)}: ${sentence} (${reason}${at})`, {
      input,
      reason,
      place,
      position,
    });
  }
}

/** Returns what was made of a URI. @throws {HashedUriError} where that is a failure */
export function mustBeUri<T>(input: string, made: T | UriFailure): T {
  if (made instanceof Failure) throw new HashedUriError('URI', input, made);
  return made;
}
