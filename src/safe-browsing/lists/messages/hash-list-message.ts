import { ListError } from '../error.ts';
import type { PrefixGroup } from '../prefix-group.ts';
import {
  decodeIndices,
  decodeRice,
  encodeIndices,
  encodeRice,
  type RiceDeltas,
  type RiceWidth,
  V5_RANGE,
} from '../rice.ts';
import { type ListUpdate, mustBeUpdate, mustBeUpdates } from '../update.ts';
import { checksumIn, durationOf, millisecondsIn, type SecondsAndNanos } from './common-fields.ts';
import { MessageFormat } from './message-format.ts';
import { decodeMessage, type FieldLimits } from './message-reading.ts';
import { v5Descriptor } from './v5.ts';

type Encoded = Omit<RiceDeltas, 'firstValue'>;
type Encoded32 = Encoded & { readonly firstValue: number };
type Encoded64 = RiceDeltas;
type Encoded128 = Encoded & { readonly firstValueHi: bigint; readonly firstValueLo: bigint };
type Encoded256 = Encoded & {
  readonly firstValueFirstPart: bigint;
  readonly firstValueSecondPart: bigint;
  readonly firstValueThirdPart: bigint;
  readonly firstValueFourthPart: bigint;
};

interface HashListFields {
  readonly name: string;
  readonly version: Uint8Array;
  readonly partialUpdate: boolean;
  readonly additionsFourBytes?: Encoded32;
  readonly additionsEightBytes?: Encoded64;
  readonly additionsSixteenBytes?: Encoded128;
  readonly additionsThirtyTwoBytes?: Encoded256;
  readonly compressedRemovals?: Encoded32;
  readonly minimumWaitDuration?: SecondsAndNanos;
  readonly sha256Checksum: Uint8Array;
}

/** `HashList` of Safe Browsing v5: a list, or what has changed in it. Its prefixes have 4, 8, 16 or 32 bytes. */
export const HASH_LIST = /* @__PURE__ */ new MessageFormat<ListUpdate>({
  name: 'HashList',
  descriptor: () => v5Descriptor('HashList'),
  read: updateOf,
  check: mustBeUpdate,
  write: fieldsOf,
});

/** Google has some twenty. */
const MAX_LISTS = 1000;

const limits = (max: number): FieldLimits => ({ 1: { what: 'lists', max } });

const LISTS = {
  name: 'BatchGetHashListsResponse',
  descriptor: () => v5Descriptor('BatchGetHashListsResponse'),
  read: ({ hashLists }: { readonly hashLists: readonly HashListFields[] }) => hashLists.map(updateOf),
};

/** `BatchGetHashListsResponse` of Safe Browsing v5: several lists, in the order of the request. */
export const BATCH_GET_HASH_LISTS_RESPONSE = /* @__PURE__ */ listsFormat();

function listsFormat(): MessageFormat<readonly ListUpdate[]> {
  return new MessageFormat<readonly ListUpdate[]>({
    ...LISTS,
    limits: limits(MAX_LISTS),
    check: mustBeUpdates,
    write: (updates) => ({ hashLists: updates.map(fieldsOf) }),
  });
}

/**
 * What `BATCH_GET_HASH_LISTS_RESPONSE` decodes, of a request for so many lists.
 *
 * @throws {ListError} on more of them, as on other bytes
 */
export function decodeLists(bytes: Uint8Array, maxLists: number): readonly ListUpdate[] {
  return decodeMessage(LISTS, limits(maxLists), bytes);
}

function updateOf(fields: HashListFields): ListUpdate {
  return {
    name: fields.name,
    version: Uint8Array.from(fields.version),
    isPartial: fields.partialUpdate,
    additions: additionsIn(fields),
    removals: removalsIn(fields),
    checksum: checksumIn(fields.sha256Checksum),
    minimumWaitMs: millisecondsIn(fields.minimumWaitDuration),
    nextRequestTime: undefined,
  };
}

function removalsIn({ compressedRemovals }: HashListFields): Uint32Array {
  return compressedRemovals === undefined ? new Uint32Array(0) : decodeIndices(deltasOf(compressedRemovals), V5_RANGE);
}

function additionsIn(fields: HashListFields): PrefixGroup[] {
  const { additionsFourBytes, additionsEightBytes, additionsSixteenBytes, additionsThirtyTwoBytes } = fields;
  const groups: PrefixGroup[] = [];
  const add = (deltas: RiceDeltas, width: RiceWidth) => groups.push({ width, prefixes: decodeRice(deltas, width) });
  if (additionsFourBytes !== undefined) add(deltasOf(additionsFourBytes), 4);
  if (additionsEightBytes !== undefined) add(additionsEightBytes, 8);
  if (additionsSixteenBytes !== undefined) add(deltasOf128(additionsSixteenBytes), 16);
  if (additionsThirtyTwoBytes !== undefined) add(deltasOf256(additionsThirtyTwoBytes), 32);
  if (groups.length <= 1) return groups;
  throw new ListError('additions', 'prefix-length', `there are additions of ${groups.length} widths`);
}

function deltasOf(encoded: Encoded32): RiceDeltas {
  return { ...encoded, firstValue: BigInt(encoded.firstValue) };
}

function deltasOf128(encoded: Encoded128): RiceDeltas {
  return { ...encoded, firstValue: joined(encoded.firstValueHi, encoded.firstValueLo) };
}

function deltasOf256(encoded: Encoded256): RiceDeltas {
  const { firstValueFirstPart, firstValueSecondPart, firstValueThirdPart, firstValueFourthPart } = encoded;
  const parts = [firstValueFirstPart, firstValueSecondPart, firstValueThirdPart, firstValueFourthPart];
  return { ...encoded, firstValue: joined(...parts) };
}

/** Parts of 64 bits, the highest first. */
function joined(...parts: readonly bigint[]): bigint {
  return parts.reduce((value, part) => (value << 64n) | part, 0n);
}

/** The same from a value of `count` parts. */
function partsOf(value: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, at) => BigInt.asUintN(64, value >> BigInt(64 * (count - 1 - at))));
}

function fieldsOf(update: ListUpdate): object {
  const { name, version, isPartial, removals, checksum, minimumWaitMs } = update;
  return {
    name,
    version,
    partialUpdate: isPartial,
    ...additionFields(update.additions),
    ...(removals.length > 0 && { compressedRemovals: fieldsOf32(encodeIndices(removals, V5_RANGE)) }),
    minimumWaitDuration: durationOf(minimumWaitMs),
    sha256Checksum: checksum,
  };
}

function additionFields(additions: readonly PrefixGroup[]): object {
  const groups = additions.filter(({ prefixes }) => prefixes.length > 0);
  if (groups.length === 0) return {};
  const [{ width, prefixes }] = groups as [PrefixGroup];
  if (groups.length > 1 || ![4, 8, 16, 32].includes(width)) {
    const widths = groups.map((group) => group.width).join(', ');
    throw new ListError('additions', 'prefix-length', `a HashList has prefixes of 4, 8, 16 or 32 bytes, not ${widths}`);
  }
  const deltas = encodeRice(prefixes, width as RiceWidth);
  if (width === 4) return { additionsFourBytes: fieldsOf32(deltas) };
  if (width === 8) return { additionsEightBytes: deltas };
  const parts = partsOf(deltas.firstValue, width / 8);
  if (width === 16) return { additionsSixteenBytes: { ...deltas, firstValueHi: parts[0], firstValueLo: parts[1] } };
  const [firstValueFirstPart, firstValueSecondPart, firstValueThirdPart, firstValueFourthPart] = parts;
  const first = { firstValueFirstPart, firstValueSecondPart, firstValueThirdPart, firstValueFourthPart };
  return { additionsThirtyTwoBytes: { ...deltas, ...first } };
}

function fieldsOf32(deltas: RiceDeltas): Encoded32 {
  return { ...deltas, firstValue: Number(deltas.firstValue) };
}
