import type { ExplainUrlOptions } from '../../explain/index.ts';
import { canonicalForm } from '../../url/canonicalize.ts';
import { UrlError } from '../../url/error.ts';
import { Failure } from '../../url/failure.ts';
import { parseUrl } from '../../url/parser.ts';
import { profileOf } from '../../url/profile.ts';
import type { UrlRecord } from '../../url/record.ts';
import { group, text, toggle, type ValuesOf } from '../terminal/flag.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** For every command on the profile `url`. */
export const URL_FLAGS = group('Input', {
  base: text('URL', 'resolve relative URLs against URL'),
  excludeFragment: toggle('leave out the fragment and its #'),
});

/** How URLs are read. */
export interface UrlReading {
  readonly base: UrlRecord | undefined;
  readonly excludeFragment: boolean;
  readonly profile: string;
  formOf(url: string): string | Failure;
}

/** @throws {UsageError} where the base is not a URL */
export function urlReading({ base: text, excludeFragment }: ValuesOf<typeof URL_FLAGS>): UrlReading {
  const base = text === undefined ? undefined : baseOf(text);
  return {
    base,
    excludeFragment,
    profile: profileOf({ excludeFragment }),
    formOf: (url) => canonicalForm(url, base, excludeFragment),
  };
}

/** The same for `explain`. @throws {UsageError} where the base is not a URL */
export function urlOptions({ base, excludeFragment }: ValuesOf<typeof URL_FLAGS>): ExplainUrlOptions {
  if (base === undefined) return { excludeFragment };
  baseOf(base);
  return { base, excludeFragment };
}

function baseOf(text: string): UrlRecord {
  const base = parseUrl(text, undefined);
  if (base instanceof Failure) throw new UsageError(`--base: ${UrlError.from(text, base, 'base').message}`);
  return base;
}
