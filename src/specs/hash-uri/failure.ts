import { UrlsumError } from '../../core/error.ts';
import { quote } from '../../core/quote.ts';

/** The reason why a text is not a hash-URI, or not the kind of one that was asked for. */
export type HashUriReason =
  | 'not-a-hash-uri'
  | 'module-unsupported'
  | 'module-without-bytes'
  | 'hash-malformed'
  | 'not-ni'
  | 'check-digit'
  | 'algorithm-unsupported';

/** The part of the text in which the failure lies. */
export type HashUriPlace = 'code' | 'module' | 'hash' | 'scheme' | 'algorithm';

const FAILURES: Readonly<Record<HashUriReason, readonly [place: HashUriPlace, sentence: string]>> = {
  'not-a-hash-uri': ['code', 'it does not end in 25 Base64 characters'],
  'module-unsupported': ['module', 'its module is not one that this entry verifies'],
  'module-without-bytes': ['module', 'only the digest of module FA is one of bytes'],
  'hash-malformed': ['hash', 'the hash part is not the Base64 spelling of 32 bytes'],
  'not-ni': ['scheme', "it is not of the form 'ni://authority/algorithm;value', '/.well-known/ni/…' or 'nih:…'"],
  'check-digit': ['hash', 'the check digit is not that of the value'],
  'algorithm-unsupported': ['algorithm', 'only sha-256, not truncated, is what module FA computes'],
};

/** The input breaks its specification; `place` says in which part, `reason` how. */
export class HashUriError extends UrlsumError<'ERR_INVALID_HASH_URI', HashUriReason, string, HashUriPlace> {
  /** @internal */
  static override readonly name = 'HashUriError';

  /** @internal */
  constructor(
    kind: 'hash-URI' | 'hash-URI of this entry' | 'hash-URI of bytes' | 'ni: URI of bytes',
    input: string,
    reason: HashUriReason,
  ) {
    const [place, sentence] = FAILURES[reason];
    super('ERR_INVALID_HASH_URI', `not a ${kind}: ${quote(input)}: ${sentence} (${reason})`, { input, reason, place });
  }
}
