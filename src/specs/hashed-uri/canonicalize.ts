import { mustBeOneOf, mustBeOptions, mustBeUrl } from '../../core/argument.ts';
import { Failure } from '../../core/url/failure.ts';
import type { Trace } from '../../core/url/trace.ts';
import { type CanonicalForm, canonicalForm } from './canonical-form.ts';
import { mustBeUri, type UriFailure } from './error.ts';
import { type AllReadings, mustBeKeepFlags, readingsOf, type VariantOptions } from './options.ts';
import { type AbsoluteUri, absoluteUri, type UriSteps } from './reference.ts';

/**
 * The canonical form of a URI in one of the draft's two variants: what a hashed URI is the hash of.
 *
 * A fragment and a query are removed unless kept. Appendix A applies to hierarchical URIs; of an opaque one,
 * as `mailto:`, only the scheme is lower-cased.
 *
 * @param uri a URI of RFC 2396, absolute unless there is a base, or a `URL`
 * @param options the variant, what is kept, the base, and how what the draft leaves open is read
 * @returns the canonical form, ASCII
 * @throws {HashedUriError} where `uri`, or `base`, is not a URI, or `uri` is relative without a base
 * @throws {TypeError} on a URI or options of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see draft-feather-hashed-uri-03, section 4.3 steps (1) and (2), and appendix A
 * @example
 * canonicalize('HTTP://Example.com:80/a#b', { variant: 'N' }); //=> 'http://example.com/a'
 */
export function canonicalize(uri: string | URL, options: VariantOptions): string {
  const text = mustBeUrl('uri', uri);
  return mustBeUri(text, canonicalizer(options)(text)).text;
}

/** Checks the options once, for many URIs; `trace` is for `urlsum/explain`. */
export function canonicalizer(
  options: VariantOptions,
  trace?: Trace<UriSteps>,
): (uri: string) => CanonicalForm | UriFailure {
  const own = mustBeOptions('options', options, ['variant', 'keep', 'base', 'readings']);
  const variant = mustBeOneOf('variant', own.variant, ['N', 'P']);
  const keep = own.keep === undefined ? [] : mustBeKeepFlags(own.keep);
  const readings = readingsOf(own.readings);
  const base = own.base === undefined ? undefined : parseBase(own.base, readings);
  return (uri) => {
    const absolute = absoluteUri(uri, base, readings, trace);
    return absolute instanceof Failure ? absolute : canonicalForm(absolute, variant, keep, readings, trace);
  };
}

/** @throws {HashedUriError} where `base` is not an absolute URI */
export function parseBase(base: string | URL, readings: AllReadings): AbsoluteUri {
  const text = mustBeUrl('base', base);
  return mustBeUri(text, absoluteUri(text, undefined, readings));
}
