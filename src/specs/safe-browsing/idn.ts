import { Failure } from '../../core/url/failure.ts';
import { unicodeToAscii } from '../../core/url/idna.ts';
import type { UnicodeVersion } from '../../core/url/unicode.ts';

/**
 * The version of Unicode in every 1.x: these specifications escape what it refuses, so that a host may have another form
 * under another version, and the lists that have it would miss it.
 */
export const SAFE_BROWSING_UNICODE: UnicodeVersion = 17;

/** A domain with one of these would end, or be cut, elsewhere when its canonical form is read again. */
const DELIMITER = /[#%/:?@[\\\]]/;

let decoder: TextDecoder | undefined;

/**
 * Returns the Punycode form of a host with bytes >= 0x80, by UTS #46 (non-transitional, as in browsers), or undefined
 * if the bytes are not an internationalized domain name: they are then escaped like any others.
 */
export function punycodeOf(bytes: Uint8Array): string | undefined {
  const domain = utf8Text(bytes);
  const ascii = domain === undefined ? undefined : unicodeToAscii(domain, SAFE_BROWSING_UNICODE);
  return ascii === undefined || ascii instanceof Failure || DELIMITER.test(ascii) ? undefined : ascii;
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return (decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })).decode(bytes);
  } catch (error) {
    if (Object(error).name === 'TypeError') return undefined; // not UTF-8; in Jest another realm's TypeError
    throw error;
  }
}
