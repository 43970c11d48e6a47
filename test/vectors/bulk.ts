import { hexOf, type PublicApi, urlOptionsOf } from './results.ts';
import { type SafeBrowsingVector, textOf, textOrBytesOf, type UrlVector, type VectorFile } from './vector.ts';

/** A case that came out otherwise than its file says. */
export interface Disagreement {
  readonly title: string;
  /** The index of the case, from 0. */
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
}

/** The same cases many at a time, where an entry has a bulk function: the lanes of the kernel get to work. */
export function bulkDisagreements(file: VectorFile, api: PublicApi): Disagreement[] {
  if (file.specification === 'url') return bulkUrls(file, api);
  return file.specification === 'safe-browsing' ? bulkExpressions(file, api) : [];
}

function bulkUrls(file: VectorFile, api: PublicApi): Disagreement[] {
  const vectors = numbered(file.cases as readonly UrlVector[]).filter(({ base }) => base === undefined);
  return byOptions(vectors).flatMap((alike) => {
    const column = new api.url.UrlHasher(urlOptionsOf(alike[0]!, api) ?? {}).hashMany(alike.map(textOf));
    return alike.flatMap(({ index, expect }, row) => {
      const expected = (expect as { sha256?: string }).sha256 ?? 'none';
      return differing(file, index, expected, column.hex(row) ?? 'none');
    });
  });
}

function byOptions<T extends UrlVector>(vectors: readonly T[]): T[][] {
  const groups = new Map<string | undefined, T[]>();
  for (const vector of vectors) {
    const key = JSON.stringify(vector.options);
    const alike = groups.get(key);
    if (alike === undefined) groups.set(key, [vector]);
    else alike.push(vector);
  }
  return [...groups.values()];
}

function bulkExpressions(file: VectorFile, { safeBrowsing }: PublicApi): Disagreement[] {
  return ['v5', 'v5 without private suffixes', 'web-risk'].flatMap((kind) => {
    const vectors = numbered(file.cases as readonly SafeBrowsingVector[]).filter((vector) => kindOf(vector) === kind);
    const profile = kind === 'web-risk' ? kind : 'v5';
    const options = { profile, mode: 'union', privateSuffixes: kind !== 'v5 without private suffixes' } as const;
    const { bytes, offsets, width } = new safeBrowsing.ExpressionHasher(options).hashMany(vectors.map(textOrBytesOf));
    return vectors.flatMap(({ index, expect }, row) => {
      const expected = (expect as { hashes?: readonly string[] }).hashes?.join('') ?? '';
      return differing(file, index, expected, hexOf(bytes.subarray(width * offsets[row]!, width * offsets[row + 1]!)));
    });
  });
}

function numbered<T extends object>(vectors: readonly T[]): (T & { readonly index: number })[] {
  return vectors.map((vector, index) => ({ ...vector, index }));
}

function kindOf({ profile, privateSuffixes = true }: SafeBrowsingVector): string {
  return privateSuffixes ? profile : `${profile} without private suffixes`;
}

function differing({ title }: VectorFile, index: number, expected: string, actual: string): Disagreement[] {
  return expected === actual ? [] : [{ title, index, expected, actual: `${actual} in bulk` }];
}
