import type { HashColumn } from '../../core/digest/column.ts';
import { type KeyOrigin, mayMeet } from '../../core/url/compatible.ts';
import { HashIndexError } from './error.ts';

// Hashes are compared as their little-endian unsigned 64-bit words, the first word first. Memory has each word as two
// 32-bit halves, low before high, which JavaScript compares without making a BigInt.

/** A hash: its 32-bit units begin at `at`. */
export interface HashAt {
  readonly units: Uint32Array;
  readonly at: number;
}

/** Negative if the hash at `one` of `words` comes before that at `other` of `others`. Both are in 32-bit units. */
export function compareHashes(
  words: Uint32Array,
  one: number,
  others: Uint32Array,
  other: number,
  unitCount: number,
): number {
  for (let unit = 0; unit < unitCount; unit += 2) {
    const high = words[one + unit + 1]! - others[other + unit + 1]!;
    if (high !== 0) return high;
    const low = words[one + unit]! - others[other + unit]!;
    if (low !== 0) return low;
  }
  return 0;
}

/** @throws {HashIndexError} where the hashes of `source` may not be looked up in the index, or added to it */
export function mustMeet(hashes: KeyOrigin, index: KeyOrigin, source = 'the column'): void {
  if (mayMeet(hashes, index)) return;
  const message = `its profile is ${hashes.profile}, that of the index ${index.profile}`;
  throw new HashIndexError(source, 'other-profile', message);
}

/** Calls `visit` with the hash of each valid row of a column. */
export function eachHash(column: HashColumn, visit: (units: Uint32Array, at: number, row: number) => void): void {
  const { bytes, length, width, invalid } = column;
  const units = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let nextInvalid = 0;
  for (let row = 0; row < length; row++) {
    if (invalid[nextInvalid] === row) nextInvalid++;
    else visit(units, (row * width) / 4, row);
  }
}
