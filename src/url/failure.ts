import { SENTENCES } from './sentences.ts';

/** The standard's names for what fails; `IDNA-limit` is ours (idna.ts). https://url.spec.whatwg.org/#validation-error */
export type FailureReason = keyof typeof SENTENCES;

export type FailurePlace = 'scheme' | 'host' | 'port';

/** Why an input is not a URL. Inside the parser a failure is a value; only the border makes an exception of it. */
export class Failure {
  readonly reason: FailureReason;
  readonly place: FailurePlace;

  constructor(reason: FailureReason) {
    this.reason = reason;
    this.place = reason === 'missing-scheme-non-relative-URL' ? 'scheme' : reason.startsWith('port') ? 'port' : 'host';
  }

  get sentence(): string {
    return SENTENCES[this.reason];
  }
}

const made = new Map<FailureReason, Failure>();

/** The one Failure of this reason: a corpus of bad lines allocates nothing a line. */
export function failure(reason: FailureReason): Failure {
  let known = made.get(reason);
  if (known === undefined) made.set(reason, (known = new Failure(reason)));
  return known;
}
