/** The most slips that are forgiven. A slip is a letter added, left out, replaced, or exchanged with its neighbour. */
const DISTANCE_LIMIT = 2;

/** Names that other tools use for flags, commands and formats, tried before slips are counted. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '--dedup': '--unique --uniq --distinct dedup',
  '--jobs': '--threads --num-threads --parallel',
  '--out': '--output --output-file',
  '--check': '--verify verify check',
  '--column': '--field --key',
  '--width': '--length -w',
  '--zero': '--null -0',
  '--quiet': '--silent -q',
  '--format ndjson': '--ndjson',
  canon: 'canonicalize canonicalise canonical normalize',
  '--version': 'version -v',
  'list build': 'build',
  'list apply': 'apply',
  'list diff': 'diff',
  ndjson: 'json jsonl',
};
const SYNONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])),
);

/** Returns ` (did you mean 'canon'?)`, or nothing if no word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` (did you mean '${near}'?)`;
}

/**
 * Returns the known word that means the same, the one with the fewest slips, one in three letters at most, or the only
 * one that begins so.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const synonyms = Object.keys(SYNONYMS).filter((each) => known.includes(SYNONYMS[each]!.split(' ')[0]!));
  if (synonyms.includes(word)) return known.includes(word) ? word : SYNONYMS[word];
  const letterCount = word.replace(/^-+/, '').length;
  const distances = [...known, ...synonyms].map((each) => [distanceOf(word, each), each] as const);
  const [distance, near] = distances.reduce((best, each) => (each[0] < best[0] ? each : best), [Infinity, ''] as const);
  if (distance <= Math.min(DISTANCE_LIMIT, Math.floor(letterCount / 3)))
    return known.includes(near) ? near : SYNONYMS[near];
  const begun = known.filter((each) => letterCount > 2 && each.startsWith(word));
  return begun.length === 1 ? begun[0] : undefined;
}

/** Returns the optimal string alignment distance: the fewest slips that turn one word into the other. */
function distanceOf(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, row) => [row]);
  for (let column = 1; column <= to.length; column++) rows[0]!.push(column);
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const [above, own] = [rows[row - 1]!, rows[row]!];
      const slips = [above[column]! + 1, own[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1)];
      own.push(Math.min(...slips, isExchanged ? rows[row - 2]![column - 2]! + 1 : Infinity));
    }
  }
  return rows.at(-1)!.at(-1)!;
}
