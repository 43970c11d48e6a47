import { asciiText } from './bytes.ts';
import { SafeBrowsingUrlError } from './error.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { type Input, InputBytes } from './input.ts';
import { Lookup } from './lookup.ts';
import { type ExpressionOptions, type Settings, settingsOf } from './settings.ts';

/**
 * The host-suffix path-prefix expressions of a URL, ASCII, each once, in the page's order: at most 30, or in
 * mode `union` those of the page's reading and then what a browser's adds, at most 60.
 *
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {RangeError} on an option there is not
 * @example
 * expressions('http://a.example.com/b?c');
 * //=> ['a.example.com/b?c', 'a.example.com/b', 'a.example.com/',
 * //    'example.com/b?c', 'example.com/b', 'example.com/']
 */
export function expressions(url: Input, options: ExpressionOptions = {}): string[] {
  const list = expressionList(url, settingsOf(options));
  if (Array.isArray(list)) return list;
  throw new SafeBrowsingUrlError(url, list);
}

let shared: { input: InputBytes; lookup: Lookup } | undefined;

/** The same with the failure as a value. */
export function expressionList(input: Input, settings: Settings): string[] | SafeBrowsingFailure {
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
