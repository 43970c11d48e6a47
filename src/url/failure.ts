/**
 * Why an input is no URL. Inside the parser a failure is a value; only the border makes an exception of it.
 *
 * The names are the standard's validation errors (https://url.spec.whatwg.org/#validation-error) wherever
 * it has one that returns failure; `IDNA-limit` is ours (see idna.ts).
 */
const FAILURES = {
  'missing-scheme-non-relative-URL': ['scheme', 'it has no scheme and no base URL makes it absolute'],
  'host-missing': ['host', 'the host is empty'],
  'host-invalid-code-point': ['host', 'the host holds a forbidden code point'],
  'domain-to-ASCII': ['host', 'the domain has no ASCII form under UTS #46'],
  'domain-invalid-code-point': ['host', 'the domain holds a forbidden code point'],
  'IDNA-limit': ['host', 'a label with non-ASCII characters is longer than 1000'],
  'IPv4-too-many-parts': ['host', 'the IPv4 address has more than four parts'],
  'IPv4-non-numeric-part': ['host', 'the host ends in a number and one of its parts is not a number'],
  'IPv4-out-of-range-part': ['host', 'a part of the IPv4 address is out of range'],
  'IPv6-unclosed': ['host', 'the IPv6 address lacks its closing bracket'],
  'IPv6-invalid-compression': ['host', 'the IPv6 address begins with a single colon'],
  'IPv6-too-many-pieces': ['host', 'the IPv6 address has more than eight pieces'],
  'IPv6-multiple-compression': ['host', 'the IPv6 address is compressed in two places'],
  'IPv6-invalid-code-point': ['host', 'the IPv6 address holds a code point that is no hex digit or colon'],
  'IPv6-too-few-pieces': ['host', 'the IPv6 address has fewer than eight pieces'],
  'IPv4-in-IPv6-too-many-pieces': ['host', 'the IPv6 address has no room for its IPv4 part'],
  'IPv4-in-IPv6-invalid-code-point': ['host', 'the IPv4 part of the IPv6 address is malformed'],
  'IPv4-in-IPv6-out-of-range-part': ['host', 'a part of the IPv4 address in the IPv6 address is over 255'],
  'IPv4-in-IPv6-too-few-parts': ['host', 'the IPv4 part of the IPv6 address has fewer than four parts'],
  'port-invalid': ['port', 'the port is not a number'],
  'port-out-of-range': ['port', 'the port is over 65535'],
} as const;

export type FailureReason = keyof typeof FAILURES;
export type FailurePlace = 'scheme' | 'host' | 'port';

export class Failure {
  readonly reason: FailureReason;
  readonly place: FailurePlace;
  readonly sentence: string;

  constructor(reason: FailureReason) {
    this.reason = reason;
    [this.place, this.sentence] = FAILURES[reason];
  }
}

const made = new Map<FailureReason, Failure>();

/** The one Failure of this reason: a corpus of bad lines allocates nothing a line. */
export function failure(reason: FailureReason): Failure {
  let known = made.get(reason);
  if (known === undefined) made.set(reason, (known = new Failure(reason)));
  return known;
}
