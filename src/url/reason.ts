/**
 * Why an input is not a URL: the standard's name for the validation error. `IDNA-limit` is ours, for a label of more
 * than 1000 UTF-16 units that Punycode would have to work on, and so is `length-limit`, for a URL that is longer than a
 * string of the runtime can be, or would be in its canonical form.
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
  | 'port-out-of-range'
  | 'length-limit';

/** The component of the URL in which a failure lies. */
export type UrlPlace = 'scheme' | 'host' | 'port';
