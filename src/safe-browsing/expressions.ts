import { asciiText } from './bytes.ts';
import { SafeBrowsingUrlError } from './error.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { InputBytes, type UrlInput } from './input.ts';
import { Lookup } from './lookup.ts';
import { type ExpressionOptions, type Settings, settingsOf } from './settings.ts';

/**
 * The host-suffix path-prefix expressions of a URL, ASCII, each once, in the page's order: at most 30, or in
 * mode `union` those of the page's reading and then what a browser's adds, at most 60.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page, the mode, and whether private suffixes count
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see https://developers.google.com/safe-browsing/reference/URLs.and.Hashing#suffixprefix-expressions
 * @example
 * expressions('http://a.example.com/b?c');
 * //=> ['a.example.com/b?c', 'a.example.com/b', 'a.example.com/',
 * //    'example.com/b?c', 'example.com/b', 'example.com/']
 */
export function expressions(url: UrlInput, options: ExpressionOptions = {}): string[] {
  const list = expressionList(url, settingsOf(options));
  if (Array.isArray(list)) return list;
  throw new SafeBrowsingUrlError(url, list);
}

let shared: { input: InputBytes; lookup: Lookup } | undefined;

/** The same with the failure as a value. */
export function expressionList(input: UrlInput, settings: Settings): string[] | SafeBrowsingFailure {
  shared ??= { input: new InputBytes(), lookup: new Lookup() };
  if (!shared.input.set(input)) return failure('input-type');
  const { bytes, start, end } = shared.input;
  const { lookup } = shared;
  const failed = lookup.run(bytes, start, end, settings);
  if (failed !== undefined) return failed;
  return lookup.urls.slice(0, lookup.count).flatMap((url, index) => {
    const { starts, ends, count } = lookup.spans[index]!;
    const text = asciiText(url.bytes, url.hostStart, url.end);
    return Array.from({ length: count }, (_, at) => text.slice(starts[at]! - url.hostStart, ends[at]! - url.hostStart));
  });
}
