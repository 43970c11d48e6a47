import { type Failure, failure } from './failure.ts';
import { FORBIDDEN_DOMAIN } from './forbidden.ts';

/** Instead of tables of our own, for `urlsum/slim`: PROFILE says that the host's Unicode version decides. */
export const UNICODE = 'host-unicode';

/**
 * UTS #46 ToASCII of a domain that holds a non-ASCII character, by the host's own `URL`, which takes a forbidden
 * code point for the end of the domain: those fail first.
 */
export function unicodeToAscii(domain: string): string | Failure {
  if (FORBIDDEN_DOMAIN.test(domain)) return failure('domain-invalid-code-point');
  try {
    return new URL(`https://${domain}/`).hostname;
  } catch {
    return failure('domain-to-ASCII');
  }
}
