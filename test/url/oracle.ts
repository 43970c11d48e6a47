import { basicURLParse, serializeURL } from 'whatwg-url';

/** What an independent parser of the same standard makes of a URL; undefined where it is none. */
export function oracle(url: string, base?: string, excludeFragment = false): string | undefined {
  const baseRecord = base === undefined ? undefined : basicURLParse(base.toWellFormed());
  if (baseRecord === null) return undefined;
  const record = basicURLParse(url.toWellFormed(), { baseURL: baseRecord ?? null });
  return record === null ? undefined : serializeURL(record, excludeFragment);
}
