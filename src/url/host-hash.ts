import { SITES_BYTES } from '../../assembly/layout.ts';

// The hash by which hosts that have rules are found; assembly/pages.ts computes the same.

/** Hashes the first eight bytes of the name [start, end), its last four and its length, to 32 bits. */
export function hashOfHost(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const hash =
    Math.imul(wordAt(bytes, start, Math.min(4, length)), 0x9e3779b1) ^
    Math.imul(wordAt(bytes, start + 4, Math.min(4, length - 4)), 0x85ebca77) ^
    Math.imul(length < 4 ? 0 : wordAt(bytes, end - 4, 4), 0xc2b2ae3d) ^
    Math.imul(length, 0x27d4eb2f);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

/** The bytes of a word in little-endian order, up to `count` of them. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= bytes[at + index]! << (8 * index);
  return word;
}

const BIT_SHIFT = 32 - Math.log2(8 * SITES_BYTES);

/**
 * Returns the bits by which the kernel finds messages whose host may have rules: one for each hash of a host with rules
 * for folds, then one for each of a host with rules for parameters.
 */
export function hostBitsOf(foldHashes: Iterable<number>, parameterHashes: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bits = new Uint8Array(2 * SITES_BYTES);
  for (const hash of foldHashes) setBit(bits, hash >>> BIT_SHIFT);
  for (const hash of parameterHashes) setBit(bits, 8 * SITES_BYTES + (hash >>> BIT_SHIFT));
  return bits;
}

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >> 3]! |= 1 << (bit & 7);
}
