import { DIGESTS, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { mustBeBytes } from '../../core/argument.ts';
import { digestOfBytes, hashBytesInto } from '../../core/digest/digest.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { type ExpressionSpans, Lookup, lookUp } from './expressions.ts';
import { mustBeFound, type SafeBrowsingFailure } from './failure.ts';
import { type ExpressionOptions, type Settings, settingsOf } from './settings.ts';
import type { UrlInput } from './url-bytes.ts';

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
  return mustBeFound(url, hashList(url, settingsOf(options)));
}

/** Returns the hashes, or the failure as a value. */
export function hashList(url: UrlInput, settings: Settings): Uint8Array<ArrayBuffer>[] | SafeBrowsingFailure {
  const kernel = openKernel();
  const lookup = lookUp(url, settings);
  if (!(lookup instanceof Lookup)) return lookup;
  const list: Uint8Array<ArrayBuffer>[] = [];
  for (let index = 0; index < lookup.count; index++) addHashes(list, kernel, lookup.found[index]!);
  return list;
}

/** Adds the digests of a URL's expressions, which overlap: its bytes are copied to memory once. */
function addHashes(
  list: Uint8Array<ArrayBuffer>[],
  kernel: Kernel,
  { url, starts, ends, count }: ExpressionSpans,
): void {
  const { bytes, hostStart, end } = url;
  const { memory } = kernel;
  if (end - hostStart <= TEXT_END - TEXT) {
    memory.bytes.set(bytes.subarray(hostStart, end), TEXT);
    const shift = TEXT - hostStart;
    for (let row = 0; row < count; row++) memory.setSpan(row, starts[row]! + shift, ends[row]! - starts[row]!);
    kernel.hash(0, count, HASH_BYTES);
  } else {
    for (let row = 0; row < count; row++)
      hashBytesInto(kernel, bytes.subarray(starts[row], ends[row]), DIGESTS + HASH_BYTES * row, HASH_BYTES);
  }
  for (let row = 0, at: number = DIGESTS; row < count; row++, at += HASH_BYTES)
    list.push(memory.bytes.slice(at, at + HASH_BYTES));
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
    `width must be a whole number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}, got ${String(width)}`,
  );
}
