import { isBytes } from '../argument.ts';
import { quote } from '../url/error.ts';
import type { SafeBrowsingFailure, SafeBrowsingPlace, SafeBrowsingReason } from './failure.ts';
import type { Input } from './input.ts';

/** The input has no host to look up. `reason` says why, `place` in which part, `input` is as it was given. */
export class SafeBrowsingUrlError extends TypeError {
  /** @internal */
  static override readonly name = 'SafeBrowsingUrlError';
  readonly code = 'ERR_INVALID_URL';
  readonly input: Input;
  readonly reason: SafeBrowsingReason;
  readonly place: SafeBrowsingPlace;

  constructor(input: Input, failure: SafeBrowsingFailure) {
    super(`nothing to look up: ${quote(textOf(input))}: ${failure.sentence} (${failure.reason})`);
    this.name = 'SafeBrowsingUrlError';
    this.input = input;
    this.reason = failure.reason;
    this.place = failure.place;
  }
}

function textOf(input: Input): string {
  return isBytes(input) ? new TextDecoder().decode(input) : String(input);
}
