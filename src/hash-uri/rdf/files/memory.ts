/** What a run may take in all, where nothing is said. */
export const DEFAULT_MEMORY_BYTES = 2 ** 28;
const LEAST_MEMORY_BYTES = 1e6;

/** The share of it for keys; Node itself, and what is read and written, take 130 MB beside them. */
export function keyBytesOf(memoryBytes: number): number {
  return memoryBytes / 2;
}

/** @throws {RangeError} */
export function mustBeMemory(memoryBytes: number): number {
  if (memoryBytes >= LEAST_MEMORY_BYTES && memoryBytes <= Number.MAX_SAFE_INTEGER) return memoryBytes;
  throw new RangeError(`memoryBytes must be ${LEAST_MEMORY_BYTES} or more, got ${String(memoryBytes)}`);
}
