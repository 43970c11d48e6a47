import { quote } from '../url/error.ts';

export const FAILURES = {
  'not-a-hash-uri': ['code', 'it does not end in 25 Base64 characters'],
  'module-without-bytes': ['module', 'only the digest of module FA is one of bytes'],
  'hash-malformed': ['hash', 'the hash part is not the Base64 spelling of 32 bytes'],
  'not-ni': ['scheme', "it is not of the form 'ni://authority/algorithm;value'"],
  'algorithm-unsupported': ['algorithm', 'only sha-256, not truncated, is what module FA computes'],
} as const;

export type FailureReason = keyof typeof FAILURES;
export type FailurePlace = (typeof FAILURES)[FailureReason][0];

/** The input is not what its kind asks for; `place` says which part of it, `reason` why. */
export class HashUriError extends TypeError {
  /** @internal */
  static override readonly name = 'HashUriError';
  readonly code = 'ERR_INVALID_HASH_URI';
  readonly input: string;
  readonly reason: FailureReason;
  readonly place: FailurePlace;

  constructor(kind: 'hash-URI' | 'hash-URI of bytes' | 'ni: URI of bytes', input: string, reason: FailureReason) {
    const [place, sentence] = FAILURES[reason];
    super(`not a ${kind}: ${quote(input)}: ${sentence} (${reason})`);
    this.name = 'HashUriError';
    this.input = input;
    this.reason = reason;
    this.place = place;
  }
}
