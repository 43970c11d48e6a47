/** What a run may take in all, where nothing is said. */
export const DEFAULT_MEMORY_BYTES = 2 ** 28;

/** The share of it for keys; the rest is for what is read and written. */
export function keyBytesOf(memoryBytes: number): number {
  return (memoryBytes / 4) * 3;
}
