import { mustBeBytes, shownNumber } from '../../core/argument.ts';
import { digestOfBytes } from '../../core/digest/digest.ts';
import { openKernel } from '../../core/kernel/open.ts';

/** Web Risk: "a hash prefix consists of the most significant 4-32 bytes of a SHA256 hash". */
export const SHORTEST_PREFIX = 4;
export const HASH_BYTES = 32;

/**
 * The first `width` bytes of a hash, in memory of their own.
 *
 * @param hash up to 32 bytes
 * @param width 4 to 32
 * @throws {TypeError} where `hash` is not a Uint8Array
 * @throws {RangeError} where `width` is not a whole number from 4 to 32, or the hash has fewer bytes
 * @see https://cloud.google.com/web-risk/docs/urls-hashing#hash_prefix_computations
 * @example
 * prefix(hashes('http://example.com/')[0]!, 4); //=> Uint8Array(4) [115, 217, 134, 224]
 */
export function prefix(hash: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  mustBePrefixWidth(width);
  mustBeBytes('hash', hash);
  if (hash.length < width) throw new RangeError(`the hash has ${hash.length} bytes, fewer than ${width}`);
  return Uint8Array.from(hash.subarray(0, width));
}

/** Returns the SHA-256 of bytes of any length. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return digestOfBytes(openKernel(), bytes, HASH_BYTES);
}

/** The first four bytes of `bytes` from `at` on, as a big-endian number: such heads ascend as the bytes do. */
export function headAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function mustBePrefixWidth(width: number): number {
  if (Number.isInteger(width) && width >= SHORTEST_PREFIX && width <= HASH_BYTES) return width;
  throw new RangeError(
    `width must be a whole number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}, got ${shownNumber(width)}`,
  );
}
