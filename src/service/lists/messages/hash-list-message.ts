import { decodeIndices, decodeRice, encodeIndices, encodeRice, type RiceDeltas } from '../rice.ts';
import type { PrefixGroup } from '../sorted-prefixes.ts';
import { ListError } from '../sorted-prefixes.ts';
import { type ListUpdate, mustBeUpdate, mustBeUpdates } from '../update.ts';
import {
  checksumIn,
  decodeMessage,
  durationOf,
  MessageFormat,
  millisecondsIn,
  type SecondsAndNanos,
} from './message-format.ts';
import { descriptorsOf } from './protobuf.ts';

/** The fields that a client reads. https://github.com/googleapis/googleapis, google/security/safebrowsing/v5 */
const descriptorOf = /* @__PURE__ */ descriptorsOf({
  name: 'google.security.safebrowsing.v5',
  messages: {
    RiceDeltaEncoded32Bit: {
      first_value: [1, 'uint32'],
      rice_parameter: [2, 'int32'],
      entries_count: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    RiceDeltaEncoded64Bit: {
      first_value: [1, 'uint64'],
      rice_parameter: [2, 'int32'],
      entries_count: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    RiceDeltaEncoded128Bit: {
      first_value_hi: [1, 'uint64'],
      first_value_lo: [2, 'fixed64'],
      rice_parameter: [3, 'int32'],
      entries_count: [4, 'int32'],
      encoded_data: [5, 'bytes'],
    },
    RiceDeltaEncoded256Bit: {
      first_value_first_part: [1, 'uint64'],
      first_value_second_part: [2, 'fixed64'],
      first_value_third_part: [3, 'fixed64'],
      first_value_fourth_part: [4, 'fixed64'],
      rice_parameter: [5, 'int32'],
      entries_count: [6, 'int32'],
      encoded_data: [7, 'bytes'],
    },
    // the four additions are a oneof: no list has two of them, and the reader refuses one that does
    HashList: {
      name: [1, 'string'],
      version: [2, 'bytes'],
      partial_update: [3, 'bool'],
      additions_four_bytes: [4, 'RiceDeltaEncoded32Bit'],
      compressed_removals: [5, 'RiceDeltaEncoded32Bit'],
      minimum_wait_duration: [6, 'google.protobuf.Duration'],
      sha256_checksum: [7, 'bytes'],
      additions_eight_bytes: [9, 'RiceDeltaEncoded64Bit'],
      additions_sixteen_bytes: [10, 'RiceDeltaEncoded128Bit'],
      additions_thirty_two_bytes: [11, 'RiceDeltaEncoded256Bit'],
    },
    BatchGetHashListsResponse: { hash_lists: [1, 'repeated HashList'] },
  },
});

/** The field of the additions of each width, and the fields of their first value: 64 bits each, the highest first. */
const ADDITIONS = [
  { width: 4, field: 'additionsFourBytes', parts: ['firstValue'] },
  { width: 8, field: 'additionsEightBytes', parts: ['firstValue'] },
  { width: 16, field: 'additionsSixteenBytes', parts: ['firstValueHi', 'firstValueLo'] },
  {
    width: 32,
    field: 'additionsThirtyTwoBytes',
    parts: ['firstValueFirstPart', 'firstValueSecondPart', 'firstValueThirdPart', 'firstValueFourthPart'],
  },
] as const;

type Addition = (typeof ADDITIONS)[number];
type Encoded = Omit<RiceDeltas, 'firstValue'> & Partial<Record<Addition['parts'][number], bigint | number>>;

interface HashListFields extends Readonly<Partial<Record<Addition['field'], Encoded>>> {
  readonly name: string;
  readonly version: Uint8Array;
  readonly partialUpdate: boolean;
  readonly compressedRemovals?: Encoded;
  readonly minimumWaitDuration?: SecondsAndNanos;
  readonly sha256Checksum: Uint8Array;
}

/** `HashList` of Safe Browsing v5: a list, or what has changed in it. Its prefixes have 4, 8, 16 or 32 bytes. */
export const HASH_LIST = /* @__PURE__ */ new MessageFormat<ListUpdate>({
  descriptor: () => descriptorOf('HashList'),
  read: updateOf,
  check: mustBeUpdate,
  write: fieldsOf,
});

/** The most lists of a message; Google has some twenty. */
const MAX_LISTS = 1000;

const LISTS = {
  descriptor: () => descriptorOf('BatchGetHashListsResponse'),
  read: ({ hashLists }: { readonly hashLists: readonly HashListFields[] }) => hashLists.map(updateOf),
};

/** `BatchGetHashListsResponse` of Safe Browsing v5: several lists, in the order of the request. */
export const BATCH_GET_HASH_LISTS_RESPONSE = /* @__PURE__ */ new MessageFormat<readonly ListUpdate[]>({
  ...LISTS,
  maxLists: MAX_LISTS,
  check: mustBeUpdates,
  write: (updates) => ({ hashLists: updates.map(fieldsOf) }),
});

/**
 * Decodes `BATCH_GET_HASH_LISTS_RESPONSE`, the answer to a request for `maxLists` lists.
 *
 * @throws {ListError} on more lists, and on other bytes
 */
export function decodeLists(bytes: Uint8Array, maxLists: number): readonly ListUpdate[] {
  return decodeMessage(LISTS, maxLists, bytes);
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
  };
}

/** The encoding of indices: that of additions of 32 bits. */
const INDICES = ADDITIONS[0];

function removalsIn({ compressedRemovals }: HashListFields): Uint32Array {
  if (compressedRemovals === undefined) return new Uint32Array(0);
  return decodeIndices(deltasIn(compressedRemovals, INDICES));
}

function additionsIn(fields: HashListFields): PrefixGroup[] {
  const groups: PrefixGroup[] = [];
  for (const addition of ADDITIONS) {
    const { width, field } = addition;
    const encoded = fields[field];
    if (encoded !== undefined) groups.push({ width, prefixes: decodeRice(deltasIn(encoded, addition), width) });
  }
  if (groups.length <= 1) return groups;
  throw new ListError('additions', 'prefix-length', `the message adds prefixes of ${groups.length} widths, not of one`);
}

function deltasIn(encoded: Encoded, { parts }: Addition): RiceDeltas {
  let firstValue = 0n;
  for (const part of parts) firstValue = (firstValue << 64n) | BigInt(encoded[part]!);
  return { ...encoded, firstValue };
}

/** Returns deltas as fields; the library has 32-bit numbers as numbers. */
function encodedOf(deltas: RiceDeltas, { width, parts }: Addition): Encoded {
  const { firstValue, ...encoded } = deltas;
  if (width === 4) return { ...encoded, firstValue: Number(firstValue) };
  const values = parts.map((part, at) => [
    part,
    BigInt.asUintN(64, firstValue >> BigInt(64 * (parts.length - 1 - at))),
  ]);
  return { ...encoded, ...Object.fromEntries(values) };
}

function fieldsOf(update: ListUpdate): object {
  const { name, version, isPartial, removals, checksum, minimumWaitMs } = update;
  return {
    name,
    version,
    partialUpdate: isPartial,
    ...additionFields(update.additions),
    ...(removals.length > 0 && { compressedRemovals: encodedOf(encodeIndices(removals), INDICES) }),
    minimumWaitDuration: durationOf(minimumWaitMs),
    sha256Checksum: checksum,
  };
}

function additionFields(additions: readonly PrefixGroup[]): object {
  const groups = additions.filter(({ prefixes }) => prefixes.length > 0);
  if (groups.length === 0) return {};
  const [{ width, prefixes }] = groups as [PrefixGroup];
  const addition = ADDITIONS.find((each) => each.width === width);
  if (groups.length > 1 || addition === undefined) {
    const widths = groups.map((group) => group.width).join(', ');
    throw new ListError('additions', 'prefix-length', `a HashList has prefixes of 4, 8, 16 or 32 bytes, not ${widths}`);
  }
  return { [addition.field]: encodedOf(encodeRice(prefixes, addition.width), addition) };
}
