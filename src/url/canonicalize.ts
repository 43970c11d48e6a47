import { UrlError } from './error.ts';
import { Failure } from './failure.ts';
import { parseUrl } from './parser.ts';
import type { UrlRecord } from './record.ts';
import { serialize } from './serializer.ts';

/**
 * The WHATWG serialization of a URL, fragment included: ASCII, and the same on every runtime.
 *
 * @param base what a relative URL is resolved against
 * @throws {UrlError} where `url`, or `base`, is no URL
 * @see https://url.spec.whatwg.org/#concept-url-serializer, in the version PROFILE names
 */
export function canonicalize(url: string | URL, base?: string | URL): string {
  const input = String(url);
  const canonical = base === undefined ? canonicalForm(input) : canonicalForm(input, parseBase(String(base)));
  if (typeof canonical === 'string') return canonical;
  throw new UrlError(input, canonical);
}

/** The same with the failure as a value. */
export function canonicalForm(url: string, base?: UrlRecord): string | Failure {
  const record = parseUrl(url, base);
  return record instanceof Failure ? record : serialize(record);
}

export function parseBase(base: string): UrlRecord {
  const record = parseUrl(base, undefined);
  if (record instanceof Failure) throw new UrlError(base, record);
  return record;
}
