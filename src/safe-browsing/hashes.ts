import { TEXT, TEXT_END } from '../../assembly/layout.ts';
import { mustBeBytes } from '../argument.ts';
import { writeAscii } from '../bytes/ascii.ts';
import { digestOfBytes, digestOfString } from '../digest/digest.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { expressions } from './expressions.ts';
import type { UrlInput } from './input.ts';
import type { ExpressionOptions } from './settings.ts';

/** Web Risk: "a hash prefix consists of the most significant 4-32 bytes of a SHA256 hash". */
export const SHORTEST_PREFIX = 4;
export const HASH_BYTES = 32;

/**
 * The SHA-256 (FIPS 180-4) of each expression: 32 bytes each, in the order of `expressions`.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page, the mode, and whether private suffixes count
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * hashes('http://example.com/').length; //=> 1
 * hashes('http://example.com/')[0]!.length; //=> 32
 */
export function hashes(url: UrlInput, options: ExpressionOptions = {}): Uint8Array<ArrayBuffer>[] {
  const kernel = openKernel();
  const list = expressions(url, options);
  const isLong = list.reduce((sum, { length }) => sum + length, 0) > TEXT_END - TEXT;
  return isLong
    ? list.map((expression) => digestOfString(kernel, expression, HASH_BYTES).slice())
    : digestsOf(kernel, list);
}

/** Hashes a list in one kernel call. */
function digestsOf(kernel: Kernel, list: readonly string[]): Uint8Array<ArrayBuffer>[] {
  let address = TEXT;
  for (const [row, expression] of list.entries()) {
    writeAscii(kernel.memory.bytes, address, expression);
    kernel.memory.setSpan(row, address, expression.length);
    address += expression.length;
  }
  kernel.hash(0, list.length, HASH_BYTES);
  const packed = kernel.memory.digests(list.length, HASH_BYTES);
  return list.map((_, row) => packed.slice(HASH_BYTES * row, HASH_BYTES * (row + 1)));
}

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
  checkWidth(width);
  mustBeBytes('hash', hash);
  if (hash.length < width) throw new RangeError(`the hash has ${hash.length} bytes, fewer than ${width}`);
  return Uint8Array.from(hash.subarray(0, width));
}

/** Returns the SHA-256 of bytes of any length. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return digestOfBytes(openKernel(), bytes, HASH_BYTES);
}

export function checkWidth(width: number): void {
  if (Number.isInteger(width) && width >= SHORTEST_PREFIX && width <= HASH_BYTES) return;
  throw new RangeError(
    `width must be a whole number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}, got ${String(width)}`,
  );
}
