import { isBytes } from '../argument.ts';
import { quote } from '../url/error.ts';
import type { SafeBrowsingFailure, SafeBrowsingPlace, SafeBrowsingReason } from './failure.ts';
import type { UrlInput } from './input.ts';

/** The input has no host to look up. `reason` says why, `place` in which part, `input` is as it was given. */
export class SafeBrowsingUrlError extends TypeError {
  /** @internal */
  static override readonly name = 'SafeBrowsingUrlError';
  /** As the URL parser's own. */
  readonly code = 'ERR_INVALID_URL';
  /** What was given: a string, or bytes. */
  readonly input: UrlInput;
  /** Why. */
  readonly reason: SafeBrowsingReason;
  /** In which part of the input. */
  readonly place: SafeBrowsingPlace;

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
