import { expressions } from '../../safe-browsing/expressions.ts';
import { hashes } from '../../safe-browsing/hashes.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { NamedList } from '../stage/lookups.ts';
import { tableText } from '../terminal/explanation.ts';
import type { ExplainedUrl } from './explain.ts';

/** Each expression of a URL, the first half of its hash, and the lists that have it. @throws where it has no host */
export function explainLookup(url: string, settings: Settings, lists: readonly NamedList[]): ExplainedUrl {
  const found = expressions(url, settings);
  const hashOf = hashes(url, settings);
  const rows = found.map((expression, at) => {
    const names = lists.filter(({ list }) => list.has(hashOf[at]!)).map(({ name }) => name);
    return { expression, hex: Buffer.from(hashOf[at]!.subarray(0, 16)).toString('hex'), names };
  });
  return {
    text: tableText(rows.map(({ expression, hex, names }) => [expression, `${hex}  ${names.join(', ')}`.trimEnd()])),
    hasFailed: rows.some(({ names }) => names.length > 0),
  };
}
