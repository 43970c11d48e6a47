/** The most slips that are forgiven. A slip is a letter added, left out, replaced, or exchanged with its neighbour. */
const DISTANCE_LIMIT = 2;

/** Names that other tools use for these flags and commands, tried before slips are counted. */
const SYNONYMS: Readonly<Record<string, string>> = {
  '--unique': '--dedup',
  '--uniq': '--dedup',
  '--distinct': '--dedup',
  '--threads': '--jobs',
  '--num-threads': '--jobs',
  '--parallel': '--jobs',
  '--output': '--out',
  '--output-file': '--out',
  '--verify': '--check',
  '--field': '--column',
  '--key': '--column',
  '--length': '--width',
  '--null': '--zero',
  '--silent': '--quiet',
  '-q': '--quiet',
  '-w': '--width',
  '-0': '--zero',
  '--parquet': '--format parquet',
  '--ndjson': '--format ndjson',
  canonicalize: 'canon',
  canonicalise: 'canon',
  canonical: 'canon',
  normalize: 'canon',
  verify: '--check',
  check: '--check',
  version: '--version',
  '-v': '--version',
  dedup: '--dedup',
  build: 'list build',
  apply: 'list apply',
  diff: 'list diff',
  json: 'ndjson',
  jsonl: 'ndjson',
};

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
  const letterCount = word.replace(/^-+/, '').length;
  const limit = Math.min(DISTANCE_LIMIT, Math.floor(letterCount / 3));
  const distances = [...known, ...synonyms].map((each) => [distanceOf(word, each), each] as const);
  const [distance, near] = distances.reduce((best, each) => (each[0] < best[0] ? each : best), [Infinity, ''] as const);
  const isSame = synonyms.includes(word);
  if (!isSame && distance > limit) {
    const begun = known.filter((each) => letterCount > 2 && each.startsWith(word));
    return begun.length === 1 ? begun[0] : undefined;
  }
  const found = isSame ? word : near;
  return synonyms.includes(found) && !known.includes(found) ? SYNONYMS[found] : found;
}

/** Returns the optimal string alignment distance: the fewest slips that turn one word into the other. */
function distanceOf(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]!.push(
        Math.min(
          rows[row - 1]![column]! + 1,
          rows[row]![column - 1]! + 1,
          rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
          isExchanged ? rows[row - 2]![column - 2]! + 1 : Infinity,
        ),
      );
    }
  }
  return rows[from.length]![to.length]!;
}
