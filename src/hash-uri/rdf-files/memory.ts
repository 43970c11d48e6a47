/** What a run may take in all, where nothing is said. */
export const DEFAULT_MEMORY_BYTES = 2 ** 28;

/** The share of it for keys; Node itself, and what is read and written, take 130 MB beside them. */
export function keyBytesOf(memoryBytes: number): number {
  return memoryBytes / 2;
}
