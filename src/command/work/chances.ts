/**
 * Returns the expected number of pairs that share a hash by chance among `count` different URLs: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}

/** A set of `size` different hashes, which are compared by `width` bytes. */
interface HashSet {
  readonly size: number;
  readonly width: number;
}

/**
 * Returns the expected number of hashes that are found although their URLs were not seen, when `count` of them are
 * looked up among `size` others by `width` bytes: n·m / 2^(8 * width).
 */
export function expectedFalseMatches({ size, width }: HashSet, count: number): number {
  return (size * count) / 2 ** (8 * width);
}

/** Returns `5.81e-2 expected in 10^9 look-ups` of hashes that are in none of the sets. */
export function falseMatchesText(sets: readonly HashSet[]): string {
  const expected = sets.reduce((sum, set) => sum + expectedFalseMatches(set, 1e9), 0);
  return `${expected.toPrecision(3)} expected in 10^9 look-ups`;
}
