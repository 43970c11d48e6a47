/**
 * Returns the expected number of pairs that share a hash by chance among `count` different URLs: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}

/**
 * Returns the expected number of hashes that are found although their URLs were not seen, when `count` of them are
 * looked up among `size` others by `width` bytes: n·m / 2^(8 * width).
 */
export function expectedFalseMatches(
  { size, width }: { readonly size: number; readonly width: number },
  count: number,
): number {
  return (size * count) / 2 ** (8 * width);
}
