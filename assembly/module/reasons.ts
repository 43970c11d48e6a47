/** Why a text is not a URL: the names of src/core/url/failure.ts, in its order. The number of the first is 1. */
export const REASONS: string[] = [
  'missing-scheme-non-relative-URL', 'host-missing', 'host-invalid-code-point', 'domain-to-ASCII',
  'domain-invalid-code-point', 'IDNA-limit', 'IPv4-too-many-parts', 'IPv4-non-numeric-part', 'IPv4-out-of-range-part',
  'IPv6-unclosed', 'IPv6-invalid-compression', 'IPv6-too-many-pieces', 'IPv6-multiple-compression',
  'IPv6-invalid-code-point', 'IPv6-too-few-pieces', 'IPv4-in-IPv6-too-many-pieces',
  'IPv4-in-IPv6-invalid-code-point', 'IPv4-in-IPv6-out-of-range-part', 'IPv4-in-IPv6-too-few-parts', 'port-invalid',
  'port-out-of-range', 'length-limit',
];

export const LENGTH_LIMIT: u32 = 22;

/** The reason of a URL without a value of the kind that is asked for. */
export const NO_VALUE: u32 = 255;

export function reasonNumber(name: string): u32 {
  return REASONS.indexOf(name) + 1;
}
