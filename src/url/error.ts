import type { Failure, FailurePlace, FailureReason } from './failure.ts';

const QUOTED_LENGTH = 200;

/** The input is no URL. `reason` is the name of the standard's validation error, `place` the part it lies in. */
export class UrlError extends TypeError {
  readonly code = 'ERR_INVALID_URL';
  readonly input: string;
  readonly reason: FailureReason;
  readonly place: FailurePlace;

  constructor(input: string, failure: Failure) {
    super(`not a URL: ${quote(input)}: ${failure.sentence} (${failure.reason})`);
    this.name = 'UrlError';
    this.input = input;
    this.reason = failure.reason;
    this.place = failure.place;
  }
}

/** In JSON's escapes, cut where a message would drown in it; `input` keeps the whole. */
export function quote(input: string): string {
  return input.length <= QUOTED_LENGTH ? JSON.stringify(input) : `${JSON.stringify(input.slice(0, QUOTED_LENGTH))}…`;
}
