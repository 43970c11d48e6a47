import { Failure, failure } from './failure.ts';

// Bundled, and loaded when the first non-ASCII domain comes: its tables are most of this package's size.
declare function require(name: 'tr46'): {
  toASCII(domain: string, options: Readonly<Record<string, boolean>>): string | null;
};

// https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false
const OPTIONS = {
  checkHyphens: false,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
  verifyDNSLength: false,
  ignoreInvalidPunycode: false,
} as const;

/** UTS #46 ToASCII of a domain that holds a non-ASCII character, with the Unicode version PROFILE names. */
export function unicodeToAscii(domain: string): string | Failure {
  const { toASCII } = require('tr46');
  const ascii = toASCII(domain, OPTIONS);
  return ascii === null || ascii === '' ? failure('domain-to-ASCII') : ascii;
}
