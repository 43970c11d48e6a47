import { DEFAULT_UNICODE } from '../../../src/core/url/idna.ts';
import type { UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import { oracleOf } from './unicode-oracles.ts';

/** What an independent parser of the same standard makes of a URL; undefined where it is none. */
export function oracle(
  url: string,
  base?: string,
  excludeFragment = false,
  unicode: UnicodeVersion = DEFAULT_UNICODE,
): string | undefined {
  const { basicURLParse, serializeURL } = oracleOf(unicode).whatwgUrl;
  const baseRecord = base === undefined ? undefined : basicURLParse(base.toWellFormed());
  if (baseRecord === null) return undefined;
  const record = basicURLParse(url.toWellFormed(), { baseURL: baseRecord ?? null });
  return record === null ? undefined : serializeURL(record, excludeFragment);
}
