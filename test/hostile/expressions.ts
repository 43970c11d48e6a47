import { compareMutatedLines } from '../specs/safe-browsing/mutated-lines.ts';

/** Mutated lines by the million: each has the hashes of its expressions, however they were found. */
export function mutatedExpressions(count: number): string {
  const { lines, expressions, proven } = compareMutatedLines(count);
  return `${expressions} expressions of ${lines} lines compared, ${((100 * proven) / lines).toFixed(1)} % took no steps`;
}
