import { DEFAULT_UNICODE } from '../../../src/core/url/idna.ts';
import type { UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import { oracleOf } from './unicode-oracles.ts';

/** Returns what an independent parser makes of a URL; undefined where it is not one. */
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
