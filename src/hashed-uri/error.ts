import { quote } from '../url/error.ts';
import type { Failure, FailurePlace, FailureReason } from './failure.ts';

/** The input is not a URI, a hashed URI or the name of an algorithm; `place` says which part, `reason` why. */
export class HashedUriError extends TypeError {
  /** @internal */
  static override readonly name = 'HashedUriError';
  readonly code = 'ERR_INVALID_HASHED_URI';
  readonly input: string;
  readonly reason: FailureReason;
  readonly place: FailurePlace;
  /** The UTF-16 unit of `input` the failure lies at, where it lies at one. */
  readonly position: number | undefined;

  constructor(kind: 'URI' | 'hashed URI' | 'hash algorithm', input: string, failure: Failure) {
    const at = failure.position === undefined ? '' : ` at ${failure.position}`;
    super(`not a ${kind}: ${quote(input)}: ${failure.sentence} (${failure.reason}${at})`);
    this.name = 'HashedUriError';
    this.input = input;
    this.reason = failure.reason;
    this.place = failure.place;
    this.position = failure.position;
  }
}
