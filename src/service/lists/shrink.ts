/** The share of its entries that a list may lose at once, unless an option says otherwise. */
export const MAX_SHRINK = 0.5;

/** Says how much a list lost, where that is more than it may: a file that was cut would take the rest off each client. */
export function shrinkProblem(size: number, before: number, maxShrink: number): string | undefined {
  if (size >= before * (1 - maxShrink)) return undefined;
  return `it has ${size} entries in place of ${before}, more than ${Math.round(100 * maxShrink)} % at once`;
}
