import { SENTENCES } from './sentences.ts';

/**
 * Why an input is not a URL: the standard's name for the validation error. `IDNA-limit` is ours, for a label of more
 * than 1000 UTF-16 units that Punycode would have to work on.
 *
 * @see https://url.spec.whatwg.org/#validation-error
 */
export type UrlReason =
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

/** The component of the URL in which a failure lies. */
export type UrlPlace = 'scheme' | 'host' | 'port';

/** @deprecated `UrlReason` is its name; gone in the next version */
export type FailureReason = UrlReason;

/** @deprecated `UrlPlace` is its name; gone in the next version */
export type FailurePlace = UrlPlace;

/** Why an input is not a URL. Inside the parser a failure is a value; only the border makes an exception of it. */
export class Failure {
  readonly reason: UrlReason;
  readonly place: UrlPlace;

  constructor(reason: UrlReason) {
    this.reason = reason;
    this.place = reason === 'missing-scheme-non-relative-URL' ? 'scheme' : reason.startsWith('port') ? 'port' : 'host';
  }

  get sentence(): string {
    return SENTENCES[this.reason];
  }
}

const made = new Map<UrlReason, Failure>();

/** The one Failure of this reason: a corpus of bad lines allocates nothing per line. */
export function failure(reason: UrlReason): Failure {
  let known = made.get(reason);
  if (known === undefined) made.set(reason, (known = new Failure(reason)));
  return known;
}
