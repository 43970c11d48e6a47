import { expressionList } from '../safe-browsing/expressions.ts';
import type { UrlInput } from '../safe-browsing/input.ts';
import { READINGS, type Reading } from '../safe-browsing/settings.ts';
import type { SuffixList } from '../safe-browsing/suffix-list.ts';

/** Each expression that any reading looks up, with the readings that do. */
export function readingsOfExpressions(
  url: UrlInput,
  suffixes: { readonly privateSuffixes: boolean; readonly suffixList: SuffixList },
): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>();
  for (const reading of READINGS) {
    const list = expressionList(url, { ...suffixes, ...reading });
    if (!Array.isArray(list)) continue;
    for (const expression of list) readings.set(expression, [...(readings.get(expression) ?? []), reading]);
  }
  return readings;
}
