/**
 * Pairs of different URLs that share a hash by chance, were all `count` URLs different: n(n-1)/2 pairs, each equal
 * once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}
