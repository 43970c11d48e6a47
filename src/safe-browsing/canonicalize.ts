import { asciiText } from './bytes.ts';
import { CanonicalUrl } from './canonical-url.ts';
import { Canonicalizer } from './canonicalizer.ts';
import { SafeBrowsingUrlError } from './error.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { InputBytes, type UrlInput } from './input.ts';
import { type CanonicalizeOptions, type Reading, readingOf } from './settings.ts';

/**
 * The canonical form of the Web Risk page "Hashing URLs" or of Safe Browsing v5's "URLs and Hashing": ASCII,
 * without userinfo, port and fragment, every byte <= 0x20 or >= 0x7F, `#` and `%` escaped in upper case.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page and the mode
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see https://cloud.google.com/web-risk/docs/urls-hashing#canonicalization
 * @see https://developers.google.com/safe-browsing/reference/URLs.and.Hashing#canonicalization
 * @example
 * canonicalize('http://%31%36%38%2e188.99.26/%2E%73ecure/'); //=> 'http://168.188.99.26/.secure/'
 */
export function canonicalize(url: UrlInput, options: CanonicalizeOptions = {}): string {
  const canonical = canonicalForm(url, readingOf(options));
  if (typeof canonical === 'string') return canonical;
  throw new SafeBrowsingUrlError(url, canonical);
}

let shared: { input: InputBytes; url: CanonicalUrl; canonicalizer: Canonicalizer } | undefined;

/** The same with the failure as a value. */
export function canonicalForm(input: UrlInput, reading: Reading): string | SafeBrowsingFailure {
  shared ??= { input: new InputBytes(), url: new CanonicalUrl(), canonicalizer: new Canonicalizer() };
  if (!shared.input.set(input)) return failure('input-type');
  const { bytes, start, end } = shared.input;
  const failed = shared.canonicalizer.run(bytes, start, end, reading, shared.url);
  return failed ?? asciiText(shared.url.bytes, shared.url.start, shared.url.end);
}
