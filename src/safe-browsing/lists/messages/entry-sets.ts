import { ListError } from '../error.ts';
import { type PrefixGroup, sortedGroup, union } from '../prefix-group.ts';
import {
  decodeIndices,
  decodeLittleEndian,
  encodeIndices,
  encodeLittleEndian,
  type RiceDeltas,
  V4_RANGE,
} from '../rice.ts';

// What version 4 and Web Risk share: prefixes come raw or, those of 4 bytes, in Rice-Golomb code, and so do indices.

export interface RawHashes {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

export interface RawIndices {
  readonly indices: readonly number[];
}

/** Of several sets, one group per length. @throws {ListError} where they hold a prefix twice */
export function additionsIn(raw: readonly RawHashes[], rice: readonly RiceDeltas[]): PrefixGroup[] {
  const groups = new Map<number, PrefixGroup>();
  const add = (group: PrefixGroup) => {
    const known = groups.get(group.length);
    groups.set(group.length, known === undefined ? group : union(known, group, refuseRepeated));
  };
  for (const { rawHashes, prefixSize } of raw) add(sortedGroup(rawHashes, prefixSize, 'additions'));
  for (const deltas of rice) add({ length: 4, prefixes: decodeLittleEndian(deltas) });
  return [...groups.values()].sort((one, other) => one.length - other.length);
}

function refuseRepeated(): void {
  throw new ListError('additions', 'repeated-entry', 'a prefix is there twice');
}

/** Of several sets, ascending. @throws {ListError} */
export function removalsIn(raw: readonly RawIndices[], rice: readonly RiceDeltas[]): Uint32Array {
  const pieces = [
    ...raw.map(({ indices }) => checkedIndices(indices)),
    ...rice.map((each) => decodeIndices(each, V4_RANGE)),
  ];
  const [only = new Uint32Array(0)] = pieces;
  return pieces.length <= 1 ? only : Uint32Array.from(pieces.flatMap((piece) => [...piece])).sort();
}

function checkedIndices(indices: readonly number[]): Uint32Array {
  const negative = indices.find((index) => index < 0);
  if (negative !== undefined) throw new ListError('removals', 'removal-index', `an index is ${negative}`);
  return Uint32Array.from(indices).sort();
}

/** Prefixes of 4 bytes in code, all others raw. */
export function encodedAdditions(additions: readonly PrefixGroup[]) {
  const groups = additions.filter(({ prefixes }) => prefixes.length > 0);
  const short = groups.find(({ length }) => length === 4);
  return {
    raw: groups
      .filter((group) => group !== short)
      .map(({ length, prefixes }) => ({ prefixSize: length, rawHashes: prefixes })),
    rice: short && encodeLittleEndian(short.prefixes),
  };
}

export function encodedRemovals(removals: Uint32Array): RiceDeltas | undefined {
  return removals.length === 0 ? undefined : encodeIndices(removals, V4_RANGE);
}
