import { mustBeUrl } from '../argument.ts';
import { compiledOptions, compiledOptionsIfUrl } from './compiled-options.ts';
import { UrlError } from './error.ts';
import { Failure, failure } from './failure.ts';
import { FULL_FORM, type Options, type UrlForm } from './options.ts';
import { parseUrl } from './parser.ts';
import { isProven } from './proven.ts';
import { serialize, type UrlRecord } from './record.ts';

/**
 * The WHATWG serialization of a URL: ASCII, and the same on every runtime.
 *
 * @param url a string or a `URL`
 * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
 * @returns the canonical form; by default all of it, the fragment included
 * @throws {UrlError} where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @see https://url.spec.whatwg.org/#concept-url-serializer, in the version PROFILE names
 * @example
 * canonicalize('HTTP://Example.com:80/a/../b?q#top'); //=> 'http://example.com/b?q#top'
 * canonicalize('../b#top', { base: 'http://example.com/a/', excludeFragment: true }); //=> 'http://example.com/b'
 */
export function canonicalize(url: string | URL, options?: Options): string {
  const input = mustBeUrl('url', url);
  const { base, form } = compiledOptions(options);
  const canonical = canonicalForm(input, base, form);
  if (typeof canonical === 'string') return canonical;
  throw UrlError.from(input, canonical);
}

/**
 * The WHATWG serialization of a URL, or null where `canonicalize` throws a UrlError.
 *
 * @param url a string or a `URL`
 * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
 * @returns what `canonicalize` returns; null where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @example
 * tryCanonicalize('not a url'); //=> null
 */
export function tryCanonicalize(url: string | URL, options?: Options): string | null {
  const input = mustBeUrl('url', url);
  const compiled = compiledOptionsIfUrl(options);
  if (compiled === undefined) return null;
  const canonical = canonicalForm(input, compiled.base, compiled.form);
  return typeof canonical === 'string' ? canonical : null;
}

/** Returns the canonical form, or why there is none; calls `onUnicodeHost` if it comes from a host beyond ASCII. */
export function canonicalForm(
  url: string,
  base?: UrlRecord,
  form: UrlForm = FULL_FORM,
  onUnicodeHost?: () => unknown,
): string | Failure {
  const serialized = serialization(url, base, form, onUnicodeHost);
  return typeof serialized === 'string' ? withRules(serialized, form) : serialized;
}

/** Applies the rules of `form` to a full canonical form. */
export function withRules(serialized: string, { rules }: UrlForm): string {
  return rules?.applyToText(serialized) ?? serialized;
}

function serialization(
  url: string,
  base: UrlRecord | undefined,
  { excludeFragment, unicode }: UrlForm,
  onUnicodeHost: (() => unknown) | undefined,
): string | Failure {
  if (isProven(url)) return excludeFragment ? withoutFragment(url) : url;
  try {
    const record = parseUrl(url, base, unicode);
    if (record instanceof Failure) return record;
    if (record.hasUnicodeHost) onUnicodeHost?.();
    return serialize(record, excludeFragment);
  } catch (error) {
    if (error instanceof RangeError) return failure('length-limit'); // a string that became too long
    throw error;
  }
}

function withoutFragment(canonical: string): string {
  const start = canonical.indexOf('#');
  return start === -1 ? canonical : canonical.slice(0, start);
}
