import { UsageError } from '../terminal/usage-error.ts';

/** Memory for hashes, where --memory does not say otherwise. */
export const DEFAULT_MEMORY_BYTES = 2 ** 28;

const UNITS = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 } as const;

/** Parses a size such as `256M`. @throws {UsageError} where it is less than 1M, or not a size */
export function byteLengthOf(value: string, option: string): number {
  const found = /^([1-9][0-9]{0,8})([KMG])$/i.exec(value);
  const byteLength = found === null ? 0 : Number(found[1]) * UNITS[found[2]!.toUpperCase() as keyof typeof UNITS];
  if (byteLength >= UNITS.M) return byteLength;
  throw new UsageError(`${option} must be a size from 1M on, as 256M or 2G, not '${value}'`);
}
