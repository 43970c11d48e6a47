import { concatBytes } from '../../../core/bytes/growing-bytes.ts';
import { ListError } from '../error.ts';
import { mustBeWhole, type PrefixGroup, sortedGroup } from '../prefix-group.ts';
import {
  decodeIndices,
  decodeLittleEndian,
  encodeIndices,
  encodeLittleEndian,
  type RiceDeltas,
  V4_RANGE,
} from '../rice.ts';

// Shared by version 4 and Web Risk: prefixes come raw or, if of 4 bytes, in Rice-Golomb code, and so do indices.

export interface RawHashes {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

export interface RawIndices {
  readonly indices: readonly number[];
}

/** "Repeated to allow for a combination of compressed and raw data": one set per width, and some to spare. */
export const MAX_SETS = 64;

/**
 * Reads several sets into one group per width. All sets of a width are sorted together: merging each with those before
 * it would take the square of their number.
 *
 * @throws {ListError} where they have a prefix twice
 */
export function additionsIn(raw: readonly RawHashes[], rice: readonly RiceDeltas[]): PrefixGroup[] {
  const pieces = new Map<number, Uint8Array[]>();
  const add = (width: number, prefixes: Uint8Array) => {
    mustBeWhole(prefixes, width, 'additions');
    const known = pieces.get(width);
    if (known === undefined) pieces.set(width, [prefixes]);
    else known.push(prefixes);
  };
  for (const { rawHashes, prefixSize } of raw) add(prefixSize, rawHashes);
  for (const deltas of rice) add(4, decodeLittleEndian(deltas));
  const groups = Array.from(pieces, ([width, all]) => sortedGroup(concatBytes(all), width));
  return groups.sort((one, other) => one.width - other.width);
}

/** Reads several sets into ascending indices. @throws {ListError} */
export function removalsIn(raw: readonly RawIndices[], rice: readonly RiceDeltas[]): Uint32Array {
  const pieces = [
    ...raw.map(({ indices }) => checkedIndices(indices)),
    ...rice.map((each) => decodeIndices(each, V4_RANGE)),
  ];
  const all = new Uint32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all.sort();
}

function checkedIndices(indices: readonly number[]): Uint32Array {
  const negative = indices.find((index) => index < 0);
  if (negative !== undefined) throw new ListError('removals', 'removal-index', `an index is ${negative}`);
  return Uint32Array.from(indices);
}

/** Encodes prefixes of 4 bytes in Rice-Golomb code, and leaves all others raw. */
export function encodedAdditions(additions: readonly PrefixGroup[]) {
  const groups = additions.filter(({ prefixes }) => prefixes.length > 0);
  const short = groups.find(({ width }) => width === 4);
  return {
    raw: groups
      .filter((group) => group !== short)
      .map(({ width, prefixes }) => ({ prefixSize: width, rawHashes: prefixes })),
    rice: short && encodeLittleEndian(short.prefixes),
  };
}

export function encodedRemovals(removals: Uint32Array): RiceDeltas | undefined {
  return removals.length === 0 ? undefined : encodeIndices(removals, V4_RANGE);
}
