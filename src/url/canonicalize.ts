import { toText, type UrlObject } from '../argument.ts';
import { UrlError } from './error.ts';
import { Failure, failure } from './failure.ts';
import { type CanonicalizeOptions, checkedForm, FULL_FORM, type UrlForm } from './options.ts';
import { parseUrl } from './parser.ts';
import { isProven } from './proven.ts';
import { serialize, type UrlRecord } from './record.ts';

/**
 * The WHATWG serialization of a URL: ASCII, and the same on every runtime.
 *
 * @param url converted to a string, as `new URL` does
 * @param base the base of relative URLs
 * @param options which canonical form: without its fragment, or without some parameters
 * @returns the canonical form; by default all of it, the fragment included
 * @throws {UrlError} where `url`, or `base`, is not a URL
 * @throws {TypeError} on a value without a string form, such as a symbol, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @see https://url.spec.whatwg.org/#concept-url-serializer, in the version PROFILE names
 * @example
 * canonicalize('HTTP://Example.com:80/a/../b?q#top'); //=> 'http://example.com/b?q#top'
 * canonicalize('../b#top', 'http://example.com/a/', { excludeFragment: true }); //=> 'http://example.com/b'
 */
export function canonicalize(
  url: string | UrlObject,
  base?: string | UrlObject,
  options?: CanonicalizeOptions,
): string {
  const form = checkedForm(options);
  const input = toText('url', url);
  const baseRecord = parseBase(base);
  const canonical = canonicalForm(input, baseRecord, form);
  if (typeof canonical === 'string') return canonical;
  throw UrlError.from(input, canonical);
}

/**
 * The same with null in place of the UrlError.
 *
 * @param url converted to a string, as `new URL` does
 * @param base the base of relative URLs
 * @param options which canonical form: without its fragment, or without some parameters
 * @returns what `canonicalize` returns; null where `url`, or `base`, is not a URL
 * @throws {TypeError} on a value without a string form, such as a symbol, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @example
 * tryCanonicalize('not a url'); //=> null
 */
export function tryCanonicalize(
  url: string | UrlObject,
  base?: string | UrlObject,
  options?: CanonicalizeOptions,
): string | null {
  const form = checkedForm(options);
  const input = toText('url', url);
  const baseRecord = base === undefined ? undefined : parseUrl(toText('base', base), undefined);
  if (baseRecord instanceof Failure) return null;
  const canonical = canonicalForm(input, baseRecord, form);
  return typeof canonical === 'string' ? canonical : null;
}

/** Does the same, with the failure as a value. */
export function canonicalForm(url: string, base?: UrlRecord, form: UrlForm = FULL_FORM): string | Failure {
  const serialized = serialization(url, base, form.excludeFragment);
  return typeof serialized === 'string' ? withRules(serialized, form) : serialized;
}

/** Applies the parameter rules of `form` to a full canonical form: it gets shorter if a parameter is dropped. */
export function withRules(serialized: string, { parameters }: UrlForm): string {
  return parameters?.applyToText(serialized) ?? serialized;
}

/** Returns the canonical form with all parameters. */
export function serialization(url: string, base: UrlRecord | undefined, excludeFragment: boolean): string | Failure {
  if (isProven(url)) return excludeFragment ? withoutFragment(url) : url;
  try {
    const record = parseUrl(url, base);
    return record instanceof Failure ? record : serialize(record, excludeFragment);
  } catch (error) {
    if (error instanceof RangeError) return failure('length-limit'); // a string that became too long
    throw error;
  }
}

function withoutFragment(canonical: string): string {
  const start = canonical.indexOf('#');
  return start === -1 ? canonical : canonical.slice(0, start);
}

export function parseBase(base: string | UrlObject | undefined): UrlRecord | undefined {
  if (base === undefined) return undefined;
  const input = toText('base', base);
  const record = parseUrl(input, undefined);
  if (record instanceof Failure) throw UrlError.from(input, record, 'base');
  return record;
}
