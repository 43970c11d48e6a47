import { UrlsumError } from '../error.ts';
import { quote } from '../url/error.ts';
import type { Failure, HashedUriPlace, HashedUriReason } from './failure.ts';

/** The input is not a URI, a hashed URI or the name of an algorithm; `place` says which part, `reason` why. */
export class HashedUriError extends UrlsumError {
  /** @internal */
  static override readonly name = 'HashedUriError';
  /** @internal */
  static readonly code = 'ERR_INVALID_HASHED_URI';
  /** The same for every such error. */
  readonly code = 'ERR_INVALID_HASHED_URI';
  /** What was refused, whole. */
  override readonly input: string;
  /** Why. */
  readonly reason: HashedUriReason;
  /** In which part of the input. */
  override readonly place: HashedUriPlace;
  /** The UTF-16 unit of `input` the failure lies at, where it lies at one. */
  override readonly position: number | undefined;

  /** @internal */
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
