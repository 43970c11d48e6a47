import { isBytes } from '../argument.ts';
import { UrlsumError } from '../error.ts';
import { quote } from '../url/error.ts';
import type { SafeBrowsingFailure, SafeBrowsingReason } from './failure.ts';
import type { UrlInput } from './input.ts';

/** The input has no host to look up. `reason` says why, `place` in which part, `input` is as it was given. */
export class SafeBrowsingUrlError extends UrlsumError {
  /** @internal */
  static override readonly name = 'SafeBrowsingUrlError';
  /** @internal */
  static readonly code = 'ERR_INVALID_SAFE_BROWSING_URL';
  /** The same for every such error. */
  readonly code = 'ERR_INVALID_SAFE_BROWSING_URL';
  /** What was given: a string, or bytes. */
  override readonly input: UrlInput;
  /** A machine-readable reason. */
  readonly reason: SafeBrowsingReason;
  /** The part of the input in which the failure lies. */
  override readonly place: 'input' | 'scheme' | 'host' | 'port';

  /** @internal */
  constructor(input: UrlInput, failure: SafeBrowsingFailure) {
    super(`nothing to look up: ${quote(textOf(input))}: ${failure.sentence} (${failure.reason})`);
    this.name = 'SafeBrowsingUrlError';
    this.input = input;
    this.reason = failure.reason;
    this.place = failure.place;
  }
}

function textOf(input: UrlInput): string {
  return isBytes(input) ? new TextDecoder().decode(input) : String(input);
}
