import { concatBytes } from '../../../core/bytes/growing-bytes.ts';
import {
  decodeIndices,
  decodeLittleEndian,
  encodeIndices,
  encodeLittleEndian,
  type RiceDeltas,
  WEB_RISK_RANGE,
} from '../rice.ts';
import { ListError, mustBeWhole, type PrefixGroup, sortedGroup } from '../sorted-prefixes.ts';
import { type ListUpdate, mustBeUpdate } from '../update.ts';
import { checksumIn, MessageFormat, type SecondsAndNanos, timeOf, timestampOf } from './message-format.ts';
import { descriptorsOf } from './protobuf.ts';

/** The fields that a client reads. https://github.com/googleapis/googleapis, google/cloud/webrisk/v1 */
const webRiskDescriptor = /* @__PURE__ */ descriptorsOf({
  name: 'google.cloud.webrisk.v1',
  messages: {
    RawHashes: { prefix_size: [1, 'int32'], raw_hashes: [2, 'bytes'] },
    RawIndices: { indices: [1, 'repeated int32'] },
    RiceDeltaEncoding: {
      first_value: [1, 'int64'],
      rice_parameter: [2, 'int32'],
      entry_count: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    ThreatEntryAdditions: { raw_hashes: [1, 'repeated RawHashes'], rice_hashes: [2, 'RiceDeltaEncoding'] },
    ThreatEntryRemovals: { raw_indices: [1, 'RawIndices'], rice_indices: [2, 'RiceDeltaEncoding'] },
    Checksum: { sha256: [1, 'bytes'] },
    ComputeThreatListDiffResponse: {
      recommended_next_diff: [2, 'google.protobuf.Timestamp'],
      response_type: [4, 'ResponseType'],
      additions: [5, 'ThreatEntryAdditions'],
      removals: [6, 'ThreatEntryRemovals'],
      new_version_token: [7, 'bytes'],
      checksum: [8, 'Checksum'],
    },
  },
  enums: { ResponseType: ['RESPONSE_TYPE_UNSPECIFIED', 'DIFF', 'RESET'] },
});

const DIFF = 1;
const RESET = 2;

/** A set of raw prefixes per width, and some to spare. */
const MAX_SETS = 64;

interface RawHashes {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

interface RiceFields extends Omit<RiceDeltas, 'entriesCount'> {
  readonly entryCount: number;
}

interface DiffFields {
  readonly recommendedNextDiff?: SecondsAndNanos;
  readonly responseType: number;
  readonly additions?: { readonly rawHashes: readonly RawHashes[]; readonly riceHashes?: RiceFields };
  readonly removals?: {
    readonly rawIndices?: { readonly indices: readonly number[] };
    readonly riceIndices?: RiceFields;
  };
  readonly newVersionToken: Uint8Array;
  readonly checksum?: { readonly sha256: Uint8Array };
}

/** `ComputeThreatListDiffResponse` of Web Risk: it does not name the list. */
export const THREAT_LIST_DIFF = /* @__PURE__ */ new MessageFormat<ListUpdate>({
  descriptor: () => webRiskDescriptor('ComputeThreatListDiffResponse'),
  limits: { 5: { what: 'additions', max: Infinity, fields: { 1: { what: 'sets of prefixes', max: MAX_SETS } } } },
  read: updateOf,
  check: mustBeUpdate,
  write: fieldsOf,
});

function updateOf(fields: DiffFields): ListUpdate {
  const { responseType, newVersionToken, checksum, recommendedNextDiff } = fields;
  if (responseType !== DIFF && responseType !== RESET)
    throw new ListError('message', 'message', `its response type is ${responseType}, neither DIFF nor RESET`);
  return {
    name: '',
    version: Uint8Array.from(newVersionToken),
    isPartial: responseType === DIFF,
    additions: additionsIn(fields),
    removals: removalsIn(fields),
    checksum: checksum && checksumIn(checksum.sha256),
    minimumWaitMs: 0,
    nextRequestTime: timeOf(recommendedNextDiff),
  };
}

/**
 * Returns one group per width. All sets of a width are sorted together: merging each with those before it would take the
 * square of their number.
 *
 * @throws {ListError} where they have a prefix twice
 */
function additionsIn({ additions }: DiffFields): PrefixGroup[] {
  const pieces = new Map<number, Uint8Array[]>();
  const add = (width: number, prefixes: Uint8Array) => {
    mustBeWhole(prefixes, width, 'additions');
    const known = pieces.get(width);
    if (known === undefined) pieces.set(width, [prefixes]);
    else known.push(prefixes);
  };
  for (const { rawHashes, prefixSize } of additions?.rawHashes ?? []) add(prefixSize, rawHashes);
  if (additions?.riceHashes !== undefined) add(4, decodeLittleEndian(deltasIn(additions.riceHashes)));
  const groups = Array.from(pieces, ([width, all]) => sortedGroup(concatBytes(all), width));
  return groups.sort((one, other) => one.width - other.width);
}

/** Returns ascending indices. @throws {ListError} */
function removalsIn({ removals }: DiffFields): Uint32Array {
  const raw = removals?.rawIndices?.indices ?? [];
  const negative = raw.find((index) => index < 0);
  if (negative !== undefined) throw new ListError('removals', 'removal-index', `an index is ${negative}`);
  const rice = removals?.riceIndices;
  const inCode = rice === undefined ? [] : decodeIndices(deltasIn(rice), WEB_RISK_RANGE);
  const all = new Uint32Array(raw.length + inCode.length);
  all.set(raw);
  all.set(inCode, raw.length);
  return all.sort();
}

function deltasIn(fields: RiceFields): RiceDeltas {
  return { ...fields, entriesCount: fields.entryCount };
}

function fieldsOf({ version, isPartial, additions, removals, checksum, nextRequestTime }: ListUpdate): object {
  const inCode = removals.length === 0 ? undefined : encodeIndices(removals, WEB_RISK_RANGE);
  return {
    recommendedNextDiff: timestampOf(nextRequestTime),
    responseType: isPartial ? DIFF : RESET,
    additions: additionFields(additions),
    removals: { riceIndices: inCode && riceFields(inCode) },
    newVersionToken: version,
    checksum: checksum && { sha256: checksum },
  };
}

/** Prefixes of 4 bytes are in Rice-Golomb code, all others raw. */
function additionFields(additions: readonly PrefixGroup[]): object {
  const groups = additions.filter(({ prefixes }) => prefixes.length > 0);
  const short = groups.find(({ width }) => width === 4);
  const others = groups.filter((group) => group !== short);
  return {
    rawHashes: others.map(({ width, prefixes }) => ({ prefixSize: width, rawHashes: prefixes })),
    riceHashes: short && riceFields(encodeLittleEndian(short.prefixes)),
  };
}

function riceFields(deltas: RiceDeltas): RiceFields {
  return { ...deltas, entryCount: deltas.entriesCount };
}
