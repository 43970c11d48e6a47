import { sentenceOf } from '#sentences';

/** The standard's names for what fails; `IDNA-limit` is ours (idna.ts). https://url.spec.whatwg.org/#validation-error */
export type FailureReason =
  | 'missing-scheme-non-relative-URL'
  | 'host-missing'
  | 'host-invalid-code-point'
  | 'domain-to-ASCII'
  | 'domain-invalid-code-point'
  | 'IDNA-limit'
  | 'IPv4-too-many-parts'
  | 'IPv4-non-numeric-part'
  | 'IPv4-out-of-range-part'
  | 'IPv6-unclosed'
  | 'IPv6-invalid-compression'
  | 'IPv6-too-many-pieces'
  | 'IPv6-multiple-compression'
  | 'IPv6-invalid-code-point'
  | 'IPv6-too-few-pieces'
  | 'IPv4-in-IPv6-too-many-pieces'
  | 'IPv4-in-IPv6-invalid-code-point'
  | 'IPv4-in-IPv6-out-of-range-part'
  | 'IPv4-in-IPv6-too-few-parts'
  | 'port-invalid'
  | 'port-out-of-range';
export type FailurePlace = 'scheme' | 'host' | 'port';

/** Why an input is no URL. Inside the parser a failure is a value; only the border makes an exception of it. */
export class Failure {
  readonly reason: FailureReason;
  readonly place: FailurePlace;

  constructor(reason: FailureReason) {
    this.reason = reason;
    this.place = reason === 'missing-scheme-non-relative-URL' ? 'scheme' : reason.startsWith('port') ? 'port' : 'host';
  }

  get sentence(): string {
    return sentenceOf(this.reason);
  }
}

const made = new Map<FailureReason, Failure>();

/** The one Failure of this reason: a corpus of bad lines allocates nothing a line. */
export function failure(reason: FailureReason): Failure {
  let known = made.get(reason);
  if (known === undefined) made.set(reason, (known = new Failure(reason)));
  return known;
}
