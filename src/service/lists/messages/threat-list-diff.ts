import { ListError } from '../error.ts';
import type { RiceDeltas } from '../rice.ts';
import { type ListUpdate, mustBeUpdate } from '../update.ts';
import { checksumIn, type SecondsAndNanos, timeOf, timestampOf } from './common-fields.ts';
import {
  additionsIn,
  encodedAdditions,
  encodedRemovals,
  MAX_SETS,
  type RawHashes,
  type RawIndices,
  removalsIn,
} from './entry-sets.ts';
import { MessageFormat } from './message-format.ts';
import { descriptorsOf } from './schema.ts';

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

interface RiceFields extends Omit<RiceDeltas, 'entriesCount'> {
  readonly entryCount: number;
}

interface DiffFields {
  readonly recommendedNextDiff?: SecondsAndNanos;
  readonly responseType: number;
  readonly additions?: { readonly rawHashes: readonly RawHashes[]; readonly riceHashes?: RiceFields };
  readonly removals?: { readonly rawIndices?: RawIndices; readonly riceIndices?: RiceFields };
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
  const { responseType, additions, removals, newVersionToken, checksum, recommendedNextDiff } = fields;
  if (responseType !== DIFF && responseType !== RESET)
    throw new ListError('message', 'message', `its response type is ${responseType}, neither DIFF nor RESET`);
  return {
    name: '',
    version: Uint8Array.from(newVersionToken),
    isPartial: responseType === DIFF,
    additions: additionsIn(additions?.rawHashes ?? [], deltasIn(additions?.riceHashes)),
    removals: removalsIn(removals?.rawIndices ? [removals.rawIndices] : [], deltasIn(removals?.riceIndices)),
    checksum: checksum && checksumIn(checksum.sha256),
    minimumWaitMs: 0,
    nextRequestTime: timeOf(recommendedNextDiff),
  };
}

function deltasIn(fields: RiceFields | undefined): RiceDeltas[] {
  return fields === undefined ? [] : [{ ...fields, entriesCount: fields.entryCount }];
}

function fieldsOf({ version, isPartial, additions, removals, checksum, nextRequestTime }: ListUpdate): object {
  const { raw, rice } = encodedAdditions(additions);
  const indices = encodedRemovals(removals);
  return {
    recommendedNextDiff: timestampOf(nextRequestTime),
    responseType: isPartial ? DIFF : RESET,
    additions: { rawHashes: raw, riceHashes: riceFields(rice) },
    removals: { riceIndices: riceFields(indices) },
    newVersionToken: version,
    checksum: checksum && { sha256: checksum },
  };
}

function riceFields(deltas: RiceDeltas | undefined): RiceFields | undefined {
  return deltas && { ...deltas, entryCount: deltas.entriesCount };
}
